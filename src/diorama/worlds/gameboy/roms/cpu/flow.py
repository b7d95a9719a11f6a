"""FLOW_STACK: jumps, calls, returns and restarts, taken and not."""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.roms.kit import SCRATCH, add_fold, program, repeat
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_FLAGS: Final = (0x00, 0x10, 0x80, 0x90)  # carry and zero in all combinations
_CONDITIONS: Final = ("nz", "z", "nc", "c")


def _assemble() -> bytes:
    a = program("FLOW_STACK")
    for vector in range(0x00, 0x40, 8):
        a.org(vector)
        a(f"ld a,{vector + 1}\njp restarted")
    a.org(0x150)
    a("start:\nagain:")
    for flags in _FLAGS:
        for condition in _CONDITIONS:
            _branches(a, flags, condition)
    _unconditional(a)
    repeat(a)
    a("""
    restarted:
        call fold
        ld hl,sp+0
        ld a,(hl+)       ; the return address, low byte first
        call fold
        ld a,(hl)
        call fold
        ret
    subroutine:
        ld a,$33
        call fold
        ret
    returns_to_itself:
        pop hl
        push hl
        ld a,l
        call fold
        ld a,h
        call fold
        reti
    """)
    for condition in _CONDITIONS:
        a(f"return_{condition}: ret {condition}\nld a,$44\ncall fold\nret")
    add_fold(a)
    return a.build()


def _set_flags(a: Asm, flags: int) -> None:
    a(f"ld bc,{0x2200 + flags}\npush bc\npop af")


def _branches(a: Asm, flags: int, condition: str) -> None:
    mark = f"{flags:02x}_{condition}"
    for jump in ("jp", "jr"):
        _set_flags(a, flags)
        a(f"{jump} {condition},{jump}_{mark}\nld a,$11\ncall fold\n{jump}_{mark}: call fold")
    _set_flags(a, flags)
    a(f"call {condition},subroutine\ncall fold")
    _set_flags(a, flags)
    a(f"call return_{condition}\ncall fold")


def _unconditional(a: Asm) -> None:
    a(f"""
        jp forward
    backward:
        ld a,$55
        call fold
        jr onward
    forward:
        jr backward
    onward:
        ld hl,landing
        jp hl
        call fold
    landing:
        call subroutine
        call returns_to_itself
        di
        ld bc,$1234
        push bc
        ld hl,sp+0
        ld a,(hl+)
        call fold
        ld a,(hl)
        call fold
        pop de
        ld a,d
        ld ({SCRATCH}),a
    """)
    for vector in range(0x00, 0x40, 8):
        a(f"rst {vector}")


ROMS: Final = (
    MicroRom(
        name="FLOW_STACK",
        profiles=(Profile.EXACT,),
        purpose="all jumps, calls, returns and restarts taken and untaken, and the order of PUSH and POP",
        assemble=_assemble,
        boot=BootMode.STUB,
    ),
)
