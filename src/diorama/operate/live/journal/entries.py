"""The lines of a log: a header, commands as they were executed, and one line per tick."""

from typing import Any, Final, TypeAlias

import msgspec

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import JsonObject
from diorama.operate.snapshots.document import SnapshotIdentity
from diorama.storage.json_text import decode_json

VERSION: Final = "1.0"
_RawObject: TypeAlias = dict[str, Any]


class Base(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The snapshot that a log begins at.

    Attributes:
        path: Inside the snapshot folder.
        tick: The one that comes next.
    """

    path: str
    tick: int
    state_hash: str


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line.

    Attributes:
        base: Where it begins; a new world is saved, too, before its first tick.
        is_continuous: Whether the base is what the segment before ends with, and nothing was done in between that a
            log cannot repeat.
    """

    journal: str
    world: str
    run_id: str
    identity: _RawObject
    base: Base
    is_continuous: bool

    def snapshot_identity(self) -> SnapshotIdentity:
        """Whose log it is."""
        return SnapshotIdentity.from_json(self.identity)


class CommandsLine(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="commands", tag_field="t"
):
    """Commands that were executed before, or in stage 1 of, a tick."""

    tick: int
    commands: list[_RawObject]


class TickLine(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag="tick", tag_field="t"
):
    """A tick that was executed to its end.

    Attributes:
        actions: What was selected, seats × heads, seat by seat.
        source: Who selected it, `scripted` or `learned`; whoever repeats the tick must come to the same.
        switched: Whether another policy began to decide in this tick.
        transport: Health of the publisher as the stability monitor saw it, where it differs from the tick before.
        state_hash: After the tick, where it was asked for.
    """

    tick: int
    actions: list[int]
    source: str
    switched: bool = False
    transport: _RawObject | None = None
    state_hash: str | None = None


Line: TypeAlias = CommandsLine | TickLine

_encoder: Final = msgspec.json.Encoder()


def encode_line(line: Header | Line) -> bytes:
    """Write a line, without its newline."""
    return _encoder.encode(line)


def decode_header(data: bytes, where: str) -> Header:
    """Read the first line of a log.

    Raises:
        DocumentError: It is none, or of another version.
    """
    header = decode_json(data, Header, where=where)
    if header.journal != VERSION:
        raise DocumentError(f"{where}: the log has version {header.journal!r}; {VERSION!r} is read here")
    return header


def decode_line(data: bytes, where: str) -> Line:
    """Read any other line.

    Raises:
        DocumentError: It is none.
    """
    line: Line = decode_json(data, Line, where=where)  # type: ignore[arg-type]  # a union is no class for the checker
    return line


def as_commands(tick: int, envelope: JsonObject) -> CommandsLine:
    """Return the line of one executed command."""
    return CommandsLine(tick=tick, commands=[dict(envelope)])
