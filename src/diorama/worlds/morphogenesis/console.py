"""Console commands of this world: look at envs and slots, decide by hand, hold drills."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Literal

from pydantic import NonNegativeInt

from diorama.contracts.errors import DioramaError
from diorama.contracts.live.commands import Arguments, Command
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import JsonObject
from diorama.worlds.morphogenesis.contracts.payloads.base import to_json
from diorama.worlds.morphogenesis.controller.action_text import action_text, parse_action
from diorama.worlds.morphogenesis.controller.deciding import Decider

if TYPE_CHECKING:
    from diorama.worlds.morphogenesis.engine.operator import OperatorDesk

TOLD_OF_AN_ENV: Final = (
    "task",
    "round",
    "epoch",
    "max_epochs",
    "accuracy",
    "control_accuracy",
    "gain",
    "total_params",
    "episode_reward",
    "rollbacks",
    "is_rolling_back",
)


class NoArguments(Arguments):
    """Nothing."""


class EnvArguments(Arguments):
    """Which env."""

    env: NonNegativeInt


class SlotArguments(EnvArguments):
    """Which slot of which env."""

    slot: str


class OpArguments(EnvArguments):
    """A decision: an operation, its slot, and what else matters to it."""

    op: str
    slot: str | None = None
    blueprint: str | None = None
    style: str | None = None
    tempo: str | None = None
    target: str | None = None
    speed: str | None = None
    curve: str | None = None


class ControlArguments(EnvArguments):
    """Who decides for an env."""

    who: Decider


class FaultArguments(EnvArguments):
    """What is damaged."""

    fault: Literal["nan", "spike", "seed_nan"]


def _status(desk: "OperatorDesk", _: NoArguments) -> JsonObject:
    return {"envs": [_env_block(desk, copy) for copy in range(desk.core.copies)]}


def _env(desk: "OperatorDesk", given: EnvArguments) -> JsonObject:
    with _refusing():
        picture = desk.picture(given.env)
    return {**_env_block(desk, given.env), "history": picture["history"], "slots": picture["slots"]}


def _slot(desk: "OperatorDesk", given: SlotArguments) -> JsonObject:
    with _refusing():
        nursery, env = desk.nursery(given.env)
        slots = desk.picture(given.env)["slots"]
    ids = [slot.slot_id for slot in env.growth.slots]
    if given.slot not in ids or not isinstance(slots, list):
        raise CommandError("not_found", "slot", f"no slot is called {given.slot!r}; there are: {', '.join(ids)}")
    found = slots[ids.index(given.slot)]
    return {"epoch": nursery.epoch, "slot": found}


def _op(desk: "OperatorDesk", given: OpArguments) -> JsonObject:
    told = given.model_dump(exclude={"env", "op", "slot"}, exclude_none=True)
    words = [
        given.op,
        *([] if given.slot is None else [given.slot]),
        *(f"{key}={value}" for key, value in told.items()),
    ]
    with _refusing():
        nursery, _ = desk.nursery(given.env)
        action = parse_action(words, nursery.slots.slot_ids)
        desk.order(given.env, action)
    return {"env": given.env, "ordered": action_text(action, nursery.slots.slot_ids)}


def _control(desk: "OperatorDesk", given: ControlArguments) -> JsonObject:
    with _refusing():
        desk.hand_over(given.env, given.who)
    return {"env": given.env, "decides": given.who}


def _snapshot(desk: "OperatorDesk", given: EnvArguments) -> JsonObject:
    with _refusing():
        desk.snapshot(given.env)
    return {"env": given.env, "kept": True}


def _rollback(desk: "OperatorDesk", given: EnvArguments) -> JsonObject:
    with _refusing():
        desk.roll_back(given.env)
    return {"env": given.env, "reason": "governor_rollback"}


def _inject(desk: "OperatorDesk", given: FaultArguments) -> JsonObject:
    with _refusing():
        desk.inject(given.env, given.fault)
    return {"env": given.env, "injected": given.fault}


def _env_block(desk: "OperatorDesk", copy: int) -> JsonObject:
    picture = desk.picture(copy)
    stages = {slot.slot_id: slot.stage.name for slot in desk.nursery(copy)[1].growth.slots}
    told = {name: to_json(picture[name]) for name in TOLD_OF_AN_ENV}
    return {"env": copy, "decides": desk.deciders.get(copy, "policy"), **told, "stages": stages}


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn what the world refuses into a refusal of the console."""
    try:
        yield
    except DioramaError as error:
        raise CommandError("invalid_args", "refused", str(error)) from None


COMMANDS: Final = (
    Command(
        name="status",
        role="viewer",
        needs_id=False,
        summary="Show every env: accuracy, gain, stages, who decides.",
        arguments=NoArguments,
        run=_status,
    ),
    Command(
        name="env",
        role="viewer",
        needs_id=False,
        summary="Show one env with its history and slots.",
        arguments=EnvArguments,
        run=_env,
    ),
    Command(
        name="slot",
        role="viewer",
        needs_id=False,
        summary="Show one slot and its seed.",
        arguments=SlotArguments,
        run=_slot,
    ),
    Command(
        name="op",
        role="admin",
        needs_id=True,
        summary="Replace the next decision of an env.",
        arguments=OpArguments,
        run=_op,
    ),
    Command(
        name="control",
        role="admin",
        needs_id=True,
        summary="Say who decides for an env: policy, rules, human or wait.",
        arguments=ControlArguments,
        run=_control,
    ),
    Command(
        name="snapshot",
        role="admin",
        needs_id=True,
        summary="Have the governor keep a copy of a host.",
        arguments=EnvArguments,
        run=_snapshot,
    ),
    Command(
        name="rollback",
        role="admin",
        needs_id=True,
        summary="Put a host back to its last copy, in place of its next decision.",
        arguments=EnvArguments,
        run=_rollback,
    ),
    Command(
        name="inject",
        role="admin",
        needs_id=True,
        summary="Damage a host for a drill: nan, spike or seed_nan.",
        arguments=FaultArguments,
        run=_inject,
    ),
)
