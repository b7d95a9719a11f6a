"""Micro-ROMs on the oracle: they do their work, and judge as expected where the oracle agrees with us."""

import numpy as np
import pytest

from diorama.worlds.gameboy.assembler.library import FAILED, PASSED, RESULT
from diorama.worlds.gameboy.codec import get_action_codec
from diorama.worlds.gameboy.oracle import Oracle
from diorama.worlds.gameboy.roms.catalogue import MICRO_ROMS
from diorama.worlds.gameboy.roms.ppu.scenery import map_bytes, tile_bytes
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile
from tests.worlds.gameboy.on_oracle import built, needs_oracle, running

pytestmark = needs_oracle

COMPARED = [rom for rom in MICRO_ROMS.values() if {Profile.EXACT, Profile.SETTLED} & set(rom.profiles)]
JUDGES = [rom for rom in MICRO_ROMS.values() if Profile.SELFCHECK in rom.profiles and rom.name != "JOY_ECHO"]
STATIC = {rom.name for rom in JUDGES} | {"JOY_ECHO", "BG_STATIC", "BG_SCROLL_SIGNED"}

# The check at which the oracle departs from us, and how; every other ROM passes on it.
KNOWN_DIFFERENCES = {
    "SERIAL_HELLO": (0x03, "a transfer ends after 1024 T-cycles"),
    "TIMA_RELOAD": (0x08, "an IF read does not see the request of its own M-cycle"),
    "HALT_BUG": (0x01, "the byte after HALT is skipped, not read twice"),
    "IRQ_PRIORITY": (0x08, "a cancelled dispatch leaves SP where it was"),
    "JOY_IRQ": (0x02, "selecting a key that is down does not ask"),
    "MBC3_RTC": (0x01, "the clock follows the host"),
    "PPU_STAT_IRQ": (0x09, "OAM of line 144 is not blocked by HBlank of line 143"),
    "LOCKS": (0x0A, "writes get through while video RAM is locked"),
}


def run(rom: MicroRom, frames: int) -> tuple[list[bytes], Oracle]:
    """Run with random keys; give the signatures seen frame by frame."""
    keys = np.random.default_rng([1234, len(rom.name)])
    signatures = []
    with running(built(rom.name), boot=rom.boot) as oracle:
        for _ in range(frames):
            oracle.step(int(keys.integers(0, get_action_codec().num_actions)))
            signatures.append(oracle.read_memory(rom.signature.start, rom.signature.stop))
    return signatures, oracle


@pytest.mark.parametrize("rom", COMPARED, ids=lambda rom: rom.name)
def test_every_compared_rom_leaves_a_signature(rom: MicroRom) -> None:
    signatures, _ = run(rom, 100)

    assert any(signatures[-1])
    if rom.name not in STATIC:
        assert len(set(signatures)) > 5


@pytest.mark.parametrize("rom", JUDGES, ids=lambda rom: rom.name)
def test_the_oracle_passes_but_for_its_known_differences(rom: MicroRom) -> None:
    with running(built(rom.name), boot=rom.boot) as oracle:
        for action in rom.script:
            for _ in range(12):
                oracle.step(action)
        for _ in range(400):
            oracle.tick(draw=False)
            if oracle.read_memory(RESULT, RESULT + 1)[0]:
                break
        for _ in range(5):
            oracle.tick(draw=False)  # the verdict is still being sent
        result, check = oracle.read_memory(RESULT, RESULT + 2)

    if rom.name in KNOWN_DIFFERENCES:
        assert (result, check) == (FAILED, KNOWN_DIFFERENCES[rom.name][0])
        assert oracle.serial.endswith(f"FAIL {check:02X}".encode())
    else:
        assert (result, check) == (PASSED, 0)
        assert oracle.serial == b"PASS"


def drawn(tiles: bytes, numbers: bytes, *, scx: int, scy: int, palette: int) -> np.ndarray:
    """Draw a background by the rules, one pixel at a time."""
    picture = np.zeros((144, 160), dtype=np.uint8)
    for row in range(144):
        for column in range(160):
            x, y = (column + scx) & 255, (row + scy) & 255
            place = 16 * numbers[32 * (y >> 3) + (x >> 3)] + 2 * (y & 7)
            low, high = (tiles[place + half] >> (7 - (x & 7)) & 1 for half in (0, 1))
            picture[row, column] = palette >> 2 * (2 * high + low) & 3
    return picture


@pytest.mark.parametrize(
    ("name", "step", "scx", "scy"),
    [pytest.param("BG_STATIC", 3, 0, 0, id="static"), pytest.param("BG_SCROLL_SIGNED", 7, 0xC3, 0xEE, id="scrolled")],
)
def test_backgrounds_come_out_as_drawn(name: str, step: int, scx: int, scy: int) -> None:
    rom = MICRO_ROMS[name]
    expected = drawn(tile_bytes(), map_bytes(step), scx=scx, scy=scy, palette=0xE4)

    with running(built(name), boot=rom.boot, frames=10) as oracle:
        assert np.array_equal(oracle.shades(), expected)


def test_bands_of_the_raster_are_scrolled_apart() -> None:
    """Each handler runs before its line is drawn, so that lines 16 to 31 are the first that were moved."""
    with running(built("RASTER_SCX"), boot=MICRO_ROMS["RASTER_SCX"].boot, frames=40) as oracle:
        picture = oracle.shades()
        shift = oracle.read_memory(0xC000, 0xC001)[0] - 1  # VBlank has already counted on
    palettes = [0x1B] + [(0xE4 << 2 * (turn % 4) | 0xE4 >> 8 - 2 * (turn % 4)) & 0xFF for turn in range(8)]
    scrolls = [0] + [shift + 13 * turn for turn in range(8)]
    bands = [
        drawn(tile_bytes(), map_bytes(3), scx=scx, scy=0, palette=palette)[16 * band : 16 * band + 16]
        for band, (scx, palette) in enumerate(zip(scrolls, palettes, strict=True))
    ]
    assert np.array_equal(picture, np.concatenate(bands))


def test_sixty_vblanks_leave_their_mark() -> None:
    with running(built("VBLANK_COUNT"), boot=MICRO_ROMS["VBLANK_COUNT"].boot, frames=55) as oracle:
        early = oracle.read_memory(0xC000, 0xC001)[0]
        for _ in range(10):
            oracle.tick(draw=False)

        assert (early, oracle.read_memory(0xC000, 0xC001)[0]) == (0, 0xA1)
