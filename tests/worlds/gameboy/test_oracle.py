"""The oracle's adapter: boot stubs, keys, schedule, picture, serial text."""

import subprocess
import sys

import numpy as np
import pytest

from diorama.contracts.errors import MissingExtra
from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.codec import get_action_codec
from diorama.worlds.gameboy.oracle import Oracle
from diorama.worlds.gameboy.roms.io.joypad import BUTTON_NIBBLE, DPAD_NIBBLE
from diorama.worlds.gameboy.schedule import PressSchedule
from tests.worlds.gameboy.on_oracle import built, needs_oracle, running


def spinning() -> bytes:
    a = Asm("T")
    a("start: jr start")
    return a.build()


def test_nothing_loads_the_oracle_before_one_is_made() -> None:
    look = "import sys, diorama.worlds.gameboy.oracle; sys.exit('pyboy' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", look], check=False).returncode == 0


def test_a_missing_oracle_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyboy", None)

    with pytest.raises(MissingExtra, match=r"pip install 'diorama\[oracle\]'"):
        Oracle(spinning())


@needs_oracle
@pytest.mark.parametrize("boot", [BootMode.STUB, BootMode.STUB_LCD])
def test_a_stub_leaves_the_documented_registers(boot: BootMode) -> None:
    with running(spinning(), boot=boot, frames=3) as oracle:
        cpu = oracle.cpu()

        assert (cpu.a, cpu.f, cpu.b, cpu.c, cpu.d, cpu.e, cpu.h, cpu.l) == (1, 0xB0, 0, 0x13, 0, 0xD8, 1, 0x4D)
        assert (cpu.sp, cpu.ime, cpu.halted, cpu.pc) == (0xFFFE, 0, 0, 0x150)
        assert oracle.read_memory(0x0000, 0x0004) == spinning()[:4]  # the stub is no longer there
        assert oracle.read_memory(0xFF47, 0xFF4A) == b"\xfc\xff\xff"
        assert oracle.read_memory(0xFF40, 0xFF41)[0] == (0x91 if boot is BootMode.STUB_LCD else 0)


@needs_oracle
def test_a_frame_with_the_screen_off_has_70224_cycles() -> None:
    with running(spinning(), frames=5) as oracle:
        before = oracle.cpu().cycle_count
        for _ in range(10):
            oracle.tick()

        assert abs(oracle.cpu().cycle_count - before - 10 * 70_224) < 24


@needs_oracle
@pytest.mark.parametrize("action", range(get_action_codec().num_actions), ids=get_action_codec().action_names)
def test_every_action_presses_the_keys_of_its_masks(action: int) -> None:
    dpad, buttons = get_action_codec().to_joypad_mask(action)
    held = PressSchedule(frames_per_step=2, release_after_frames=2)

    with running(built("JOY_ECHO"), frames=4, schedule=held) as oracle:
        oracle.step(action)
        while_down = oracle.read_memory(DPAD_NIBBLE, BUTTON_NIBBLE + 1)
        oracle.tick()

        assert while_down == bytes([0xF ^ dpad, 0xF ^ buttons])
        assert oracle.read_memory(DPAD_NIBBLE, BUTTON_NIBBLE + 1) == b"\x0f\x0f"


@needs_oracle
@pytest.mark.parametrize(("release", "seen"), [(0, 0x0F), (1, 0x0F), (3, 0x0F), (4, 0x0E)])
def test_keys_go_up_before_the_frame_that_the_schedule_names(release: int, seen: int) -> None:
    schedule = PressSchedule(frames_per_step=4, release_after_frames=release)

    with running(built("JOY_ECHO"), frames=4, schedule=schedule) as oracle:
        oracle.step(1)

        assert oracle.read_memory(BUTTON_NIBBLE, BUTTON_NIBBLE + 1)[0] == seen


@needs_oracle
def test_select_can_be_held_by_name() -> None:
    with running(built("JOY_ECHO"), frames=4) as oracle:
        oracle.press("select")
        oracle.tick()
        down = oracle.read_memory(BUTTON_NIBBLE, BUTTON_NIBBLE + 1)
        oracle.release("select")
        oracle.tick()

        assert (down, oracle.read_memory(BUTTON_NIBBLE, BUTTON_NIBBLE + 1)) == (b"\x0b", b"\x0f")


@needs_oracle
def test_the_picture_has_shades_and_is_blank_without_a_screen() -> None:
    with running(built("BG_STATIC"), frames=10) as oracle:
        assert oracle.shades().shape == (144, 160)
        assert set(np.unique(oracle.shades())) == {0, 1, 2, 3}
    with running(spinning(), frames=3) as oracle:
        assert not oracle.shades().any()


@needs_oracle
def test_a_halted_console_reports_the_address_after_the_halt() -> None:
    a = Asm("T")
    a("start: halt\nspin: jr spin")

    with running(a.build(), frames=3) as oracle:
        assert (oracle.cpu().halted, oracle.cpu().pc) == (1, a.address_of("spin"))


@needs_oracle
def test_two_consoles_with_the_same_keys_stay_equal() -> None:
    rom = built("JOY_DIVERGE_PERSIST")
    actions = np.random.default_rng(7).integers(0, get_action_codec().num_actions, 20)

    with running(rom) as first, running(rom) as second:
        for action in actions:
            first.step(int(action))
            second.step(int(action))

        assert first.cpu() == second.cpu()
        assert first.read_memory(0xC000, 0xE000) == second.read_memory(0xC000, 0xE000)


@needs_oracle
def test_cartridge_ram_is_read_bank_by_bank() -> None:
    with running(built("MBC5_RAM"), frames=3) as oracle:
        banks = [oracle.read_cartridge_ram(bank) for bank in range(16)]

    assert {len(bank) for bank in banks} == {0x2000}
    assert [(bank[0], bank[-1]) for bank in banks] == [(0x40 + number, 0x80 + number) for number in range(16)]
