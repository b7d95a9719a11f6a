"""From bytes back to the text that the assembler takes."""

from collections.abc import Iterator
from dataclasses import dataclass

from diorama.worlds.gameboy.isa.table import PREFIX, Group, Instruction, decode


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """One instruction, or one byte that is none."""

    address: int
    data: bytes
    text: str
    instruction: Instruction | None

    def __str__(self) -> str:
        """Show address, bytes and text as a listing does."""
        return f"{self.address:04X}  {self.data.hex(' ').upper():<8}  {self.text}"


def disassemble_one(data: bytes, address: int = 0) -> Decoded:
    """Read one instruction from the front of `data`.

    Bytes that are no instruction, or one cut short, come out as a single `db`, so that the text always gives the
    same bytes when it is assembled.
    """
    row = decode(data[0], data[1] if len(data) > 1 else 0)
    cut_short = len(data) < row.length or (data[0] == PREFIX and len(data) < 2)
    odd_stop = row.group is Group.STOP and data[1:2] != b"\0"  # its second byte would be lost
    if not row.is_legal or cut_short or odd_stop:
        return Decoded(address=address, data=data[:1], text=f"db ${data[0]:02X}", instruction=None)
    body = data[: row.length]
    return Decoded(address=address, data=body, text=_text(row, body, address), instruction=row)


def opcode_alone(opcode: int, address: int = 0) -> Decoded:
    """Show an instruction whose other bytes are not known, with names such as d16 in their place."""
    row = decode(opcode, 0)
    text = "prefix" if opcode == PREFIX else row.mnemonic if row.is_legal else f"db ${opcode:02X}"
    return Decoded(address=address, data=bytes([opcode]), text=text, instruction=row if row.is_legal else None)


def disassemble(data: bytes, address: int = 0) -> Iterator[Decoded]:
    """Read instructions one after another until the bytes end."""
    position = 0
    while position < len(data):
        decoded = disassemble_one(data[position : position + 3], (address + position) & 0xFFFF)
        yield decoded
        position += len(decoded.data)


def _text(row: Instruction, body: bytes, address: int) -> str:
    if not row.immediate_bytes or row.group is Group.STOP:
        return row.mnemonic
    value = int.from_bytes(body[len(row.encoding) :], "little")
    if row.group is Group.JUMP_RELATIVE:
        return row.mnemonic.replace("e8", f"${(address + row.length + _signed(value)) & 0xFFFF:04X}")
    if row.mnemonic.endswith("sp+e8"):
        return row.mnemonic.replace("+e8", f"{_signed(value):+d}")
    if row.mnemonic.endswith("e8"):
        return row.mnemonic.replace("e8", str(_signed(value)))
    if "a8" in row.mnemonic:
        return row.mnemonic.replace("a8", f"$FF{value:02X}")
    for placeholder in ("d8", "d16", "a16"):
        if placeholder in row.mnemonic:
            return row.mnemonic.replace(placeholder, f"${value:0{2 * row.immediate_bytes}X}")
    raise AssertionError(f"{row.mnemonic!r} has an immediate and no place for it")


def _signed(value: int) -> int:
    return value - 0x100 if value >= 0x80 else value
