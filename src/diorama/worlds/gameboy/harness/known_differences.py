"""Known differences of the pinned oracle, as data: what it does, and what the harness does about it.

A difference found anew is a bug of ours or a new row here, with a micro-ROM that pins our behavior.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from diorama.worlds.gameboy.roms.rom import Profile


class Handling(StrEnum):
    """How a verification against the oracle lives with a difference."""

    ROMS_AVOID_IT = "roms_avoid_it"  # the micro-ROMs are written so that it does not show
    KEYS_WAIT = "keys_wait"  # keys do not change while the ROM has selected and not yet read them
    NORMALIZED = "normalized"  # the adapter or the comparison hides it on every ROM
    SELFCHECK = "selfcheck"  # the ROMs that show it judge themselves; they are not compared with the oracle
    SETTLED = "settled"  # the ROMs that show it are compared by the profile `settled`
    LINES_LEFT_OUT = "lines_left_out"  # those lines of the pictures of the ROMs that show it are not compared
    ABSORBED = "absorbed"  # the rule where a frame ends makes both sides stop together


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownDifference:
    """One row. `roms` are the micro-ROMs on which it shows; `lines` of their pictures are left out."""

    number: int
    behavior: str
    handling: Handling
    roms: tuple[str, ...] = ()
    lines: range = range(0)


KNOWN_DIFFERENCES: Final[tuple[KnownDifference, ...]] = (
    KnownDifference(
        number=1,
        behavior="JOYP is computed at the select write; bits 5-4 read 0 when one group is selected; with both groups "
        "selected no key shows; it reads 0 before the first write",
        handling=Handling.KEYS_WAIT,
        roms=("JOY_DIVERGE_PERSIST",),
    ),
    KnownDifference(
        number=2,
        behavior="any key press raises the joypad request, whatever is selected",
        handling=Handling.NORMALIZED,
    ),
    KnownDifference(
        number=3,
        behavior="a serial transfer ends after 1024 T-cycles; SB always reads $FF; the capture records writes to SB",
        handling=Handling.SELFCHECK,
        roms=("SERIAL_HELLO",),
    ),
    KnownDifference(
        number=4,
        behavior="HALT with IME=0 and a request pending skips a byte instead of reading it twice; PC stays on HALT "
        "while halted",
        handling=Handling.SELFCHECK,
        roms=("HALT_BUG",),
    ),
    KnownDifference(
        number=5,
        behavior="line 153 of the first frame after LCD-on is 8 T-cycles longer, and later lines sit 4 T-cycles later",
        handling=Handling.ABSORBED,
    ),
    KnownDifference(
        number=6,
        behavior="LYC is compared at dot 0 instead of 4, so that its request can be swallowed by an HBlank source that "
        "is still high",
        handling=Handling.SELFCHECK,
        roms=("LYC_ONOFF", "PPU_STAT_IRQ"),
    ),
    KnownDifference(
        number=7,
        behavior="video RAM and OAM are locked for some opcodes only; writes get through while they should be locked",
        handling=Handling.SELFCHECK,
        roms=("LOCKS",),
    ),
    KnownDifference(
        number=8,
        behavior="a TIMA write in the overflow M-cycle does not cancel the request",
        handling=Handling.SELFCHECK,
        roms=("TIMA_RELOAD",),
    ),
    KnownDifference(
        number=9,
        behavior="the window is drawn although LCDC bit 0 is 0",
        handling=Handling.SELFCHECK,
    ),
    KnownDifference(
        number=10,
        behavior="the real-time clock follows the host's clock",
        handling=Handling.SELFCHECK,
        roms=("MBC3_RTC",),
    ),
    KnownDifference(
        number=11,
        behavior="$FEA0-$FEFF is storage; 2 KiB of RAM are 8 KiB; RAM exists without a RAM size code",
        handling=Handling.NORMALIZED,
    ),
    KnownDifference(
        number=12,
        behavior="interrupts taken out of HALT can differ by 4 to 8 T-cycles",
        handling=Handling.SETTLED,
    ),
    KnownDifference(
        number=13,
        behavior="access times within an instruction differ by opcode",
        handling=Handling.ROMS_AVOID_IT,
    ),
    KnownDifference(
        number=14,
        behavior="a read of IF does not see the request raised in its own M-cycle",
        handling=Handling.SELFCHECK,
        roms=("TIMA_RELOAD",),
    ),
    KnownDifference(
        number=15,
        behavior="a dispatch that is canceled by its own push leaves SP where it was",
        handling=Handling.SELFCHECK,
        roms=("IRQ_PRIORITY",),
    ),
    KnownDifference(
        number=16,
        behavior="selecting a group in which a key is already down raises no request",
        handling=Handling.SELFCHECK,
        roms=("JOY_IRQ",),
    ),
    KnownDifference(
        number=17,
        behavior="the OAM source of line 144 is not blocked by the HBlank source of line 143",
        handling=Handling.SELFCHECK,
        roms=("PPU_STAT_IRQ",),
    ),
    KnownDifference(
        number=18,
        behavior="an object behind the background lets an object that lost against it show through",
        handling=Handling.LINES_LEFT_OUT,
        roms=("PPU_SPRITES",),
        lines=range(44, 60),
    ),
)


def ignored_lines(rom_name: str) -> tuple[int, ...]:
    """Lines of the picture that are not compared with the oracle on this ROM."""
    return tuple(line for row in KNOWN_DIFFERENCES if rom_name in row.roms for line in row.lines)


def oracle_profile(rom_name: str, profiles: tuple[Profile, ...]) -> Profile | None:
    """Choose the strictest profile in which a ROM can be compared with the oracle, or None where it cannot."""
    if any(rom_name in row.roms and row.handling is Handling.SELFCHECK for row in KNOWN_DIFFERENCES):
        return None
    return next((profile for profile in (Profile.EXACT, Profile.SETTLED) if profile in profiles), None)
