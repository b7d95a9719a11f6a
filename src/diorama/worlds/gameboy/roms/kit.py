"""What micro-ROMs share: running signatures, and numbered checks that end in a verdict."""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.assembler.header import TITLE
from diorama.worlds.gameboy.assembler.library import FAILED_CHECK, LAST_VALUE, RESULT, include

SIGNATURE: Final = 0xC010  # two bytes, mixed anew by every fold
PASSES: Final = 0xC012  # how often the program has run through, modulo 256
SCRATCH: Final = 0xC100  # memory that instructions under test may use


def program(name: str, *, cart_type: int = 0, rom_banks: int = 2, ram_code: int = 0) -> Asm:
    """Begin a program that is titled with the first letters of its name."""
    return Asm(name[: len(TITLE)], cart_type=cart_type, rom_banks=rom_banks, ram_code=ram_code)


def add_fold(a: Asm) -> None:
    """Place `fold`: mix A and F into the signature. A and F are lost, nothing else."""
    a(f"""
    fold:
        push bc
        push hl
        push af
        pop bc
        ld hl,{SIGNATURE}
        ld a,(hl)
        rlca
        xor b
        add a,c
        ld (hl+),a
        adc a,(hl)
        rrca
        xor b
        ld (hl),a
        pop hl
        pop bc
        ret
    """)


def repeat(a: Asm) -> None:
    """End a program that runs for ever: count the pass and begin again at `again`."""
    a(f"""
        ld hl,{PASSES}
        inc (hl)
        jp again
    """)


class Checks:
    """Numbered checks of a program that judges itself; a failed one ends it with its number."""

    def __init__(self, a: Asm) -> None:
        """Begin with check 1."""
        self._a = a
        self.count = 0

    def clear(self) -> None:
        """Emit code that forgets an earlier verdict."""
        self._a(f"""
            xor a
            ld ({RESULT}),a
            ld ({FAILED_CHECK}),a
        """)

    def expect(self, value: int) -> None:
        """Emit code that compares A with a number; A and F are lost."""
        self.count += 1
        self._a(f"""
            ld ({LAST_VALUE}),a
            cp {value}
            ld a,{self.count}
            jp nz,fail
        """)

    def expect_at(self, address: int, value: int) -> None:
        """Emit code that compares a byte of memory with a number; A and F are lost."""
        self._a(f"ld a,({address})")
        self.expect(value)

    def expect_bits(self, mask: int, value: int) -> None:
        """Emit code that compares some bits of A with a number."""
        self._a(f"and {mask}")
        self.expect(value)

    def expect_register(self, register: int, mask: int, value: int) -> None:
        """Emit code that compares some bits of a register at $FF00 and above with a number."""
        self._a(f"ldh a,({register})")
        self.expect_bits(mask, value)

    def finish(self, *routines: str) -> bytes:
        """Emit the verdict and the library, and build the image."""
        self._a("jp pass")
        include(self._a, "serial_puts", "verdict", *routines)
        return self._a.build()


def judged_program(name: str, *, cart_type: int = 0, rom_banks: int = 2, ram_code: int = 0) -> tuple[Asm, Checks]:
    """Begin a program that judges itself: at `start`, with no verdict yet."""
    a = program(name, cart_type=cart_type, rom_banks=rom_banks, ram_code=ram_code)
    a("start:")
    checks = Checks(a)
    checks.clear()
    return a, checks


def wait_cycles(a: Asm, m_cycles: int) -> None:
    """Emit code that takes exactly this many M-cycles; A and F are lost where it is a loop."""
    while m_cycles > 16:
        turns = min((m_cycles - 1) // 4, 255)
        loop = f".wait_{a.here:04x}"
        a(f"ld a,{turns}\n{loop}: dec a\njr nz,{loop}")
        m_cycles -= 1 + 4 * turns  # 2 for the load, 4 a turn, and the last jump is one shorter
    for _ in range(m_cycles):
        a("nop")
