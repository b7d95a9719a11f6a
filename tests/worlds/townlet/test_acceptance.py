"""What the town is accepted by, where no test of a single rule says it."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from diorama.worlds.townlet.codes import FailReason, Primitive, word
from diorama.worlds.townlet.config import TownletConfig
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.console.executing import apply_console, execute
from diorama.worlds.townlet.reference.observe import Observer
from diorama.worlds.townlet.reference.policy_runner import PolicyRunner
from diorama.worlds.townlet.reference.state import Town
from diorama.worlds.townlet.reference.systems.lifecycle import LifecycleManager
from diorama.worlds.townlet.reference.systems.perturbations.scheduler import PerturbationScheduler
from diorama.worlds.townlet.reference.tick import begin_tick, finish_tick
from diorama.worlds.townlet.scenarios.model import TimelineEntry
from diorama.worlds.townlet.scenarios.operator import Operator
from tests.worlds.townlet.golden_observations import GOLDEN, MOMENTS, VARIANTS, observed, sparse
from tests.worlds.townlet.towns import of_kind, put_at, set_needs, tick, town_of

CTX_RESET_FLAG = -128 + 16


def test_the_interfaces_of_the_tick_have_their_names_and_answers() -> None:
    town = town_of(population=2)
    begin_tick(town)

    actions, masks = PolicyRunner().step(town)
    answers = apply_console(town, [{"name": "debug_queues"}, {"name": "dance"}])
    PerturbationScheduler().tick(town, town.tick)
    leaving = LifecycleManager().evaluate(town, town.tick)

    assert set(actions) == set(masks) == {0, 1}
    assert [answer["status"] for answer in answers] == ["ok", "error"]
    assert leaving == {"citizen_000": False, "citizen_001": False}


def test_every_number_of_the_configuration_is_bounded() -> None:
    unbounded = {path for path, schema in _numbers(TownletConfig.model_json_schema(), "") if len(_bounds(schema)) < 2}

    # Places are checked against the map, weights against one another, and the version is one of two.
    assert {path.split("/")[1] for path in unbounded} == {"Job", "Personalities", "WorldSection", "Training"}
    assert {path.split("/")[3] for path in unbounded} == {
        "location",
        "distribution",
        "spawn_tiles",
        "telemetry_version",
    }


def _numbers(schema: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(schema, list):
        for item in schema:
            yield from _numbers(item, path)
    elif isinstance(schema, dict):
        if schema.get("type") in ("number", "integer"):
            yield path, schema
        for key, value in schema.items():
            if key not in ("default", "examples"):
                yield from _numbers(value, path if key == "$defs" else f"{path}/{key}")


def _bounds(schema: dict[str, Any]) -> list[str]:
    return [name for name in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "const") if name in schema]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        pytest.param(("teleport", "citizen_000", 23, 23, True), FailReason.TELEPORTED, id="teleported"),
        pytest.param(("kill", "citizen_000"), FailReason.AGENT_REMOVED, id="removed"),
        pytest.param(("utility", "water", "off", 9), FailReason.UTILITY_OUTAGE, id="outage"),
    ],
)
def test_what_an_operator_does_interrupts_a_shower(command: tuple[Any, ...], reason: FailReason) -> None:
    town = town_of({"perturbations": {"enabled": True}, "policy_runtime": {"action_level": "primitive"}})
    put_at(town, town.citizen(0), "shower_1")
    tick(town, {0: Primitive.INTERACT_0})
    town.events.clear()
    operator = Operator([TimelineEntry(tick=1, name=command[0], args=list(command[1:]))])

    begin_tick(town, [operator])
    finish_tick(town, {}, [operator])

    assert operator.surprises == []
    (failure,) = of_kind(town, town.events, EventKind.AFFORDANCE_FAIL)
    assert failure["reason"] == word(reason)
    assert town.objects[town.tables.object_index("shower_1")].holder == -1


def _rescued(town: Town) -> None:
    set_needs(town.citizen(0), hunger=0.0)
    town.citizen(0).decline.collapse_streak = town.rules.collapse_ticks


@pytest.mark.parametrize(
    "cause",
    [
        pytest.param(lambda town: execute(town, "teleport", "citizen_000", 23, 23), id="teleport"),
        pytest.param(lambda town: execute(town, "setneed", "citizen_000", "energy", 0.4), id="setneed"),
        pytest.param(lambda town: execute(town, "possess", "citizen_000", "acquire"), id="possession"),
        pytest.param(_rescued, id="rescue"),
    ],
)
def test_memories_are_cleared_in_exactly_one_observation(cause: Callable[[Town], object]) -> None:
    town = town_of({"features": {"systems": {"lifecycle": "off"}}})
    observer = Observer(town.tables, town.config)
    flags = []

    for number in range(6):
        begin_tick(town)
        flags.append(float(observer.row_of(town, town.citizen(0))[CTX_RESET_FLAG]))
        finish_tick(town, {})
        if number == 2:
            cause(town)

    assert flags[:3] == [1.0, 0.0, 0.0]
    assert sum(flags[3:]) == 1.0


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("name", "moment"), MOMENTS)
def test_observations_are_the_golden_ones(name: str, moment: int, variant: str) -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))[f"{name}@{moment}/{variant}"]

    found = {agent: sparse(row) for agent, row in observed(name, moment, variant).items()}

    assert found == golden
