"""Which suite a ROM belongs to by its path, and which ROMs are not for this console."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath
from typing import Final

from diorama.worlds.gameboy.codec import get_action_codec

_NAMES: Final = get_action_codec().action_names
_A: Final = _NAMES.index("A")
_DOWN: Final = _NAMES.index("DOWN")


class Suite(StrEnum):
    """A family of test ROMs with one way to tell results."""

    BLARGG = "blargg"
    MOONEYE = "mooneye"
    ACID2 = "dmg-acid2"
    RTC3TEST = "rtc3test"
    GBMICROTEST = "gbmicrotest"
    HOMEBREW = "homebrew"
    OTHER = "other"


GATES: Final[dict[Suite, str]] = {
    Suite.BLARGG: "G2",
    Suite.MOONEYE: "G3",
    Suite.ACID2: "G4",
    Suite.RTC3TEST: "G5",
    Suite.HOMEBREW: "G6",
    Suite.GBMICROTEST: "stretch",
    Suite.OTHER: "-",
}

_FOLDERS: Final[dict[str, Suite]] = {
    "blargg": Suite.BLARGG,
    "cpu_instrs": Suite.BLARGG,
    "instr_timing": Suite.BLARGG,
    "mem_timing": Suite.BLARGG,
    "halt_bug": Suite.BLARGG,
    "mooneye": Suite.MOONEYE,
    "mts": Suite.MOONEYE,
    "acceptance": Suite.MOONEYE,
    "emulator-only": Suite.MOONEYE,
    "dmg-acid2": Suite.ACID2,
    "rtc3test": Suite.RTC3TEST,
    "gbmicrotest": Suite.GBMICROTEST,
    "homebrew": Suite.HOMEBREW,
}

_OTHER_MODELS: Final = frozenset(
    (
        *("boot_div-S", "boot_div-dmg0", "boot_div2-S", "boot_hwio-S", "boot_hwio-dmg0"),
        *("boot_regs-dmg0", "boot_regs-mgb", "boot_regs-sgb", "boot_regs-sgb2"),
    )
)
_NOT_ATTEMPTED: Final[dict[str, str]] = {
    "oam_bug": "the OAM corruption bug is not emulated",
    "interrupt_time": "made for color consoles",
    "mealybug": "effects within a line are not emulated",
    "dmg_sound": "sound is not emulated",
    "cgb_sound": "sound is not emulated",
    "same-suite": "sound and color are not emulated",
    "manual-only": "judged by eye",
    "madness": "judged by eye",
    "misc": "made for other models",
    "multicart": "multicarts are not recognized",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of a ROM that is chosen by keys after its start."""

    name: str = ""
    keys: tuple[int, ...] = ()


WHOLE: Final = (Section(),)
_RTC_SECTIONS: Final = (Section(name="basic", keys=(_A,)), Section(name="range", keys=(_DOWN, _A)))


def suite_of(path: PurePath) -> Suite:
    """Tell the suite from the names of a ROM and its folders, the innermost first."""
    for part in (path.stem, *reversed(path.parts[:-1])):
        found = next((suite for name, suite in _FOLDERS.items() if part.lower().startswith(name)), None)
        if found is not None:
            return found
    return Suite.OTHER


def sections_of(suite: Suite) -> tuple[Section, ...]:
    """Parts in which a ROM of the suite is run."""
    return _RTC_SECTIONS if suite is Suite.RTC3TEST else WHOLE


def reason_to_skip(path: PurePath) -> str | None:
    """Say why a ROM is not run, or None where it is."""
    if path.stem in _OTHER_MODELS:
        return "made for another model"
    names = [path.stem.lower(), *(part.lower() for part in path.parts[:-1])]
    return next(
        (reason for known, reason in _NOT_ATTEMPTED.items() if any(name.startswith(known) for name in names)), None
    )
