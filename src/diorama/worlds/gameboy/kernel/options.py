"""What a kernel is built for; everything else is an argument when it runs."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from diorama.worlds.gameboy.cartridge import Cartridge, MbcKind
from diorama.worlds.gameboy.kernel import dialect

MBC_KINDS: Final = {
    MbcKind.ROM_ONLY: dialect.ROM_ONLY,
    MbcKind.MBC1: dialect.MBC1,
    MbcKind.MBC3: dialect.MBC3,
    MbcKind.MBC5: dialect.MBC5,
}
PICTURES: Final = {
    "none": dialect.NO_PICTURE,
    "shade_full": dialect.SHADE_FULL,
    "shade_half": dialect.SHADE_HALF,
    "packed2": dialect.PACKED2,
}
PICTURE_SHAPES: Final = {"none": (0, 0), "shade_full": (144, 160), "shade_half": (72, 80), "packed2": (72, 20)}


class Style(StrEnum):
    """How the bodies of instructions are put together."""

    GROUPED = "grouped"  # one body per group, told by the table what to do
    SPECIALISED = "specialised"  # one body per opcode, with the opcode's numbers folded in


class Layout(StrEnum):
    """How the memory of lanes lies."""

    ENV_MAJOR = "env_major"  # one lane after another
    TILE32 = "tile32"  # byte by byte, 32 lanes side by side


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """Part of the module's text, and so of its hash."""

    style: Style = Style.GROUPED
    layout: Layout = Layout.ENV_MAJOR
    mbc_kind: MbcKind = MbcKind.ROM_ONLY
    obs_format: str = "none"
    has_rtc: bool = False
    watch_count: int = 0
    stepped: bool = False
    flat: bool = False  # 64 KiB of plain memory for every lane and nothing else, for tests of single instructions
    max_instr: int = 0  # debug: stop a lane (trap 2) after so many instructions of a launch; 0 never
    break_at: int = -1  # debug: stop a lane (trap 3) before the instruction at this address
    break_on_write: int = -1  # debug: stop a lane (trap 3) after an instruction that writes to this address
    max_registers: int = 0  # of a thread on CUDA; 0 leaves it to the compiler

    def __post_init__(self) -> None:
        """Refuse a picture that nobody can draw."""
        if self.obs_format not in PICTURES:
            names = "none, shade_full, shade_half or packed2"
            raise ValueError(f"picture '{self.obs_format}' is unknown; use {names}")

    @property
    def numbers(self) -> dict[str, int]:
        """Values of the names that parts test."""
        return {
            "MBC_KIND": MBC_KINDS[self.mbc_kind],
            "OBS_FORMAT": PICTURES[self.obs_format],
            "TILED": int(self.layout is Layout.TILE32),
            "HAS_RTC": int(self.has_rtc),
            "STEPPED": int(self.stepped),
            "FLAT": int(self.flat),
            "MAX_INSTR": self.max_instr,
            "BREAK_AT": self.break_at,
            "BREAK_ON_WRITE": self.break_on_write,
            "WATCH_COUNT": self.watch_count,
            **{name: getattr(dialect, name) for name in ("ROM_ONLY", "MBC1", "MBC3", "MBC5")},
            **{name: getattr(dialect, name) for name in ("NO_PICTURE", "SHADE_FULL", "SHADE_HALF", "PACKED2")},
        }


def for_cartridge(options: BuildOptions, cartridge: Cartridge, *, picture: str, watch_count: int) -> BuildOptions:
    """Add what a cartridge and its observations need."""
    return replace(
        options,
        mbc_kind=cartridge.kind,
        has_rtc=cartridge.has_clock,
        obs_format=picture,
        watch_count=watch_count,
    )
