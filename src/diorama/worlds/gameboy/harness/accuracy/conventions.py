"""How test ROMs tell their results: registers, serial text, a signature in cartridge RAM, text or colors on screen."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from diorama.worlds.gameboy.lanes import Lanes

_FIBONACCI: Final = (3, 5, 8, 13, 21, 34)
_FAILED_REGISTERS: Final = (0x42,) * 6
_SIGNATURE: Final = b"\xde\xb0\x61"
_RUNNING: Final = 0x80
_MAPS: Final = (0x9800, 0x9C00)
_MAP_BYTES: Final = 0x400
_MAP_WIDTH: Final = 32
_SHOWN_COLUMNS: Final = 20
_PASSED: Final = re.compile(r"pass(?:ed)?\b", re.IGNORECASE)
_FAILED: Final = re.compile(r"fail(?:ed)?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """What a ROM has told: whether it passed, by which convention, and in which words."""

    passed: bool
    by: str
    words: str = ""


Reader = Callable[[Lanes], Sign | None]


def read_registers(lanes: Lanes) -> Sign | None:
    """Mooneye: B, C, D, E, H and L hold the Fibonacci numbers, or all of them $42."""
    values = tuple(int(lanes.field(name)[0]) for name in ("b", "c", "d", "e", "h", "l"))
    if values == _FIBONACCI:
        return Sign(passed=True, by="registers")
    return Sign(passed=False, by="registers", words="all registers are $42") if values == _FAILED_REGISTERS else None


def read_serial_text(lanes: Lanes) -> Sign | None:
    """Blargg: text on the serial port that says how it went."""
    return _judge_text(lanes.read_serial(0).decode("latin-1"), "serial")


def read_signature(lanes: Lanes) -> Sign | None:
    """Blargg's later suites: a signature at $A001, the result at $A000, text from $A004 on."""
    ram = lanes.cram(0).tobytes()
    if ram[1:4] != _SIGNATURE or ram[0] == _RUNNING:
        return None
    text = ram[4:].partition(b"\0")[0].decode("latin-1")
    return Sign(passed=ram[0] == 0, by="$A000", words=_squeezed(text) or f"result ${ram[0]:02X}")


def read_tile_map(lanes: Lanes) -> Sign | None:
    """Text whose tile numbers are ASCII codes."""
    return _judge_text(map_text(lanes, _MAPS[0]), "tile map")


def read_microtest(lanes: Lanes) -> Sign | None:
    """GBMicrotest: $FF82 is $01 or $FF; $FF80 is what was found, $FF81 what was expected."""
    found, expected, result = lanes.read_memory(0, 0xFF80, 0xFF83)
    if result not in (0x01, 0xFF):
        return None
    return Sign(passed=result == 0x01, by="$FF82", words="" if result == 1 else f"${found:02X}, not ${expected:02X}")


def read_rtc_colors(lanes: Lanes) -> Sign | None:
    """rtc3test: results in green or red tiles of the second map, and `* Return` in its last line once all are there."""
    tiles = lanes.read_memory(0, _MAPS[1], _MAPS[1] + _MAP_BYTES)
    if tiles[17 * _MAP_WIDTH + 6] != 0xC1:
        return None
    shown = [tile for start in range(0, _MAP_BYTES, _MAP_WIDTH) for tile in tiles[start : start + _SHOWN_COLUMNS]]
    green, red = (sum(low <= tile < low + 0x40 for tile in shown) for low in (0x40, 0x80))
    return Sign(passed=green > 0 and red == 0, by="colors", words=f"{green} green and {red} red cells")


def map_text(lanes: Lanes, start: int) -> str:
    """Read a tile map as ASCII, line by line."""
    tiles = lanes.read_memory(0, start, start + _MAP_BYTES)
    rows = (tiles[row : row + _SHOWN_COLUMNS] for row in range(0, _MAP_BYTES, _MAP_WIDTH))
    return "\n".join("".join(chr(tile) if 0x20 <= tile < 0x7F else " " for tile in row) for row in rows)


def _judge_text(text: str, by: str) -> Sign | None:
    if _FAILED.search(text):
        return Sign(passed=False, by=by, words=_squeezed(text))
    return Sign(passed=True, by=by, words=_squeezed(text)) if _PASSED.search(text) else None


def _squeezed(text: str) -> str:
    return " ".join(text.split())[-100:]
