"""Commands about snapshots; paths lie inside the snapshot root."""

from typing import Annotated, Final

from pydantic import Field

from diorama.contracts.live.commands import Arguments, Command
from diorama.contracts.values import JsonObject
from diorama.operate.console.context import OperatorContext

SavedPath = Annotated[str, Field(min_length=1, max_length=512, pattern=r"^[^\x00-\x1f\x7f]+$")]
SavedName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_\-][A-Za-z0-9._\-]{0,63}$")]


class SaveArguments(Arguments):
    """Under which name; one with the tick by default."""

    name: SavedName | None = None


class LoadArguments(Arguments):
    """Which one."""

    path: SavedPath


class ValidateArguments(Arguments):
    """Which one, and whether a migration counts as wrong."""

    path: SavedPath
    strict: bool = False


class MigrateArguments(Arguments):
    """Which one, and where to."""

    path: SavedPath
    output: SavedPath


def _save(context: OperatorContext, given: SaveArguments) -> JsonObject:
    return context.save_snapshot(given.name)


def _load(context: OperatorContext, given: LoadArguments) -> JsonObject:
    return context.load_snapshot(given.path)


def _inspect(context: OperatorContext, given: LoadArguments) -> JsonObject:
    return context.inspect_snapshot(given.path)


def _validate(context: OperatorContext, given: ValidateArguments) -> JsonObject:
    return context.validate_snapshot(given.path, is_strict=given.strict)


def _migrate(context: OperatorContext, given: MigrateArguments) -> JsonObject:
    return context.migrate_snapshot(given.path, given.output)


COMMANDS: Final = (
    Command(
        name="snapshot_save",
        role="admin",
        needs_id=True,
        summary="Save everything that can influence the future.",
        arguments=SaveArguments,
        run=_save,
    ),
    Command(
        name="snapshot_load",
        role="admin",
        needs_id=True,
        summary="Go on from a snapshot.",
        arguments=LoadArguments,
        run=_load,
    ),
    Command(
        name="snapshot_inspect",
        role="viewer",
        needs_id=False,
        summary="Show what a snapshot is of.",
        arguments=LoadArguments,
        run=_inspect,
    ),
    Command(
        name="snapshot_validate",
        role="admin",
        needs_id=False,
        summary="Check whether a snapshot could be loaded.",
        arguments=ValidateArguments,
        run=_validate,
    ),
    Command(
        name="snapshot_migrate",
        role="admin",
        needs_id=True,
        summary="Write a snapshot again for this configuration.",
        arguments=MigrateArguments,
        run=_migrate,
    ),
)
