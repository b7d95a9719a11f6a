"""The boot stubs: their shape, and the state they leave behind."""

import pytest

from diorama.worlds.gameboy.boot import POST_BOOT, POST_BOOT_AUDIO, BootMode, boot_stub
from diorama.worlds.gameboy.canonical import SCALAR_FIELDS

STUBS = [BootMode.STUB, BootMode.STUB_LCD]


@pytest.mark.parametrize("mode", STUBS)
def test_a_stub_has_256_bytes_and_ends_by_unmapping_itself(mode: BootMode) -> None:
    stub = boot_stub(mode)

    assert len(stub) == 256
    assert stub[0xFC:] == bytes.fromhex("3E01E050")


def test_only_one_stub_switches_the_screen_on() -> None:
    switch_on = bytes.fromhex("3E91E040")

    assert switch_on in boot_stub(BootMode.STUB_LCD)
    assert switch_on not in boot_stub(BootMode.STUB)


def test_the_third_mode_runs_no_stub() -> None:
    with pytest.raises(ValueError, match="has no stub"):
        boot_stub(BootMode.POST)


def test_the_state_after_a_real_boot_has_every_field() -> None:
    assert tuple(POST_BOOT) == SCALAR_FIELDS
    assert (POST_BOOT["pc"], POST_BOOT["div16"], POST_BOOT["line"], POST_BOOT["dot"]) == (0x0100, 0xABCC, 153, 400)
    assert len(POST_BOOT_AUDIO) == 0x27 - 0x10
