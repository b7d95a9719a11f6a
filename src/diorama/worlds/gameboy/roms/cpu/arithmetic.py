"""ALU_FLAGS and ALU16_SP: arithmetic on operands at the edges of its rules."""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.roms.kit import SCRATCH, add_fold, program, repeat
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_EDGES: Final = (0x00, 0x01, 0x0F, 0x10, 0x7F, 0x80, 0x99, 0xFF)
_WIDE_EDGES: Final = (0x0000, 0x0001, 0x0FFF, 0x1000, 0x7FFF, 0x8000, 0xFFFF)
_OFFSETS: Final = (-128, -16, -1, 0, 1, 15, 127)
_OPERATIONS: Final = ("add", "adc", "sub", "sbc", "and", "xor", "or", "cp")
_EDGE_TABLE: Final = 0x3F00


def _alu_flags() -> bytes:
    a = program("ALU_FLAGS")
    a("start:\nagain:")
    for operation in _OPERATIONS:
        _all_pairs(a, operation, f"{operation} b")
    for step in ("inc", "dec"):
        _all_pairs(a, step, f"add a,b\n{step} a")
    for name in ("cpl", "scf", "ccf"):
        _all_pairs(a, name, f"sub b\n{name}")
    _immediates(a)
    _decimal(a)
    repeat(a)
    add_fold(a)
    a.org(_EDGE_TABLE)
    a.db(0, *_EDGES)
    return a.build()


def _all_pairs(a: Asm, name: str, code: str) -> None:
    """Run code for every pair of edge values in A and B, with the carry clear and set, and fold A and F."""
    a(f"""
        ld d,{len(_EDGES)}
    {name}_outer:
        ld e,{len(_EDGES)}
    {name}_inner:
        ld h,hi({_EDGE_TABLE})
        ld l,e
        ld b,(hl)
        ld l,d
        ld a,(hl)
        and a
        {code.replace(chr(10), chr(10) + "        ")}
        call fold
        ld a,(hl)
        scf
        {code.replace(chr(10), chr(10) + "        ")}
        call fold
        dec e
        jr nz,{name}_inner
        dec d
        jr nz,{name}_outer
    """)


def _immediates(a: Asm) -> None:
    for operation in _OPERATIONS:
        for value in _EDGES:
            a(f"ld a,$5A\nscf\n{operation} {value}\ncall fold\nld hl,{SCRATCH}\nld (hl),{value}\nld a,$A5")
            a(f"{operation} (hl)\ncall fold\ninc (hl)\ncall fold\ndec (hl)\ncall fold")


def _decimal(a: Asm) -> None:
    """DAA for all values of A and of the upper half of F."""
    a("""
        ld c,0
    daa_flags:
        ld b,0
    daa_value:
        push bc
        pop af
        daa
        call fold
        inc b
        jr nz,daa_value
        ld a,c
        add a,$10
        ld c,a
        jr nz,daa_flags
    """)


def _alu16_sp() -> bytes:
    a = program("ALU16_SP")
    a("start:\nagain:")
    for left in _WIDE_EDGES:
        for right in _WIDE_EDGES:
            for pair in ("bc", "de", "sp"):
                a(f"ld hl,{left}\nld {pair},{right}\nadd hl,{pair}\nld sp,$FFFE\nld a,h\ncall fold\nld a,l\ncall fold")
        a(f"ld hl,{left}\nadd hl,hl\nld a,h\ncall fold\nld a,l\ncall fold")
        for pair in ("bc", "de", "hl"):
            for step in ("inc", "dec"):
                a(f"ld {pair},{left}\n{step} {pair}\nld a,{pair[0]}\ncall fold\nld a,{pair[1]}\ncall fold")
        _stack_pointer(a, left)
    repeat(a)
    add_fold(a)
    return a.build()


def _stack_pointer(a: Asm, value: int) -> None:
    forms = [*(f"add sp,{offset}" for offset in _OFFSETS), *(f"ld hl,sp{offset:+d}\nld sp,hl" for offset in _OFFSETS)]
    for form in (*forms, "inc sp", "dec sp"):
        a(f"ld sp,{value}\n{form}\nld ({SCRATCH}),sp\nld sp,$FFFE\ncall fold")
        a(f"ld a,({SCRATCH})\ncall fold\nld a,({SCRATCH + 1})\ncall fold")


ROMS: Final = (
    MicroRom(
        name="ALU_FLAGS",
        profiles=(Profile.EXACT,),
        purpose="all 8-bit operations on edge values, DAA over all of A and F, CPL SCF CCF",
        assemble=_alu_flags,
        boot=BootMode.STUB,
    ),
    MicroRom(
        name="ALU16_SP",
        profiles=(Profile.EXACT,),
        purpose="ADD HL, INC and DEC of pairs, ADD SP, LD HL,SP+e with carries",
        assemble=_alu16_sp,
        boot=BootMode.STUB,
    ),
)
