"""What a program is made of before it has addresses for everything: pieces with a size each."""

from collections.abc import Mapping
from dataclasses import dataclass

from diorama.worlds.gameboy.assembler.encoder import Encodable, EncodingError
from diorama.worlds.gameboy.assembler.expressions import evaluate


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """Where a piece comes from, for messages."""

    number: int
    text: str

    def __str__(self) -> str:
        """Show the line the way messages begin."""
        return f"line {self.number} `{self.text}`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """One instruction."""

    encodable: Encodable

    @property
    def size(self) -> int:
        """Length of the instruction."""
        return self.encodable.instruction.length

    def encode(self, address: int, labels: Mapping[str, int]) -> bytes:
        """Give the bytes, once all labels are known."""
        return self.encodable.encode(address, labels)


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """Numbers of one or two bytes each, some of them expressions."""

    values: tuple[int | str, ...]
    width: int

    @property
    def size(self) -> int:
        """Bytes of all values."""
        return len(self.values) * self.width

    def encode(self, address: int, labels: Mapping[str, int]) -> bytes:
        """Give the bytes, once all labels are known."""
        del address  # data does not depend on where it stands
        return b"".join(self._value(value, labels) for value in self.values)

    def _value(self, value: int | str, labels: Mapping[str, int]) -> bytes:
        number = evaluate(value, labels) if isinstance(value, str) else value
        limit = 1 << (8 * self.width)
        if not -limit // 2 <= number < limit:
            raise EncodingError(f"the value {number} is outside {-limit // 2}..{limit - 1}")
        return (number % limit).to_bytes(self.width, "little")


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """Bytes as they are."""

    data: bytes

    @property
    def size(self) -> int:
        """Their number."""
        return len(self.data)

    def encode(self, address: int, labels: Mapping[str, int]) -> bytes:
        """Give the bytes."""
        del address, labels  # they are the same everywhere
        return self.data


Piece = Code | Data | Raw


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A piece with its bank and address."""

    piece: Piece
    bank: int
    address: int
    line: SourceLine
