"""Test ROMs by the conventions of the public suites; these are assembled here."""

import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from diorama.contracts.errors import ConfigError, DocumentError
from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.assembler.library import include
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.harness.accuracy.judging import Judged, Outcome, find_test_roms, judge
from diorama.worlds.gameboy.harness.accuracy.png_files import read_shades
from diorama.worlds.gameboy.harness.accuracy.suites import Suite, reason_to_skip, suite_of
from diorama.worlds.gameboy.harness.pictures import png_of
from diorama.worlds.gameboy.lanes import open_lanes
from diorama.worlds.gameboy.roms.catalogue import MICRO_ROMS, assemble

FRAMES = 120


def serial_rom(text: str) -> bytes:
    a = Asm("SERIAL")
    a("start:\nld hl,text\ncall serial_puts\nspin: jr spin\ntext:")
    a.db(text.encode(), 0)
    include(a, "serial_puts")
    return a.build()


def register_rom(values: tuple[int, ...]) -> bytes:
    a = Asm("REGISTERS")
    a("start:")
    for name, value in zip("bcdehl", values, strict=True):
        a(f"ld {name},{value}")
    a("ld b,b\nspin: jr spin")
    return a.build()


def signature_rom(status: int) -> bytes:
    a = Asm("SIGNATURE", cart_type=3, ram_code=2)
    a("start:\nld a,$0A\nld ($0000),a")
    for place, value in enumerate((0x80, 0xDE, 0xB0, 0x61, *b"why not", 0)):
        a(f"ld a,{value}\nld ({0xA000 + place}),a")
    a(f"ld a,{status}\nld ($A000),a\nspin: jr spin")
    return a.build()


def screen_rom(text: str, *, at: int = 0x9800) -> bytes:
    a = Asm("SCREEN")
    a(f"start:\ncall lcd_off_safe\nld hl,{at}\nld de,text\nld bc,{len(text)}\ncall memcpy\nspin: jr spin\ntext:")
    a.db(text.encode("latin-1"))
    include(a, "lcd_off_safe", "memcpy")
    return a.build()


def judged(tmp_path: Path, name: str, image: bytes) -> Judged:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(image)
    (rom,) = find_test_roms(tmp_path)
    return judge(rom, frames=FRAMES)


@pytest.mark.parametrize(
    ("name", "build", "outcome", "by"),
    [
        pytest.param("blargg/a.gb", lambda: serial_rom("ok\nPassed\n"), Outcome.PASS, "serial", id="serial-pass"),
        pytest.param("blargg/a.gb", lambda: serial_rom("03\nFailed #3\n"), Outcome.FAIL, "serial", id="serial-fail"),
        pytest.param("blargg/a.gb", lambda: signature_rom(0), Outcome.PASS, "$A000", id="signature-pass"),
        pytest.param("blargg/a.gb", lambda: signature_rom(3), Outcome.FAIL, "$A000", id="signature-fail"),
        pytest.param("blargg/a.gb", lambda: signature_rom(0x80), Outcome.HANG, "", id="signature-running"),
        pytest.param("halt_bug.gb", lambda: screen_rom("Passed"), Outcome.PASS, "tile map", id="screen-pass"),
        pytest.param("halt_bug.gb", lambda: screen_rom("Failed #2"), Outcome.FAIL, "tile map", id="screen-fail"),
        pytest.param(
            "mooneye/acceptance/a.gb",
            lambda: register_rom((3, 5, 8, 13, 21, 34)),
            Outcome.PASS,
            "registers",
            id="registers-pass",
        ),
        pytest.param(
            "acceptance/a.gb", lambda: register_rom((0x42,) * 6), Outcome.FAIL, "registers", id="registers-fail"
        ),
        pytest.param("blargg/a.gb", lambda: register_rom((1, 2, 3, 4, 5, 6)), Outcome.HANG, "", id="hang"),
        pytest.param("other/a.gb", lambda: assemble("ALU16_SP"), Outcome.HANG, "", id="a-rom-that-tests-nothing"),
        pytest.param("other/a.gb", lambda: assemble("EI_DELAY"), Outcome.PASS, "serial", id="one-of-ours"),
        pytest.param(
            "acceptance/boot_regs-sgb.gb", lambda: register_rom((0x42,) * 6), Outcome.SKIP, "", id="other-model"
        ),
        pytest.param("a.gb", lambda: b"tiny", Outcome.SKIP, "", id="no-rom"),
    ],
)
def test_a_rom_is_judged_by_what_it_tells(
    tmp_path: Path, name: str, build: Callable[[], bytes], outcome: Outcome, by: str
) -> None:
    row = judged(tmp_path, name, build())

    assert (row.outcome, row.by) == (outcome, by), row.words


def test_an_illegal_opcode_is_told_with_its_place(tmp_path: Path) -> None:
    a = Asm("TRAP")
    a("start: nop\ndb $D3")

    row = judged(tmp_path, "trap.gb", a.build())

    assert (row.outcome, row.words) == (Outcome.TRAP, "illegal opcode $D3 at $0151")


def test_a_picture_beside_the_rom_decides_where_nothing_else_is_told(tmp_path: Path) -> None:
    image = MICRO_ROMS["BG_STATIC"].assemble()
    lanes = open_lanes("rust", image, 1, boot=BootMode.POST, picture="shade_full")
    lanes.run_frames(20)
    shades = np.array(lanes.read_frame(0))
    (tmp_path / "dmg-acid2.gb").write_bytes(image)
    (rom,) = find_test_roms(tmp_path)

    (tmp_path / "dmg-acid2-dmg.png").write_bytes(png_of(shades))
    equal = judge(rom, frames=FRAMES)
    shades[3, 4:6] ^= 1
    (tmp_path / "dmg-acid2-dmg.png").write_bytes(png_of(shades))
    different = judge(rom, frames=FRAMES)

    assert (equal.outcome, equal.by, equal.gate) == (Outcome.PASS, "picture", "G4")
    assert (different.outcome, different.words) == (Outcome.FAIL, "2 pixels differ")


def test_sections_of_the_clock_test_are_chosen_by_keys_and_judged_by_colors(tmp_path: Path) -> None:
    """The ROM waits for A; with DOWN before it the result is red."""
    a = Asm("RTC3TEST")
    a("""
    start:
        ld b,$4C         ; green
        ld a,$20
        ldh ($00),a
    menu:
        ldh a,($00)
        bit 3,a
        jr nz,no_down
        ld b,$8F         ; red
    no_down:
        ld a,$10
        ldh ($00),a
        ldh a,($00)
        bit 0,a
        ld a,$20
        ldh ($00),a
        jr nz,menu
        push bc
        call lcd_off_safe
        pop bc
        ld a,b
        ld ($9C51),a
        ld a,$C1
        ld ($9E26),a
    spin: jr spin
    """)
    include(a, "lcd_off_safe")
    (tmp_path / "rtc3test.gb").write_bytes(a.build())

    basic, ranged = (judge(rom, frames=FRAMES) for rom in find_test_roms(tmp_path))

    assert (basic.name, basic.outcome) == ("rtc3test.gb (basic)", Outcome.PASS)
    assert (ranged.name, ranged.outcome, ranged.words) == (
        "rtc3test.gb (range)",
        Outcome.FAIL,
        "0 green and 1 red cells",
    )


@pytest.mark.parametrize(
    ("path", "suite"),
    [
        pytest.param("blargg/cpu_instrs/individual/01-special.gb", Suite.BLARGG, id="blargg"),
        pytest.param("mem_timing-2/mem_timing.gb", Suite.BLARGG, id="blargg-folder"),
        pytest.param("mooneye-test-suite/acceptance/timer/div_write.gb", Suite.MOONEYE, id="mooneye"),
        pytest.param("dmg-acid2.gb", Suite.ACID2, id="acid2"),
        pytest.param("rtc3test/rtc3test.gb", Suite.RTC3TEST, id="rtc"),
        pytest.param("gbmicrotest/bin/x.gb", Suite.GBMICROTEST, id="micro"),
        pytest.param("things/x.gb", Suite.OTHER, id="other"),
    ],
)
def test_the_path_tells_the_suite(path: str, suite: Suite) -> None:
    assert suite_of(Path(path)) is suite


def test_what_is_not_attempted_says_why() -> None:
    assert reason_to_skip(Path("blargg/oam_bug/1.gb")) == "the OAM corruption bug is not emulated"
    assert reason_to_skip(Path("emulator-only/mbc1/multicart_rom_8Mb.gb")) == "multicarts are not recognized"
    assert reason_to_skip(Path("acceptance/boot_regs-dmgABC.gb")) is None


def test_folders_without_roms_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no ROM"):
        find_test_roms(tmp_path)
    with pytest.raises(ConfigError, match="is no folder"):
        find_test_roms(tmp_path / "absent")


def chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


@pytest.mark.parametrize("filter_kind", range(5))
def test_pictures_of_two_bits_and_every_filter_are_read(tmp_path: Path, filter_kind: int) -> None:
    """A two-bit palette picture, filtered as encoders do."""
    shades = np.random.default_rng(filter_kind).integers(0, 4, (144, 160), dtype=np.uint8)
    packed = shades[:, ::4] << 6 | shades[:, 1::4] << 4 | shades[:, 2::4] << 2 | shades[:, 3::4]
    above = np.vstack([np.zeros((1, 40), np.uint8), packed[:-1]])
    left = np.hstack([np.zeros((144, 1), np.uint8), packed[:, :-1]])
    corner = np.hstack([np.zeros((144, 1), np.uint8), above[:, :-1]])
    guess = left.astype(int) + above - corner
    distances = np.stack([abs(guess - left), abs(guess - above), abs(guess - corner)])
    paeth = np.choose(distances.argmin(axis=0), [left, above, corner])
    predicted = [0 * packed, left, above, ((left.astype(int) + above) // 2).astype(np.uint8), paeth][filter_kind]
    rows = np.hstack([np.full((144, 1), filter_kind, np.uint8), packed - predicted.astype(np.uint8)])
    header = (160).to_bytes(4, "big") + (144).to_bytes(4, "big") + bytes((2, 3, 0, 0, 0))
    palette = bytes(gray for gray in (255, 170, 85, 0) for _ in range(3))
    body = chunk(b"IHDR", header) + chunk(b"PLTE", palette) + chunk(b"IDAT", zlib.compress(rows.tobytes()))
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + body + chunk(b"IEND", b""))

    np.testing.assert_array_equal(read_shades(path), shades)


def test_what_is_no_reference_picture_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"GIF89a")

    with pytest.raises(DocumentError, match="is no reference picture"):
        read_shades(path)
