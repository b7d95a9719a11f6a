"""CB_BITOPS: every rotate, shift, swap and bit instruction."""

from typing import Final

from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.isa.table import Group, Kind, instructions
from diorama.worlds.gameboy.roms.kit import PASSES, SCRATCH, add_fold, program, repeat
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_SEEDS: Final = (0x00, 0x81, 0x5A)


def _assemble() -> bytes:
    a = program("CB_BITOPS")
    a("start:\nagain:")
    for row in instructions():
        if not row.is_prefixed and row.group is not Group.ROTATE_A:
            continue
        operand = "(hl)" if row.operand_kind is Kind.AT_HL else str(row.operand_kind)
        seed = _SEEDS[row.opcode % len(_SEEDS)]
        a(f"ld hl,{SCRATCH + row.opcode}\nld a,({PASSES})\nadd a,{seed}")
        a("scf" if row.opcode & 1 else "and a")
        if operand != "a":
            a(f"ld {operand},a")
        a(row.mnemonic)
        a("call fold" if operand == "a" else f"ld a,{operand}\ncall fold")
    repeat(a)
    add_fold(a)
    return a.build()


ROMS: Final = (
    MicroRom(
        name="CB_BITOPS",
        profiles=(Profile.EXACT,),
        purpose="every opcode behind the prefix on registers and memory, and the four rotates of A",
        assemble=_assemble,
        boot=BootMode.STUB,
    ),
)
