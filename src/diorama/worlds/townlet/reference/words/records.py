"""How a record becomes words: its fields in order, one word for a number, a count before every list."""

import struct
from dataclasses import fields
from typing import Any, Final, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from diorama.snapshots import WordReader, check_numbers
from diorama.worlds.townlet.reference.state.marks import KEPT

RecordT = TypeVar("RecordT")
_INTEGER: Final = "q"
_REAL: Final = "d"
_CODES: Final[dict[Any, str]] = {int: _INTEGER, bool: _INTEGER, float: _REAL}


class _Slot(NamedTuple):
    """One field: a number, a record, or a list of either."""

    name: str
    code: str  # of its numbers, empty for records
    is_bool: bool
    is_list: bool
    record: type[Any] | None


class Pile:
    """Numbers on their way to become words, packed in one go."""

    def __init__(self) -> None:
        """Begin with none."""
        self._codes: list[str] = []
        self._values: list[float] = []

    def add(self, codes: str, *values: float) -> None:
        """Append numbers, with a code for each: `q` for an integer and `d` for a float."""
        self._codes.append(codes)
        self._values += values

    def add_list(self, code: str, values: list[float]) -> None:
        """Append a count and the numbers of a list."""
        self._codes.append(_INTEGER + code * len(values))
        self._values.append(len(values))
        self._values += values

    def packed(self) -> bytes:
        """All words, little-endian; negative zero becomes zero."""
        return struct.pack("<" + "".join(self._codes), *[value + 0 for value in self._values])


def write_record(pile: Pile, record: object, *, is_service: bool = False) -> None:
    """Append a record; fields marked as service are left out, or are the only ones written."""
    for slot in _slots(type(record), is_service):
        value = getattr(record, slot.name)
        if slot.record is None:
            if slot.is_list:
                pile.add_list(slot.code, value)
            else:
                pile.add(slot.code, value)
        elif slot.is_list:
            write_list(pile, value)
        else:
            write_record(pile, value)


def write_list(pile: Pile, records: list[Any]) -> None:
    """Append a count and the records."""
    pile.add(_INTEGER, len(records))
    for record in records:
        write_record(pile, record)


def read_record(words: WordReader, kind: type[RecordT]) -> RecordT:
    """Take a record without its service fields.

    Raises:
        SnapshotError: A number in it is too large, or none.
    """
    return kind(**{slot.name: _read(words, slot) for slot in _slots(kind, False)})


def read_service(words: WordReader, record: object) -> None:
    """Take the service fields of a record that has been read."""
    for slot in _slots(type(record), True):
        setattr(record, slot.name, _read(words, slot))


def read_list(words: WordReader, kind: type[RecordT]) -> list[RecordT]:
    """Take a count and that many records."""
    return [read_record(words, kind) for _ in range(words.read_entries())]


def _read(words: WordReader, slot: _Slot) -> Any:
    if slot.record is not None:
        return read_list(words, slot.record) if slot.is_list else read_record(words, slot.record)
    count = words.read_entries() if slot.is_list else 1
    values: list[Any] = words.read_floats(count) if slot.code == _REAL else [*words.read_ints(count)]
    if slot.is_bool:
        values = [bool(value) for value in values]
    check_numbers(slot.name, values)
    return values if slot.is_list else values[0]


def _slots(kind: Any, is_service: bool) -> tuple[_Slot, ...]:
    known = _KNOWN.get((kind, is_service))
    if known is None:
        hints = get_type_hints(kind)
        known = _KNOWN[kind, is_service] = tuple(
            _slot(entry.name, hints[entry.name])
            for entry in fields(kind)
            if (entry.metadata.get(KEPT) is True if is_service else KEPT not in entry.metadata)
        )
    return known


_KNOWN: Final[dict[tuple[Any, bool], tuple[_Slot, ...]]] = {}  # worked out once for each type of record


def _slot(name: str, hint: Any) -> _Slot:
    is_list = get_origin(hint) is list
    item: Any = get_args(hint)[0] if is_list else hint
    code = _CODES.get(item, "")
    return _Slot(name, code, is_bool=item is bool, is_list=is_list, record=None if code else item)
