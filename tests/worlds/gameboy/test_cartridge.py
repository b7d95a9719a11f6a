"""Loading cartridges: sizes, header, mappers, and clear refusals."""

from pathlib import Path

import pytest

from diorama.native import load_native
from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.assembler.header import CGB_FLAG, HEADER_CHECKSUM, RAM_SIZE, header_checksum
from diorama.worlds.gameboy.cartridge import MbcKind, load_cartridge, parse_cartridge
from diorama.worlds.gameboy.errors import CartridgeError, UnsupportedCartridge


def image(cart_type: int = 0, *, rom_banks: int = 2, ram_code: int = 0, **bytes_at: int) -> bytearray:
    a = Asm("CART", cart_type=cart_type, rom_banks=rom_banks, ram_code=ram_code)
    a("start: nop")
    rom = bytearray(a.build())
    for place, value in bytes_at.items():
        rom[{"cgb": CGB_FLAG, "ram": RAM_SIZE}[place]] = value
    rom[HEADER_CHECKSUM] = header_checksum(rom)
    return rom


@pytest.mark.parametrize(
    ("types", "kind"),
    [
        ((0x00, 0x08, 0x09), MbcKind.ROM_ONLY),
        ((0x01, 0x02, 0x03), MbcKind.MBC1),
        ((0x0F, 0x10, 0x11, 0x12, 0x13), MbcKind.MBC3),
        ((0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E), MbcKind.MBC5),
    ],
)
def test_each_type_has_its_mapper(types: tuple[int, ...], kind: MbcKind) -> None:
    assert {parse_cartridge(bytes(image(code))).kind for code in types} == {kind}


@pytest.mark.parametrize("code", [0x05, 0x06, 0x0B, 0x20, 0x22, 0xFC, 0xFD, 0xFE, 0xFF])
def test_other_types_are_refused_with_their_byte(code: int) -> None:
    with pytest.raises(UnsupportedCartridge, match=rf"game.gb: cartridge type \${code:02X} is not emulated"):
        parse_cartridge(bytes(image(code)), name="game.gb")


@pytest.mark.parametrize(("code", "size"), [(0, 0), (1, 2048), (2, 8192), (3, 32768), (4, 131072), (5, 65536)])
def test_ram_sizes_follow_the_code(code: int, size: int) -> None:
    assert parse_cartridge(bytes(image(0x1B, ram_code=code))).ram_bytes == size


def test_a_type_without_ram_has_none_whatever_the_code_says() -> None:
    assert parse_cartridge(bytes(image(0x01, ram_code=3))).ram_bytes == 0


@pytest.mark.parametrize("ram_code", [0, 1, 3, 6])
def test_the_native_core_reads_every_header_alike(ram_code: int) -> None:
    for cart_type in range(256):
        rom = bytes(image(cart_type, ram=ram_code))
        try:
            expected = parse_cartridge(rom)
        except CartridgeError:
            with pytest.raises(ValueError, match=r"not supported|unknown"):
                load_native().GameboyLanes(rom, 1)
        else:
            lanes = load_native().GameboyLanes(rom, 1)
            assert (lanes.mbc_kind, lanes.cram_bytes) == (expected.kind.value, max(expected.ram_bytes, 1))


@pytest.mark.parametrize("flag", [0x00, 0x40, 0x80, 0xBF, 0xC0, 0xC4, 0xFF])
def test_the_native_core_tells_color_consoles_alike(flag: int) -> None:
    rom = bytes(image(cgb=flag))

    if flag & 0xC0 == 0xC0:
        with pytest.raises(UnsupportedCartridge, match="color"):
            parse_cartridge(rom)
        with pytest.raises(ValueError, match="color"):
            load_native().GameboyLanes(rom, 1)
    else:
        assert parse_cartridge(rom).kind.value == load_native().GameboyLanes(rom, 1).mbc_kind


def test_a_ram_code_that_means_nothing_is_refused() -> None:
    with pytest.raises(CartridgeError, match=r"RAM size code \$09"):
        parse_cartridge(bytes(image(0x03, ram=9)))


@pytest.mark.parametrize("size", [0, 1, 0x3FFF, 0x4001, 0x9000])
def test_odd_sizes_are_refused(size: int) -> None:
    with pytest.raises(CartridgeError, match=f"has {size} bytes; a cartridge image has a multiple of 16384"):
        parse_cartridge(bytes(size))


def test_more_than_any_mapper_can_reach_is_refused() -> None:
    with pytest.raises(CartridgeError, match="the largest cartridge has 8388608"):
        parse_cartridge(bytes(0x80_4000))


@pytest.mark.parametrize(("given", "padded"), [(0x4000, 0x8000), (0xC000, 0x10000), (0x14000, 0x20000)])
def test_images_are_padded_to_a_power_of_two_with_a_warning(given: int, padded: int) -> None:
    data = bytes(image(1, rom_banks=8))[:given]

    with pytest.warns(UserWarning, match=f"padded from {given} to {padded} bytes"):
        cartridge = parse_cartridge(data)

    assert len(cartridge.rom) == padded
    assert set(cartridge.rom[given:]) == {0xFF}
    assert cartridge.rom_banks == padded // 0x4000


def test_a_wrong_checksum_is_refused_unless_allowed() -> None:
    rom = image()
    rom[HEADER_CHECKSUM] ^= 0x5A

    with pytest.raises(CartridgeError, match=r"checksum at \$014D"):
        parse_cartridge(bytes(rom))
    assert parse_cartridge(bytes(rom), allow_bad_checksum=True).title == "CART"


def test_color_only_cartridges_are_refused_and_others_run() -> None:
    with pytest.raises(UnsupportedCartridge, match="color consoles only"):
        parse_cartridge(bytes(image(cgb=0xC0)))
    assert parse_cartridge(bytes(image(cgb=0x80))).kind is MbcKind.ROM_ONLY


def test_special_hardware_is_told() -> None:
    assert [parse_cartridge(bytes(image(code))).has_clock for code in (0x0F, 0x10, 0x11, 0x13)] == [
        True,
        True,
        False,
        False,
    ]
    assert [parse_cartridge(bytes(image(code))).has_rumble for code in (0x1B, 0x1C, 0x1E)] == [False, True, True]
    assert parse_cartridge(bytes(image(0x13, ram_code=5))).has_wide_banks
    assert not parse_cartridge(bytes(image(0x13, rom_banks=128, ram_code=3))).has_wide_banks


def test_files_are_read_and_missing_ones_told(tmp_path: Path) -> None:
    path = tmp_path / "game.gb"
    path.write_bytes(image())

    assert load_cartridge(path).title == "CART"
    with pytest.raises(CartridgeError, match=r"absent\.gb: does not exist"):
        load_cartridge(tmp_path / "absent.gb")
