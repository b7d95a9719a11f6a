"""EI_DELAY, HALT_BUG and IRQ_PRIORITY: when interrupts come, from where they return, and in which order.

The handlers of the first two do not return: they note B and the return address, and go on where the check says.
"""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.roms.kit import Checks, judged_program, program
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_SEEN_B: Final = 0xC030
_SEEN_RETURN: Final = 0xC031  # low byte, then high
_GO_ON_AT: Final = 0xC040
_ORDER: Final = 0xC050
_TIMER: Final = 4
_NOT_TAKEN: Final = 0x77


def _add_handler(a: Asm) -> None:
    a.vector(0x50, "handler")
    a(f"""
    handler:
        ld a,b
        ld ({_SEEN_B}),a
        pop hl
        ld a,l
        ld ({_SEEN_RETURN}),a
        ld a,h
        ld ({_SEEN_RETURN + 1}),a
        ld a,({_GO_ON_AT})
        ld l,a
        ld a,({_GO_ON_AT + 1})
        ld h,a
        jp hl
    """)


def _arm(a: Asm, go_on: str, *, request: int = _TIMER) -> None:
    """Prepare a check: nothing seen, B 0, the timer interrupt enabled and (unless told otherwise) requested."""
    a(f"""
        di
        ld a,{_NOT_TAKEN}
        ld ({_SEEN_B}),a
        ld a,lo({go_on})
        ld ({_GO_ON_AT}),a
        ld a,hi({go_on})
        ld ({_GO_ON_AT + 1}),a
        ld a,{_TIMER}
        ldh ($FF),a
        ld a,{request}
        ldh ($0F),a
        ld b,0
    """)


def _expect_taken(a: Asm, checks: Checks, *, b: int, returns_to: str) -> None:
    checks.expect_at(_SEEN_B, b)
    for offset, half in enumerate(("lo", "hi")):
        a(f"ld a,({_SEEN_RETURN + offset})\nsub {half}({returns_to})")
        checks.expect(0)


def _check_halt_after_ei(a: Asm, checks: Checks) -> None:
    """With a request pending the handler returns to the HALT itself."""
    _arm(a, "after_ei_halt")
    a("ei\nat_halt: halt\ninc b\nafter_ei_halt:")
    _expect_taken(a, checks, b=0, returns_to="at_halt")


def _ei_delay() -> bytes:
    a, checks = judged_program("EI_DELAY")

    _arm(a, "after_ei")
    a("ei\ninc b\none_later: inc b\ninc b\nafter_ei:")
    _expect_taken(a, checks, b=1, returns_to="one_later")

    _arm(a, "after_ei_di")
    a("ei\ndi\ninc b\ninc b\nafter_ei_di:")
    checks.expect_at(_SEEN_B, _NOT_TAKEN)

    _arm(a, "after_ei_ei")
    a("ei\nei\nsecond_ei: inc b\ninc b\nafter_ei_ei:")
    _expect_taken(a, checks, b=0, returns_to="second_ei")

    _check_halt_after_ei(a, checks)

    _arm(a, "after_reti")
    a("ld hl,reti_target\npush hl\nreti\nreti_target: inc b\ninc b\nafter_reti:")
    _expect_taken(a, checks, b=0, returns_to="reti_target")

    a("di\nxor a\nldh ($FF),a")
    a("jp pass")
    _add_handler(a)
    return checks.finish()


def _start_timer(a: Asm) -> None:
    """Let the timer overflow some hundred T-cycles from now."""
    a("xor a\nldh ($04),a\nldh ($06),a\nld a,$E0\nldh ($05),a\nld a,5\nldh ($07),a")


def _halt_bug() -> bytes:
    a, checks = judged_program("HALT_BUG")

    _arm(a, "never")
    a("halt\ninc b\nld a,b")
    checks.expect(2)  # IME off, request pending: the byte after HALT is read twice

    _arm(a, "never")
    a("halt\nld a,4\nld c,a\nld a,b")  # reads 3E 3E 04: `ld a,$3E`, `inc b`
    checks.expect(1)
    a("ld a,c")
    checks.expect(0x3E)

    for request in (0, 1):  # IME off, nothing that is enabled is pending: sleeps, wakes, no byte twice
        _arm(a, "never", request=request)
        _start_timer(a)
        a("halt\ninc b\nld a,b")
        checks.expect(1)
        checks.expect_register(0x0F, _TIMER, _TIMER)  # and the request stays
        checks.expect_at(_SEEN_B, _NOT_TAKEN)

    _arm(a, "after_sleep", request=0)
    _start_timer(a)
    a("ei\nnop\nhalt\nwoken: inc b\ninc b\nafter_sleep:")
    _expect_taken(a, checks, b=0, returns_to="woken")
    checks.expect_register(0x0F, _TIMER, 0)

    _check_halt_after_ei(a, checks)

    a("di\nxor a\nldh ($FF),a\nldh ($07),a")
    a("jp pass")
    a("never: ld a,$FF\njp fail")
    _add_handler(a)
    return checks.finish()


def _irq_priority() -> bytes:
    a = program("IRQ_PRIORITY")
    for bit in range(5):
        a.vector(0x40 + 8 * bit, f"handler_{bit}")
    a.vector(0x00, "cancelled")
    a(f"""
    start:
        ld sp,$FFFE
        ld de,{_ORDER}
    """)
    checks = Checks(a)
    checks.clear()
    a("ld a,$1F\nldh ($FF),a\nldh ($0F),a\nei\nnop\nnop\ndi")
    for bit in range(5):
        checks.expect_at(_ORDER + bit, 0x10 + bit)
    a(f"ld a,e\nsub lo({_ORDER})")
    checks.expect(5)
    checks.expect_register(0x0F, 0x1F, 0)
    a("jp cancel_test")

    # The push of the return address at $0A01 puts $0A into IE, which leaves nothing to dispatch.
    a.label("cancelled")
    a(f"ld ({_GO_ON_AT}),sp\nld sp,$FFFE")
    checks.expect_at(_GO_ON_AT, 0xFE)
    checks.expect_at(_GO_ON_AT + 1, 0xFF)
    a("ldh a,($FF)")
    checks.expect(0x0A)
    checks.expect_register(0x0F, 0x1F, _TIMER)
    a("jp reroute_test")

    # The push of $0802 puts $08 into IE, which turns the timer's interrupt into the serial port's.
    a.label("rerouted")
    a("ld sp,$FFFE\nldh a,($0F)")
    checks.expect_bits(0x1F, _TIMER)
    checks.expect_at(_ORDER + 5, 0x13)
    a("xor a\nldh ($FF),a")
    a("jp pass")

    for bit in range(5):
        a(f"handler_{bit}: ld a,{0x10 + bit}\nld (de),a\ninc e\nreti")
    a.org(0x0800)
    a(f"""
    reroute_test:
        di
        ld sp,$0000
        ld a,{_TIMER}
        ldh ($FF),a
        ld a,{_TIMER + 8}
        ldh ($0F),a
        ei
        nop
        jp rerouted
    """)
    a.org(0x0A00)
    a(f"""
    cancel_test:
        di
        ld sp,$0000
        ld a,{_TIMER}
        ldh ($FF),a
        ldh ($0F),a
        ei
        nop
        ld a,$FE
        jp fail
    """)
    a.org(0x0C00)
    return checks.finish()


ROMS: Final = (
    MicroRom(
        name="EI_DELAY",
        profiles=(Profile.SELFCHECK,),
        purpose="one instruction after EI; EI DI; EI EI; return address of EI HALT; RETI at once",
        assemble=_ei_delay,
        boot=BootMode.STUB,
    ),
    MicroRom(
        name="HALT_BUG",
        profiles=(Profile.SELFCHECK,),
        purpose="HALT under all combinations of IE, IF and IME; the byte after it read twice",
        assemble=_halt_bug,
        boot=BootMode.STUB,
    ),
    MicroRom(
        name="IRQ_PRIORITY",
        profiles=(Profile.SELFCHECK,),
        purpose="five requests at once in order; a push onto IE cancels or reroutes the dispatch",
        assemble=_irq_priority,
        boot=BootMode.STUB,
    ),
)
