"""Tight loops for measuring speed."""

from typing import Final

from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.roms.kit import SIGNATURE, program
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile


def _alu_loop() -> bytes:
    a = program("ALU_LOOP")
    a("""
    start:
        xor a
        ld b,a
        ld hl,$C000
    outer:
        ld c,250
    inner:
        inc a
        add a,b
        inc b
        dec c
        jr nz,inner
        ld (hl),a
        inc l
        jr outer
    """)
    return a.build()


def _mem_rwb() -> bytes:
    a = program("MEM_RWB")
    a("""
    start:
        ld hl,$C000
    loop:
        ld a,(hl)
        inc a
        ld (hl+),a
        ld a,h
        cp $E0
        jr nz,loop
        jr start
    """)
    return a.build()


def _joy_diverge_persist() -> bytes:
    """A key chooses one of four loops; without a key the last choice stays, so that lanes stay apart."""
    a = program("JOY_DIVERGE_PERSIST")
    a(f"""
    start:
        ld hl,$FF00
        ld de,$C100
    choose:
        ld (hl),$20
        ld a,$0F
        and (hl)         ; the upper bits, which emulators do not agree on, never reach A
        xor $0F
        jr z,keep
        ld ($C0F0),a
    keep:
        ld c,200
        ld a,($C0F0)
        rrca
        jr c,by_adding
        rrca
        jr c,by_rotating
        rrca
        jr c,by_memory
    by_xor:
        ld a,b
        xor c
        inc a
        ld b,a
        dec c
        jr nz,by_xor
        jr done
    by_adding:
        ld a,b
        add a,c
        daa
        ld b,a
        dec c
        jr nz,by_adding
        jr done
    by_rotating:
        rlc b
        inc b
        swap b
        dec c
        jr nz,by_rotating
        jr done
    by_memory:
        ld a,(de)
        add a,b
        ld (de),a
        ld b,a
        inc e
        dec c
        jr nz,by_memory
    done:
        ld a,b
        ld ({SIGNATURE}),a
        jr choose
    """)
    return a.build()


ROMS: Final = (
    MicroRom(
        name="ALU_LOOP",
        profiles=(Profile.EXACT,),
        purpose="tight loop of INC, ADD and JR; throughput of the CPU alone",
        assemble=_alu_loop,
        boot=BootMode.STUB,
        signature=range(0xC000, 0xC100),
    ),
    MicroRom(
        name="MEM_RWB",
        profiles=(Profile.EXACT,),
        purpose="load, increment and store through all of work RAM; throughput of memory",
        assemble=_mem_rwb,
        boot=BootMode.STUB,
        signature=range(0xC000, 0xE000),
    ),
    MicroRom(
        name="JOY_DIVERGE_PERSIST",
        profiles=(Profile.EXACT,),
        purpose="the keys pick one of four loops and the choice stays; divergence between lanes",
        assemble=_joy_diverge_persist,
        boot=BootMode.STUB,
        signature=range(SIGNATURE, SIGNATURE + 1),
        selected=range(0x0158, 0x015B),
    ),
)
