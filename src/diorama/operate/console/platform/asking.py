"""Commands that only ask how things are."""

from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import Field

from diorama.contracts.live.commands import Arguments, Command
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import JsonObject
from diorama.operate.console.context import OperatorContext


class NoArguments(Arguments):
    """Nothing."""


class SnapshotArguments(Arguments):
    """Which blocks of the state; all of them by default."""

    blocks: list[Annotated[str, Field(min_length=1, max_length=64)]] | None = None


def _noop(_: OperatorContext, __: NoArguments) -> JsonObject:
    return {}


def _telemetry_snapshot(context: OperatorContext, given: SnapshotArguments) -> JsonObject:
    snapshot = context.latest_snapshot()
    state = snapshot["state"]
    if given.blocks is None or not isinstance(state, Mapping):
        return snapshot
    if missing := [block for block in given.blocks if block not in state]:
        known = ", ".join(state)
        raise CommandError("invalid_args", "unknown_block", f"there is no block {missing[0]!r}; there are: {known}")
    return {**snapshot, "state": {block: state[block] for block in given.blocks}}


def _health_status(context: OperatorContext, _: NoArguments) -> JsonObject:
    return context.health()


COMMANDS: Final = (
    Command(
        name="noop",
        role="viewer",
        needs_id=False,
        summary="Do nothing, in the order of things.",
        arguments=NoArguments,
        run=_noop,
    ),
    Command(
        name="telemetry_snapshot",
        role="viewer",
        needs_id=False,
        summary="Show the whole state, or some of its blocks.",
        arguments=SnapshotArguments,
        run=_telemetry_snapshot,
    ),
    Command(
        name="health_status",
        role="viewer",
        needs_id=False,
        summary="Show how the loop and its telemetry fare.",
        arguments=NoArguments,
        run=_health_status,
    ),
)
