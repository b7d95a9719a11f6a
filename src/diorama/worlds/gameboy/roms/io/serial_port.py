"""SERIAL_HELLO: the port sends, takes its time, and reports the end."""

from typing import Final

from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.roms.kit import judged_program, wait_cycles
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_TRANSFER_DIV_TICKS: Final = 16  # eight shifts of 512 T-cycles, counted from a reset divider


def _assemble() -> bytes:
    a, checks = judged_program("SERIAL_HELLO")
    for letter in b"OK":
        a(f"""
            xor a
            ldh ($0F),a
            ld a,{letter}
            ldh ($01),a
            ld a,$81
            ldh ($04),a      ; any value resets the divider
            ldh ($02),a
            ldh a,($02)
        """)
        checks.expect(0xFF)  # busy: bits 7 and 0, and the bits that are not there
        checks.expect_register(0x0F, 0x08, 0)
        a(f"busy_{letter}: ldh a,($02)\nrlca\njr c,busy_{letter}\nldh a,($04)")
        checks.expect(_TRANSFER_DIV_TICKS)
        a("ldh a,($02)")
        checks.expect(0x7F)
        checks.expect_register(0x0F, 0x08, 0x08)
        a("ldh a,($01)")
        checks.expect(0xFF)  # nobody answers
    a("ld a,$80\nldh ($02),a")
    wait_cycles(a, 3000)
    a("ldh a,($02)")
    checks.expect(0xFE)  # the external clock never comes
    a("xor a\nldh ($02),a")
    return checks.finish()


ROMS: Final = (
    MicroRom(
        name="SERIAL_HELLO",
        profiles=(Profile.SELFCHECK,),
        purpose="prints OK; SC bit 7, IF bit 3, duration in DIV ticks, external clock",
        assemble=_assemble,
        boot=BootMode.STUB,
    ),
)
