"""OPCODE_SWEEP: every legal opcode runs at least once in each pass."""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.isa.table import Condition, Group, Instruction, Kind, instructions
from diorama.worlds.gameboy.roms.kit import SCRATCH, add_fold, program, repeat
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_IMMEDIATES: Final = (("d16", "$2468"), ("d8", "$3C"), ("(a16)", f"({SCRATCH + 2})"), ("a8", "$A2"), ("e8", "5"))
_STACK_TOP: Final = 0xFFFE


def _assemble() -> bytes:
    a = program("OPCODE_SWEEP")
    for vector in range(0x00, 0x40, 8):
        a.org(vector)
        a("call fold\nret")
    a.org(0x50)
    a("""
        pop hl           ; an interrupt taken in HALT right after EI returns to the HALT itself
        inc hl
        push hl
        reti
    """)
    a.org(0x150)
    a("start:\nagain:\ndi")
    for row in instructions():
        if row.is_legal:
            _exercise(a, row)
    repeat(a)
    for row in instructions():
        if row.group is Group.RETURN or row.group is Group.RETURN_ENABLE:
            a(f"subroutine_{row.opcode:02x}: {row.mnemonic}")
            if row.condition is not Condition.NONE:
                a("ret")
    add_fold(a)
    return a.build()


def _exercise(a: Asm, row: Instruction) -> None:
    """Set registers and memory up, run the instruction, and fold what it left in A and F."""
    if row.group is Group.HALT:
        a("ld a,4\nldh ($FF),a\nldh ($0F),a\nei\nhalt\ndi\nxor a\nldh ($FF),a")
        return
    if row.dest_kind is Kind.PC:
        _branch(a, row)
        return
    c = "$B1" if Kind.AT_C in (row.operand_kind, row.dest_kind) else f"lo({SCRATCH + 0x20})"
    a(f"ld hl,{SCRATCH + row.opcode // 2}\nld de,{SCRATCH + 0x90}\nld b,hi({SCRATCH})\nld c,{c}")
    if row.operand_kind is Kind.AT_HL:
        a(f"ld (hl),{row.opcode ^ 0x5A}")
    if row.group is Group.POP:
        a("push de")
    if Kind.SP in (row.dest_kind, row.operand_kind):
        a(f"ld sp,{SCRATCH + 0x40}")
    a(_with_immediate(row))
    if Kind.SP in (row.dest_kind, row.operand_kind):
        a(f"ld sp,{_STACK_TOP}")
    if row.group is Group.PUSH:
        a("pop hl")
    if row.group in (Group.EI, Group.STOP):
        a("di")  # nothing is enabled, so no interrupt comes in between
    a("call fold")


def _branch(a: Asm, row: Instruction) -> None:
    for flags in (0x00, 0x90) if row.condition is not Condition.NONE else (0x00,):
        a(f"ld bc,{0x6600 + flags}\npush bc\npop af")
        target = f"after_{row.opcode:02x}_{flags:02x}"
        if row.group in (Group.RETURN, Group.RETURN_ENABLE):
            a(f"call subroutine_{row.opcode:02x}")
        elif row.group is Group.CALL:
            a(row.mnemonic.replace("a16", "fold"))
        elif row.operand_kind is Kind.HL:
            a(f"ld hl,{target}\n{row.mnemonic}")
        else:
            a(row.mnemonic.replace("a16", target).replace("e8", target))
        a(f"{target}: di\ncall fold")


def _with_immediate(row: Instruction) -> str:
    text = row.mnemonic
    for placeholder, value in _IMMEDIATES:
        text = text.replace(placeholder, value)
    return text


ROMS: Final = (
    MicroRom(
        name="OPCODE_SWEEP",
        profiles=(Profile.EXACT,),
        purpose="executes every legal opcode at least once in each pass",
        assemble=_assemble,
        boot=BootMode.STUB,
    ),
)
