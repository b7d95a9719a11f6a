"""LOADS_BASIC: every form of load, PUSH and POP."""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.isa.table import Group, Instruction, Kind, instructions
from diorama.worlds.gameboy.roms.kit import PASSES, SCRATCH, add_fold, program, repeat
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_IN_MEMORY: Final = (Kind.AT_HL, Kind.AT_HL_INC, Kind.AT_HL_DEC, Kind.AT_BC, Kind.AT_DE, Kind.AT_C)
_IMMEDIATES: Final = (("d16", "$1BD7"), ("d8", "$E4"), ("a16", str(SCRATCH + 9)), ("a8", "$A7"))


def _assemble() -> bytes:
    a = program("LOADS_BASIC")
    a("start:\nagain:")
    for row in instructions():
        if row.group is Group.LOAD:
            _eight_bits(a, row)
        elif row.group is Group.LOAD_PAIR and row.dest_kind is not Kind.SP:
            a(_with_immediate(row))
            _fold_pair(a, row.dest_kind)
    _stack_pointer(a)
    _push_and_pop(a)
    repeat(a)
    add_fold(a)
    return a.build()


def _eight_bits(a: Asm, row: Instruction) -> None:
    """Give every register and the memory behind every pointer its own value, load, and fold what was loaded."""
    a(f"""
        ld bc,{SCRATCH + 0x10}
        ld de,{SCRATCH + 0x25}
        ld hl,{SCRATCH + 0x3B}
        ld a,({PASSES})
        add a,{(row.opcode * 5 + 1) & 0xFF}
    """)
    if row.operand_kind in _IN_MEMORY:
        a("ld (hl),a\nld (bc),a\nld (de),a")
    if Kind.AT_C in (row.operand_kind, row.dest_kind):
        a("ld c,$91")
    a(_with_immediate(row))
    if row.dest_kind in (Kind.B, Kind.C, Kind.D, Kind.E, Kind.H, Kind.L):
        a(f"ld a,{row.dest_kind}")
    a("call fold")
    if Kind.AT_HL_INC in (row.operand_kind, row.dest_kind) or Kind.AT_HL_DEC in (row.operand_kind, row.dest_kind):
        a("ld a,l\ncall fold")
    if row.dest_kind in (Kind.AT_HL, Kind.AT_BC, Kind.AT_DE):
        a(f"ld a,({row.dest_kind.removeprefix('at_')})\ncall fold")


def _with_immediate(row: Instruction) -> str:
    text = row.mnemonic
    for placeholder, value in _IMMEDIATES:
        text = text.replace(placeholder, value)
    return text


def _fold_pair(a: Asm, pair: Kind) -> None:
    high, low = pair
    a(f"ld a,{high}\ncall fold\nld a,{low}\ncall fold")


def _stack_pointer(a: Asm) -> None:
    a(f"""
        ld sp,{SCRATCH + 0x77}
        ld ({SCRATCH + 0x60}),sp
        ld hl,{SCRATCH + 0x5A}
        ld sp,hl
        ld ({SCRATCH + 0x62}),sp
        ld hl,sp+12
        ld sp,$FFFE
        ld a,({SCRATCH + 0x60})
        call fold
        ld a,({SCRATCH + 0x62})
        call fold
        ld a,l
        call fold
    """)


def _push_and_pop(a: Asm) -> None:
    for pushed in ("bc", "de", "hl", "af"):
        for popped in (Kind.BC, Kind.DE, Kind.HL):
            a(f"ld bc,$1F3E\nld de,$5D7C\nld hl,$9BBA\npush {pushed}\npop {popped}")
            _fold_pair(a, popped)
    a("""
        ld bc,$C6FF
        push bc
        pop af
        call fold
    """)


ROMS: Final = (
    MicroRom(
        name="LOADS_BASIC",
        profiles=(Profile.EXACT,),
        purpose="every form of load, PUSH and POP, folded into a signature",
        assemble=_assemble,
        boot=BootMode.STUB,
    ),
)
