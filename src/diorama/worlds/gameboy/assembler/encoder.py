"""From the text of one instruction to its row in the instruction table."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from diorama.worlds.gameboy.assembler.expressions import evaluate, parse_number
from diorama.worlds.gameboy.isa.table import Group, Instruction, instructions

_PLACEHOLDERS: Final = ("d8", "d16", "a8", "a16", "e8")
REGISTERS: Final = frozenset(("a", "b", "c", "d", "e", "h", "l", "af", "bc", "de", "hl", "sp", "nz", "z", "nc"))
_ACCUMULATOR_OPTIONAL: Final = ("add", "adc", "sub", "sbc", "and", "xor", "or", "cp")
_SPELLINGS: Final = {"(hli)": "(hl+)", "(hld)": "(hl-)", "($ff00+c)": "(c)"}


class EncodingError(ValueError):
    """No instruction looks like that, or its operand does not fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Encodable:
    """An instruction whose row is known; `expression` is the text of its immediate, empty where it has none."""

    instruction: Instruction
    expression: str

    def encode(self, address: int, labels: Mapping[str, int]) -> bytes:
        """Give the bytes.

        Args:
            address: Where the instruction stands; relative jumps count from its end.
            labels: All labels of the program.

        Raises:
            EncodingError: If the value does not fit.
            ExpressionError: If the expression cannot be computed.
        """
        row = self.instruction
        if not self.expression:
            return row.encoding + bytes(row.immediate_bytes)
        value = evaluate(self.expression, labels)
        if row.group is Group.JUMP_RELATIVE:
            return row.encoding + _jump_offset(value - (address + row.length), value)
        if row.mnemonic.endswith("e8"):
            return row.encoding + _in_range(value, -128, 127, 1)
        if "(a8)" in row.mnemonic:
            return row.encoding + _in_range(value - 0xFF00 if value >= 0xFF00 else value, 0, 0xFF, 1)
        if row.immediate_bytes == 1:
            return row.encoding + _in_range(value, -128, 0xFF, 1)
        return row.encoding + _in_range(value, -0x8000, 0xFFFF, 2)


@lru_cache(maxsize=8192)
def recognize(text: str) -> Encodable:
    """Find the row for the text of an instruction.

    Raises:
        EncodingError: If the mnemonic is unknown or its operands fit no row.
    """
    mnemonic, _, rest = " ".join(text.split()).partition(" ")
    mnemonic = mnemonic.lower()
    operands = tuple(part.strip() for part in rest.split(",")) if rest else ()
    if mnemonic in ("ldi", "ldd"):
        mnemonic, operands = "ld", tuple(_stepped(operand, mnemonic) for operand in operands)
    if mnemonic not in _shapes().mnemonics:
        raise EncodingError(f"unknown mnemonic {mnemonic!r}")
    for spelling in _spellings(mnemonic, operands):
        found = _find(mnemonic, spelling)
        if found is not None:
            return found
    raise EncodingError(f"{mnemonic!r} does not take the operands {', '.join(operands) or '(none)'}")


def _spellings(mnemonic: str, operands: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Give the operands as they are written, then in the table's way where that is another one."""
    yield operands
    if mnemonic in _ACCUMULATOR_OPTIONAL:
        yield operands[1:] if len(operands) == 2 and _plain(operands[0]) == "a" else ("a", *operands)
    if mnemonic == "jp" and [_plain(operand) for operand in operands] == ["(hl)"]:
        yield ("hl",)


def _find(mnemonic: str, operands: tuple[str, ...]) -> Encodable | None:
    exact = _shapes().exact.get((mnemonic, *(_plain(operand) for operand in operands)))
    if exact is not None:
        return Encodable(instruction=exact, expression="")
    for row, template in _shapes().with_immediate.get((mnemonic, len(operands)), ()):
        expression = _match(template, operands)
        if expression is not None:
            return Encodable(instruction=row, expression=expression)
    return None


def _stepped(operand: str, mnemonic: str) -> str:
    return {"ldi": "(hl+)", "ldd": "(hl-)"}[mnemonic] if _plain(operand) == "(hl)" else operand


def _plain(operand: str) -> str:
    """Spell an operand in one way: lower case, no blanks, round brackets, plain numbers."""
    plain = operand.replace(" ", "").lower().replace("[", "(").replace("]", ")")
    number = parse_number(plain)
    return str(number) if number is not None else _SPELLINGS.get(plain, plain)


def _match(template: tuple[str, ...], operands: tuple[str, ...]) -> str | None:
    """Compare operands with those of a row that has an immediate; give its expression, None if they differ."""
    expression = None
    for pattern, operand in zip(template, operands, strict=True):
        if not any(placeholder in pattern for placeholder in _PLACEHOLDERS):
            if _plain(operand) != pattern:
                return None
            continue
        expression = _immediate(pattern, operand)
        if expression is None:
            return None
    return expression


def _immediate(pattern: str, operand: str) -> str | None:
    plain = _plain(operand)
    counts_from_sp = plain.startswith(("sp+", "sp-"))
    if pattern == "sp+e8" or counts_from_sp:
        return operand.strip()[2:].lstrip().removeprefix("+") if pattern == "sp+e8" and counts_from_sp else None
    if pattern.startswith("("):
        return operand.strip()[1:-1] if _is_memory(plain) and not _names_register(plain[1:-1]) else None
    return None if plain in REGISTERS or _is_memory(plain) else operand


def _is_memory(plain: str) -> bool:
    """Whether one pair of brackets encloses the whole operand; `(x)+1` is a sum."""
    if not plain.startswith("(") or not plain.endswith(")"):
        return False
    depth = 0
    for position, letter in enumerate(plain):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return position == len(plain) - 1
    return False


def _names_register(inner: str) -> bool:
    return inner in REGISTERS or inner in ("hl+", "hl-")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shapes:
    """Legal rows by how they are written: all operands fixed, or one of them an immediate."""

    mnemonics: frozenset[str]
    exact: Mapping[tuple[str, ...], Instruction]
    with_immediate: Mapping[tuple[str, int], list[tuple[Instruction, tuple[str, ...]]]]


@cache
def _shapes() -> _Shapes:
    exact: dict[tuple[str, ...], Instruction] = {}
    with_immediate = defaultdict(list)
    for row in instructions():
        if not row.is_legal:
            continue
        mnemonic, _, rest = row.mnemonic.partition(" ")
        template = tuple(rest.split(",")) if rest else ()
        if any(placeholder in rest for placeholder in _PLACEHOLDERS):
            with_immediate[mnemonic, len(template)].append((row, template))
        else:
            exact[mnemonic, *(_plain(part) for part in template)] = row
    mnemonics = frozenset(shape[0] for shape in exact) | frozenset(shape[0] for shape in with_immediate)
    return _Shapes(mnemonics=mnemonics, exact=exact, with_immediate=with_immediate)


def _jump_offset(offset: int, target: int) -> bytes:
    if not -128 <= offset <= 127:
        raise EncodingError(f"jr cannot reach ${target & 0xFFFF:04X}: the offset {offset} is outside -128..127; use jp")
    return (offset & 0xFF).to_bytes(1, "little")


def _in_range(value: int, low: int, high: int, size: int) -> bytes:
    if not low <= value <= high:
        raise EncodingError(f"the value {value} is outside {low}..{high}")
    return (value & ((1 << (8 * size)) - 1)).to_bytes(size, "little")
