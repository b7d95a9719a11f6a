"""The ROMs as a set: which there are, their manifest, their headers, and that nothing in them is anybody else's."""

from pathlib import Path

import pytest

from diorama.contracts.errors import StorageError, UnknownName
from diorama.worlds.gameboy.cartridge import parse_cartridge
from diorama.worlds.gameboy.disassembler import disassemble
from diorama.worlds.gameboy.isa.table import instructions
from diorama.worlds.gameboy.roms import manifest
from diorama.worlds.gameboy.roms.catalogue import MICRO_ROMS, TASK_ROMS, assemble, rom_names
from diorama.worlds.gameboy.roms.rom import Profile
from tests.worlds.gameboy.on_oracle import built

LISTED = {
    (Profile.EXACT,): (
        "ALU_LOOP MEM_RWB LOADS_BASIC ALU_FLAGS ALU16_SP CB_BITOPS FLOW_STACK OPCODE_SWEEP JOY_DIVERGE_PERSIST "
        "BG_STATIC BG_SCROLL_SIGNED LCD_TOGGLE"
    ),
    (Profile.SELFCHECK,): (
        "SERIAL_HELLO TIMA_RELOAD EI_DELAY HALT_BUG IRQ_PRIORITY JOY_IRQ MBC3_RTC PPU_STAT_IRQ LYC_ONOFF LOCKS"
    ),
    (Profile.EXACT, Profile.SELFCHECK): (
        "DIV_TIMER JOY_ECHO DMA_OAM_COPY MBC1_SWITCH MBC1_RAM MBC3_SWITCH MBC3_RAM MBC5_SWITCH MBC5_RAM"
    ),
    (Profile.SETTLED,): "TIMER_IRQ_HALT RASTER_SCX PPU_WINDOW WIN_LINE_COUNT PPU_SPRITES SPRITE_LIMIT VBLANK_COUNT",
    (Profile.EXACT, Profile.SETTLED): "BG_SCROLL_ANIM",
}


def test_every_rom_of_the_list_is_there_with_its_profiles() -> None:
    profiles = {name: set(rom.profiles) for name, rom in MICRO_ROMS.items()}

    assert profiles == {name: set(kinds) for kinds, names in LISTED.items() for name in names.split()}
    assert list(TASK_ROMS) == ["GRID_GOAL", "CATCH", "KEYDOOR"]


def test_the_manifest_is_what_the_sources_give() -> None:
    assert manifest.stored_manifest() == manifest.manifest_text(manifest.make_manifest())


@pytest.mark.parametrize("name", rom_names())
def test_every_rom_loads_and_carries_our_name(name: str) -> None:
    cartridge = parse_cartridge(built(name))

    assert cartridge.title == name[:11]
    assert cartridge.rom[0x104:0x134] == b"DIORAMA".ljust(48, b"\0")


def test_the_sweep_contains_every_legal_opcode() -> None:
    rom = built("OPCODE_SWEEP")
    listed = [line.instruction for line in disassemble(rom[0x150:0x3000].rstrip(b"\0") + b"\0\0", 0x150)]

    assert {row for row in listed if row is not None} == {row for row in instructions() if row.is_legal}
    assert None not in listed


def test_an_unknown_rom_is_refused_with_all_names() -> None:
    with pytest.raises(UnknownName, match=r"'TETRIS'.*ALU_LOOP.*KEYDOOR"):
        assemble("TETRIS")


def test_a_folder_gets_every_rom_and_the_manifest_last(tmp_path: Path) -> None:
    written = manifest.write_roms(tmp_path / "deep")

    assert {path.name for path in (tmp_path / "deep").iterdir()} == {path.name for path in written}
    assert written[-1].name == manifest.MANIFEST_NAME
    with pytest.raises(StorageError, match="cannot be written"):
        manifest.write_roms(written[0] / "below_a_file")
