"""A program under assembly: the calls collect pieces, `build` gives every label its value and writes the image."""

import re
from collections.abc import Sequence
from typing import Final

from diorama.worlds.gameboy.assembler.encoder import REGISTERS, Encodable, EncodingError, recognize
from diorama.worlds.gameboy.assembler.expressions import ExpressionError, evaluate, names
from diorama.worlds.gameboy.assembler.header import ENTRY, HEADER_END, TITLE, write_header
from diorama.worlds.gameboy.assembler.image import BANK_BYTES, Image
from diorama.worlds.gameboy.assembler.lines import quoted_bytes, split_directive, split_labels, without_comment
from diorama.worlds.gameboy.assembler.pieces import Code, Data, Piece, Placed, Raw, SourceLine
from diorama.worlds.gameboy.errors import AssemblyError

_NAME: Final = re.compile(r"([A-Za-z_]\w*)?(\.[A-Za-z_]\w*)?", re.ASCII)
_RESERVED: Final = REGISTERS | {"lo", "hi"}
_MOST_BANKS: Final = 512


class Asm:
    """Assembles one cartridge image.

    Text holds one instruction per line, or one of `org address, bank`, `db`, `dw` and `ds count, fill`; `name:` before
    it sets a label and `;` begins a comment. A label that begins with a dot belongs to the last one that does not.
    Execution begins at the label `start`.
    """

    def __init__(self, title: str, cart_type: int = 0, rom_banks: int = 2, ram_code: int = 0) -> None:
        """Begin at `$0150` of bank 0.

        Args:
            title: Up to 11 upper-case ASCII characters.
            cart_type: Header byte `$0147`.
            rom_banks: Banks of 16 KiB, a power of two from 2 to 512.
            ram_code: Header byte `$0149`.
        """
        self._lines = 0
        self._line = SourceLine(number=0, text=f"Asm({title!r})")
        if not title.isascii() or not title.isprintable() or title != title.upper() or len(title) > len(TITLE):
            raise self._error(f"the title {title!r} must be upper-case ASCII of at most {len(TITLE)} characters")
        if not 2 <= rom_banks <= _MOST_BANKS or rom_banks & (rom_banks - 1):
            raise self._error(f"rom_banks is {rom_banks}; it must be a power of two from 2 to {_MOST_BANKS}")
        self._title, self._cart_type, self._rom_banks, self._ram_code = title, cart_type, rom_banks, ram_code
        self._labels: dict[str, int] = {}
        self._label_lines: dict[str, SourceLine] = {}
        self._scope = ""
        self._pieces: list[Placed] = []
        self._bank, self._address = 0, HEADER_END

    def org(self, addr: int, bank: int = 0) -> None:
        """Go on at an address: `$0000-$3FFF` of bank 0, or `$4000-$7FFF` of another."""
        self._next_line(f"org ${addr:04X}, bank {bank}")
        self._go_to(addr, bank)

    def label(self, name: str) -> None:
        """Give the current address a name."""
        self._next_line(f"{name}:")
        self._set_label(name)

    def __call__(self, text: str) -> None:
        """Assemble one instruction, or several lines of them."""
        for line in text.splitlines():
            self._next_line(line.strip())
            self._assemble(without_comment(line))

    def db(self, *values: int | str | bytes) -> None:
        """Place bytes: numbers, expressions as text, and byte strings as they are."""
        self._next_line(f"db {_shown(values)}")
        self._place_data(values, width=1)

    def dw(self, *values: int | str) -> None:
        """Place words, low byte first."""
        self._next_line(f"dw {_shown(values)}")
        self._place_data(values, width=2)

    def ds(self, count: int, fill: int = 0) -> None:
        """Place the same byte several times."""
        self._next_line(f"ds {count}, {fill}")
        self._fill(count, fill)

    def vector(self, addr: int, label: str) -> None:
        """Place a `jp` to a label in bank 0, such as an interrupt vector, and stay where the program was."""
        bank, address = self._bank, self._address
        self.org(addr)
        self(f"jp {label}")
        self._bank, self._address = bank, address

    @property
    def here(self) -> int:
        """The address at which the next piece is placed."""
        return self._address

    def address_of(self, label: str) -> int:
        """Give the address of a label that is already set."""
        if label not in self._labels:
            raise self._error(f"there is no label {label!r}")
        return self._labels[label]

    def build(self) -> bytes:
        """Write the image: every piece at its place, header, checksums, zeros elsewhere.

        Raises:
            AssemblyError: For a missing label, a jump that is too far, a value that does not fit, pieces that overlap
                or run out of their bank, or code in the header.
        """
        image = self._encode_pieces(Image(banks=self._rom_banks), forbid_header=True)
        if "start" not in self._labels:
            raise AssemblyError(str(SourceLine(number=0, text="entry")), "there is no label 'start' to begin at")
        rom = image.data
        write_header(
            rom, start=self._labels["start"], title=self._title, cart_type=self._cart_type, ram_code=self._ram_code
        )
        return bytes(rom)

    def build_raw(self, size: int) -> bytes:
        """Write the first bytes of bank 0 without header, for code that is no cartridge."""
        return bytes(self._encode_pieces(Image(banks=self._rom_banks), forbid_header=False).data[:size])

    def _encode_pieces(self, image: Image, *, forbid_header: bool) -> Image:
        for placed in self._pieces:
            try:
                data = placed.piece.encode(placed.address, self._labels)
            except (EncodingError, ExpressionError) as error:
                raise AssemblyError(str(placed.line), str(error)) from error
            touches = placed.bank == 0 and placed.address < HEADER_END and placed.address + len(data) > ENTRY
            if forbid_header and touches and data:
                raise AssemblyError(str(placed.line), f"the header ${ENTRY:04X}..${HEADER_END - 1:04X} holds no code")
            image.write(placed, data)
        return image

    def _assemble(self, line: str) -> None:
        labels, statement = split_labels(line)
        for label in labels:
            self._set_label(label)
        directive = split_directive(statement)
        if directive is not None:
            self._direct(*directive)
        elif statement:
            self._place(Code(encodable=self._recognize(statement)))

    def _recognize(self, statement: str) -> Encodable:
        try:
            return recognize(self._qualified_text(statement))
        except EncodingError as error:
            raise self._error(str(error)) from error

    def _direct(self, name: str, arguments: list[str]) -> None:
        if name in ("db", "dw"):
            quoted = [quoted_bytes(argument) if name == "db" else None for argument in arguments]
            values = [text if text is not None else argument for text, argument in zip(quoted, arguments, strict=True)]
            self._place_data(values, width=1 if name == "db" else 2)
            return
        if len(arguments) > 2:
            raise self._error(f"{name} takes one or two arguments, not {len(arguments)}")
        numbers = [self._number(argument) for argument in arguments]
        if name == "org":
            self._go_to(*numbers)
        else:
            self._fill(*numbers)

    def _number(self, text: str) -> int:
        """Compute an expression at once; it can use the labels that are already set."""
        try:
            return evaluate(self._qualified_text(text), self._labels)
        except ExpressionError as error:
            raise self._error(str(error)) from error

    def _place_data(self, values: Sequence[int | str | bytes], *, width: int) -> None:
        for value in values:
            if isinstance(value, bytes):
                self._place(Raw(data=value))
            else:
                self._place(Data(values=(self._qualified(value),), width=width))

    def _go_to(self, addr: int, bank: int = 0) -> None:
        if not 0 <= bank < self._rom_banks:
            raise self._error(f"there is no bank {bank}; the cartridge has {self._rom_banks}")
        first = BANK_BYTES if bank else 0
        if not first <= addr < first + BANK_BYTES:
            raise self._error(f"bank {bank} is seen at ${first:04X}..${first + BANK_BYTES - 1:04X}")
        self._bank, self._address = bank, addr

    def _fill(self, count: int, fill: int = 0) -> None:
        if count < 0 or not 0 <= fill <= 0xFF:
            raise self._error("ds takes a count of 0 or more and a byte")
        self._place(Raw(data=bytes([fill]) * count))

    def _place(self, piece: Piece) -> None:
        self._pieces.append(Placed(piece=piece, bank=self._bank, address=self._address, line=self._line))
        self._address += piece.size

    def _set_label(self, name: str) -> None:
        if not name.startswith("."):
            self._scope = name
        self._define(self._scope + name if name.startswith(".") else name, self._address)

    def _define(self, name: str, value: int) -> None:
        if not name or not _NAME.fullmatch(name) or name.lower() in _RESERVED:
            raise self._error(f"{name!r} cannot be a label")
        if name in self._labels:
            raise self._error(f"the label {name!r} is already set in {self._label_lines[name]}")
        self._labels[name] = value
        self._label_lines[name] = self._line

    def _qualified(self, value: int | str) -> int | str:
        if isinstance(value, int):
            return value
        try:
            names(value)
        except ExpressionError as error:
            raise self._error(str(error)) from error
        return self._qualified_text(value)

    def _qualified_text(self, text: str) -> str:
        """Spell local labels out, so that later pieces cannot change what they mean."""
        return re.sub(r"(?<![\w.])\.([A-Za-z_]\w*)", lambda match: f"{self._scope}.{match[1]}", text)

    def _next_line(self, text: str) -> None:
        self._lines += 1
        self._line = SourceLine(number=self._lines, text=text)

    def _error(self, problem: str) -> AssemblyError:
        return AssemblyError(str(self._line), problem)


def _shown(values: tuple[int | str | bytes, ...]) -> str:
    return ", ".join(str(value) for value in values[:4]) + (", ..." if len(values) > 4 else "")
