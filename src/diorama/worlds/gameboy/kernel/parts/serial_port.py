"""The serial port with nobody at the other end (section 13): what is sent is kept for the host."""

from typing import Final

from diorama.worlds.gameboy.kernel.dialect import Machine

SERIAL_BYTES: Final = 1024
SERIAL_REQUEST: Final = 8
TRANSFER: Final = 0x81


def sync_serial(m: Machine, lane: int, to: int) -> None:
    """Shift as often as the divider has fallen since the last time."""
    bits = m.ser_bits[lane]
    if bits > 0:
        base = m.div_base[lane]
        shifts = ((to - base) >> 9) - ((m.serial_synced[lane] - base) >> 9)
        if shifts < bits:
            m.ser_bits[lane] = bits - shifts
        else:
            m.ser_bits[lane] = 0
            m.sc[lane] = m.sc[lane] & 1
            m.sb[lane] = 0xFF
            m.iflag[lane] = m.iflag[lane] | SERIAL_REQUEST
    m.serial_synced[lane] = to


def serial_due(m: Machine, lane: int) -> int:
    """Tell when the running transfer ends."""
    due = 0x7FFFFFFF
    if m.ser_bits[lane] > 0:
        base = m.div_base[lane]
        due = base + ((((m.serial_synced[lane] - base) >> 9) + m.ser_bits[lane]) << 9)
    return due


def write_serial(m: Machine, lane: int, value: int) -> None:
    """Start a transfer when both bits are set; anything else ends one."""
    m.sc[lane] = value & TRANSFER
    m.ser_bits[lane] = 0
    if m.sc[lane] == TRANSFER:
        m.ser_bits[lane] = 8
        length = m.serial_len[lane]
        if length < SERIAL_BYTES:
            m.serial[lane * SERIAL_BYTES + length] = m.sb[lane]
            m.serial_len[lane] = length + 1
        else:
            m.serial_overflow[lane] = 1
