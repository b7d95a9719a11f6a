"""What can be seen inside of a console between two frames."""

from collections.abc import Iterator, Mapping
from typing import Final

from diorama.contracts.consoles import ConsoleInspection, ConsoleLine, ConsoleObject, ConsoleRegister, ConsoleSheet
from diorama.worlds.gameboy.canonical import OAM_OFFSET, VRAM_OFFSET
from diorama.worlds.gameboy.console.packing import pack_shades, tile_sheet
from diorama.worlds.gameboy.disassembler import Decoded, disassemble_one
from diorama.worlds.gameboy.lanes import Lanes

_TILE_MEMORY_BYTES: Final = 0x1800
_OBJECTS: Final = 40
_OBJECT_BYTES: Final = 4
_LINES_BEFORE: Final = 4
_LINES_AFTER: Final = 12
_LONGEST: Final = 3  # bytes of an instruction
_WIDTH: Final = 160
_HEIGHT: Final = 144
_TALL_OBJECTS: Final = 0x04  # of LCDC
_FLAGS: Final = ((0x80, "Z"), (0x40, "N"), (0x20, "H"), (0x10, "C"))
_INTERRUPTS: Final = ("VBlank", "STAT", "timer", "serial", "joypad")
_LCDC: Final = ("background", "objects", "8x16 objects", "map 9C00", "tiles 8000", "window", "window map 9C00", "on")


def inspect_lane(lanes: Lanes, fields: Mapping[str, int]) -> ConsoleInspection:
    """Look into the first lane, whose canonical fields are given."""
    ram = lanes.ram(0).tobytes()
    sheet = tile_sheet(ram[VRAM_OFFSET : VRAM_OFFSET + _TILE_MEMORY_BYTES])
    oam = ram[OAM_OFFSET : OAM_OFFSET + _OBJECTS * _OBJECT_BYTES]
    return ConsoleInspection(
        registers=tuple(_registers(fields)),
        lines=tuple(_lines(lanes.read_memory(0, 0, 0x10000), fields["pc"])),
        tiles=ConsoleSheet(rows=sheet.shape[0], columns=sheet.shape[1], packed=pack_shades(sheet).tobytes()),
        objects=tuple(_objects(oam, height=16 if fields["lcdc"] & _TALL_OBJECTS else 8)),
        serial_text=_text(lanes.read_serial(0)),
    )


def _registers(fields: Mapping[str, int]) -> Iterator[ConsoleRegister]:
    for high, low in ("af", "bc", "de", "hl"):
        value = fields[high] << 8 | fields[low]
        yield _register("CPU", f"{high}{low}".upper(), value, 4, _flags(fields["f"]) if low == "f" else "")
    yield _register("CPU", "SP", fields["sp"], 4)
    yield _register("CPU", "PC", fields["pc"], 4, "halted" if fields["halted"] else "")
    yield _register("Interrupts", "IME", fields["ime"], 1, "taken" if fields["ime"] else "held back")
    for name, field in (("IE", "ie"), ("IF", "iflag")):
        yield _register("Interrupts", name, fields[field], 2, _bits(fields[field], _INTERRUPTS))
    yield _register("Picture", "LCDC", fields["lcdc"], 2, _bits(fields["lcdc"], _LCDC))
    yield _register("Picture", "LY", fields["line"], 2, f"line {fields['line']}")
    for name in ("lyc", "scx", "scy", "wx", "wy"):
        yield _register("Picture", name.upper(), fields[name], 2, str(fields[name]))
    for name in ("bgp", "obp0", "obp1"):
        yield _register("Picture", name.upper(), fields[name], 2, _palette(fields[name]))
    yield _register("Timer", "DIV", fields["div16"] >> 8, 2)
    for name in ("tima", "tma", "tac"):
        yield _register("Timer", name.upper(), fields[name], 2)
    yield _register("Cartridge", "BANK1", fields["bank1"], 3, "ROM bank")
    yield _register("Cartridge", "BANK2", fields["bank2"], 2, "RAM bank")
    yield _register("Cartridge", "RAMG", fields["ram_enable"], 1, "RAM open" if fields["ram_enable"] else "RAM closed")


def _register(group: str, name: str, value: int, digits: int, meaning: str = "") -> ConsoleRegister:
    return ConsoleRegister(group=group, name=name, value=value, digits=digits, meaning=meaning)


def _flags(value: int) -> str:
    return " ".join(name if value & bit else "-" for bit, name in _FLAGS)


def _bits(value: int, names: tuple[str, ...]) -> str:
    return ", ".join(name for place, name in enumerate(names) if value >> place & 1) or "none"


def _palette(value: int) -> str:
    return "shades " + " ".join(str(value >> place & 3) for place in (0, 2, 4, 6))


def _lines(memory: bytes, pc: int) -> Iterator[ConsoleLine]:
    for decoded in _before(memory, pc):
        yield _line(decoded, is_next=False)
    address = pc
    for place in range(_LINES_AFTER):
        if address >= len(memory):
            return
        decoded = disassemble_one(memory[address : address + _LONGEST], address)
        yield _line(decoded, is_next=place == 0)
        address += len(decoded.data)


def _before(memory: bytes, pc: int) -> list[Decoded]:
    """Return the instructions that lead to an address: bytes can be read in several ways, the longest good one wins."""
    for start in range(max(0, pc - _LINES_BEFORE * _LONGEST), pc):
        found, address = [], start
        while address < pc:
            found.append(disassemble_one(memory[address : address + _LONGEST], address))
            address += len(found[-1].data)
        if address == pc and all(decoded.instruction is not None for decoded in found):
            return found[-_LINES_BEFORE:]
    return []


def _line(decoded: Decoded, *, is_next: bool) -> ConsoleLine:
    return ConsoleLine(address=decoded.address, data=decoded.data, text=decoded.text, is_next=is_next)


def _objects(oam: bytes, *, height: int) -> Iterator[ConsoleObject]:
    for index in range(_OBJECTS):
        top, left, tile, attributes = oam[index * _OBJECT_BYTES : (index + 1) * _OBJECT_BYTES]
        x, y = left - 8, top - 16
        is_on_screen = -8 < x < _WIDTH and -height < y < _HEIGHT
        yield ConsoleObject(index=index, x=x, y=y, tile=tile, attributes=attributes, is_on_screen=is_on_screen)


def _text(data: bytes) -> str:
    letters = data.decode("ascii", "replace")
    return "".join(letter if letter.isprintable() or letter == "\n" else "·" for letter in letters)
