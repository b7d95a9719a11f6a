"""The joypad (section 14)."""

from typing import Final

from diorama.worlds.gameboy.kernel.dialect import Machine

JOYPAD_REQUEST: Final = 16


def key_lines(m: Machine, lane: int) -> int:
    """Read the four lines of the selected groups; a pressed key pulls its line low."""
    pressed = 0
    if (m.joy_select[lane] & 0x10) == 0:
        pressed = m.dpad[lane]
    if (m.joy_select[lane] & 0x20) == 0:
        pressed = pressed | m.buttons[lane]
    return 0x0F & ~pressed


def select_keys(m: Machine, lane: int, value: int) -> int:
    """Select key groups; tell whether a line went low."""
    before = key_lines(m, lane)
    m.joy_select[lane] = value & 0x30
    return request_keys(m, lane, before)


def press_keys(m: Machine, lane: int, dpad: int, buttons: int) -> int:
    """Hold exactly these keys; tell whether a line went low. A console that has stopped takes no notice."""
    fell = 0
    if m.trap_kind[lane] == 0:
        before = key_lines(m, lane)
        m.dpad[lane] = dpad
        m.buttons[lane] = buttons
        fell = request_keys(m, lane, before)
    return fell


def request_keys(m: Machine, lane: int, before: int) -> int:
    """Ask for attention if a line has gone low."""
    fell = 0
    if (before & ~key_lines(m, lane)) != 0:
        m.iflag[lane] = m.iflag[lane] | JOYPAD_REQUEST
        fell = 1
    return fell
