"""`Frame`: one line of a replay, and the forms its values take."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

import msgspec
import numpy as np
from msgspec import UNSET, Meta, UnsetType

from diorama.contracts.errors import DocumentError
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import I32, U8, JsonObject, JsonValue
from diorama.runs.documents import Document, RawObject

_DECIMALS: Final = 6

Option: TypeAlias = Annotated[int, Meta(ge=-(1 << 31), lt=1 << 31)]  # of one head; may be outside of the world's range
Action: TypeAlias = Option | list[Option | list[Option] | None]
Number: TypeAlias = float | list[float | None]
Flag: TypeAlias = bool | list[bool | None]
T = TypeVar("T")


class Frame(Document, frozen=True, kw_only=True, omit_defaults=True):
    """What one step of a copy did.

    In a world of one seat, action, reward and flags are single values; a factored action is a list with one
    option per head. In a world of several seats each is a list over seats, null for a seat that took no decision.

    Attributes:
        t: Ticks of the episode after the step.
        dt: Ticks the step took.
        reward: In binary64, as the step record has it, so that it can be compared exactly.
        render_state: The moment after the step, as the world draws it.
        event_data: Payloads by event.
        commands: Console or operator commands applied before the step.
        state_hash: Of the state after the step, 16 hex digits.
    """

    schema_version: Literal[1]
    frame_index: Annotated[int, Meta(ge=0, lt=1 << 62)]
    t: Annotated[int, Meta(gt=0, lt=1 << 62)]
    dt: Annotated[int, Meta(gt=0, lt=1 << 62)]
    action: Action
    reward: Number
    terminated: Flag
    truncated: Flag
    render_state: RawObject
    events: list[str]
    event_data: RawObject | UnsetType = UNSET
    info: RawObject | UnsetType = UNSET
    commands: list[RawObject] | UnsetType = UNSET
    state_hash: Annotated[str, Meta(pattern="^[0-9a-f]{16}$")] | UnsetType = UNSET


def rounded(picture: JsonObject) -> RawObject:
    """Return a render state as replays store it, every number to six decimals."""
    return {key: _rounded(value) for key, value in picture.items()}


def per_seat(values: Sequence[T], deciding: U8) -> T | list[T | None]:
    """Return the value of the only seat, or a list over seats with null where a seat took no decision."""
    if len(values) == 1:
        return values[0]
    return [value if decides else None for value, decides in zip(values, deciding.tolist(), strict=True)]


def action_of(rows: I32, deciding: U8) -> Action:
    """Return the stored form of the decisions `rows`, seats by heads."""
    decisions: list[list[int]] = rows.tolist()
    seats = [options[0] if len(options) == 1 else options for options in decisions]
    if len(seats) == 1:
        return seats[0] if isinstance(seats[0], int) else [*seats[0]]
    return [seat if decides else None for seat, decides in zip(seats, deciding.tolist(), strict=True)]


def action_rows(spec: WorldSpec, action: Action, *, where: str) -> I32:
    """Return the decisions of a stored action, seats by heads; a seat that took none sends its no-op.

    Raises:
        DocumentError: The action does not fit the world.
    """
    per_seat_actions = [action] if spec.agents == 1 else action
    noop = list(spec.noop)
    rows = [
        noop if seat is None else [seat] if isinstance(seat, int) else seat
        for seat in (per_seat_actions if isinstance(per_seat_actions, list) else [])
    ]
    if len(rows) != spec.agents or any(len(options) != len(spec.heads) for options in rows):
        raise DocumentError(
            f"{where}: action {action!r} does not fit {spec.agents} seat(s) with {len(spec.heads)} head(s)"
        )
    return np.array(rows, np.int32)


class ActionDigest:
    """SHA-256 over the actions of a replay, each as compact JSON on a line of its own."""

    def __init__(self) -> None:
        """Begin with no actions."""
        self._hash = hashlib.sha256()

    def add(self, action: Action) -> None:
        """Take the action of the next frame."""
        self._hash.update(msgspec.json.encode(action) + b"\n")

    def hexdigest(self) -> str:
        """Return 64 hexadecimal digits."""
        return self._hash.hexdigest()


def _rounded(value: JsonValue) -> JsonValue:
    if isinstance(value, float):
        return round(value, _DECIMALS)
    if isinstance(value, str | int) or value is None:
        return value
    if isinstance(value, Mapping):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value]
