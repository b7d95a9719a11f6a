"""JOY_ECHO and JOY_IRQ: what the keys look like, and when they ask for attention."""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.roms.kit import judged_program, program, wait_cycles
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

DPAD_NIBBLE: Final = 0xC000
BUTTON_NIBBLE: Final = 0xC001
_DPAD_REQUESTS: Final = 0xC010
_BUTTON_REQUESTS: Final = 0xC011
_ENOUGH: Final = 3


def _joy_echo() -> bytes:
    a = program("JOY_ECHO")
    a(f"""
    start:
        ld hl,$FF00
    loop:
        ld (hl),$20
        ld a,$0F
        and (hl)         ; the upper bits, which emulators do not agree on, never reach A
        ld ({DPAD_NIBBLE}),a
        ld (hl),$10
        ld a,$0F
        and (hl)
        ld ({BUTTON_NIBBLE}),a
        jr loop
    """)
    return a.build()


def _joy_irq() -> bytes:
    """Run for ever until requests of both groups were seen; any key stream may drive it.

    Keys change between any two instructions, so that only statements that survive a change are checked.
    """
    a, checks = judged_program("JOY_IRQ")
    a("round:")
    _nothing_selected(a)
    a("ldh ($00),a")
    wait_cycles(a, 4000)
    checks.expect_register(0x0F, 0x10, 0)  # no line is selected, so no key can ask
    for select, counter in ((0x20, _DPAD_REQUESTS), (0x10, _BUTTON_REQUESTS)):
        name = f"group_{select:02x}"
        # A selected key that is down has pulled its line down since the request was cleared.
        _nothing_selected(a)
        a(f"ld a,{select}\nldh ($00),a\nldh a,($00)\nld b,a\nldh a,($0F)\nld c,a\nld a,b\nand $0F\ncp $0F")
        a(f"jr z,{name}_up\nld hl,{counter}\ninc (hl)\nld a,c")
        checks.expect_bits(0x10, 0x10)
        a("ld a,b")
        checks.expect_bits(0xF0, 0xC0 | select)
        # While no key of the selected group is down, keys of the other group do not ask.
        a(f"{name}_up: ld a,{select}\nldh ($00),a\nxor a\nldh ($0F),a\nldh a,($00)\nld b,a")
        wait_cycles(a, 20000)
        a(f"ldh a,($0F)\nld c,a\nldh a,($00)\nand b\nand $0F\ncp $0F\njr nz,{name}_end\nld a,c")
        checks.expect_bits(0x10, 0)
        a(f"{name}_end:")
    for counter in (_DPAD_REQUESTS, _BUTTON_REQUESTS):
        a(f"ld a,({counter})\ncp {_ENOUGH}\njp c,round")
    return checks.finish()


def _nothing_selected(a: Asm) -> None:
    a("ld a,$30\nldh ($00),a\nxor a\nldh ($0F),a\nld a,$30")


ROMS: Final = (
    MicroRom(
        name="JOY_ECHO",
        profiles=(Profile.EXACT, Profile.SELFCHECK),
        purpose="writes the D-pad and the button nibble (0 = pressed) to $C000 and $C001 over and over",
        assemble=_joy_echo,
        boot=BootMode.STUB,
        signature=range(DPAD_NIBBLE, BUTTON_NIBBLE + 1),
    ),
    MicroRom(
        name="JOY_IRQ",
        profiles=(Profile.SELFCHECK,),
        purpose="joypad requests come from selected lines only; ends once both groups were pressed",
        assemble=_joy_irq,
        boot=BootMode.STUB,
        script=(4, 1, 5, 2, 7, 3, 6, 0),
    ),
)
