"""How a record becomes words: fields in order, one word for a number, a count before a list without fixed length."""

import struct
from dataclasses import dataclass, field, fields
from typing import Any, Final, TypeVar, get_args, get_origin, get_type_hints

from diorama.snapshots import WordReader, check_numbers

RecordT = TypeVar("RecordT")
Number = int | float

_INTEGER: Final = "q"
_REAL: Final = "d"
_CODES: Final[dict[Any, str]] = {int: _INTEGER, bool: _INTEGER, float: _REAL}


@dataclass(slots=True)
class Pile:
    """Numbers on their way to become words, packed in one go: a state has thousands of them."""

    _values: list[Number] = field(default_factory=list)
    _codes: list[str] = field(default_factory=list)

    def add(self, codes: str, values: list[Number]) -> None:
        """Append numbers; a code for each, `q` for an integer and `d` for a float."""
        self._codes.append(codes)
        self._values += values

    def add_ints(self, *values: int) -> None:
        """Append integers."""
        self.add(_INTEGER * len(values), list(values))

    def packed(self) -> bytes:
        """All words, little-endian; negative zero becomes zero."""
        return struct.pack("<" + "".join(self._codes), *[value + 0 for value in self._values])


@dataclass(frozen=True, slots=True)
class Slot:
    """One field of a record: a number, a list of numbers or a list of records.

    Attributes:
        name: Of the field.
        code: Of its numbers, empty for records.
        is_bool: Whether its words are read back as True and False.
        length: Of a list that needs no count, -1 for one that does, 0 for a single number.
        record: Type of the records of a list.
    """

    name: str
    code: str
    is_bool: bool
    length: int
    record: type[Any] | None


def write_record(pile: Pile, record: object, *, service: bool = False) -> None:
    """Append a record; fields marked as `service` are left out, or are the only ones written."""
    for slot in _slots(type(record), service):
        value = getattr(record, slot.name)
        if slot.record is not None:
            write_list(pile, value)
        elif slot.length == 0:
            pile.add(slot.code, [value])
        else:
            if slot.length < 0:
                pile.add_ints(len(value))
            pile.add(slot.code * len(value), value)


def write_list(pile: Pile, records: list[Any]) -> None:
    """Append a count and the records."""
    pile.add_ints(len(records))
    for record in records:
        write_record(pile, record)


def read_record(words: WordReader, kind: type[RecordT]) -> RecordT:
    """Take a record without service fields.

    Raises:
        SnapshotError: A number in it is too large, or none.
    """
    return kind(**{slot.name: _read(words, slot) for slot in _slots(kind, service=False)})


def read_service(words: WordReader, record: object) -> None:
    """Take the service fields of a record that has been read."""
    for slot in _slots(type(record), service=True):
        setattr(record, slot.name, _read(words, slot))


def read_list(words: WordReader, kind: type[RecordT]) -> list[RecordT]:
    """Take a count and that many records."""
    return [read_record(words, kind) for _ in range(words.read_entries())]


def _read(words: WordReader, slot: Slot) -> Any:
    if slot.record is not None:
        return read_list(words, slot.record)
    count = words.read_entries() if slot.length < 0 else max(slot.length, 1)
    values: list[Any] = words.read_floats(count) if slot.code == _REAL else [*words.read_ints(count)]
    if slot.is_bool:
        values = [bool(value) for value in values]
    check_numbers(slot.name, values)
    return values[0] if slot.length == 0 else values


def _slots(kind: Any, service: bool) -> tuple[Slot, ...]:
    known = _KNOWN.get((kind, service))
    if known is None:
        hints = get_type_hints(kind)
        known = tuple(
            _slot(entry.name, hints[entry.name], entry.metadata.get("length", -1))
            for entry in fields(kind)
            if entry.metadata.get("service", False) is service
        )
        _KNOWN[kind, service] = known
    return known


_KNOWN: Final[dict[tuple[Any, bool], tuple[Slot, ...]]] = {}  # worked out once for each type of record


def _slot(name: str, hint: Any, length: int) -> Slot:
    if get_origin(hint) is not list:
        return Slot(name, _CODES[hint], hint is bool, 0, None)
    (item,) = get_args(hint)
    if item in _CODES:
        return Slot(name, _CODES[item], item is bool, length, None)
    return Slot(name, "", is_bool=False, length=length, record=item)
