"""Golden states (section 22): everything that makes up a lane, copied from one batch into another."""

from typing import Final

from diorama.worlds.gameboy.kernel.dialect import OBS_FORMAT, Bytes, Ints, Machine, kernel, tid
from diorama.worlds.gameboy.kernel.parts.layout import RAM_STRIDE, first, mi
from diorama.worlds.gameboy.kernel.parts.serial_port import SERIAL_BYTES

COPIERS: Final = 32  # threads that share the work of one lane
CANONICAL: Final = 76  # scalars of 32 bits that define a console; the generator checks the number


@kernel
def copy_lanes(m: Machine, source: Machine, mask: Bytes, slots: Ints, count: int, held: int) -> None:
    """Make each lane with a non-zero mask equal to lane `slots[lane]` of the source; the others stay."""
    thread = tid()
    lane = thread // COPIERS
    if lane < count:
        slot = slots[lane]
        if int(mask[lane]) != 0 and slot >= 0 and slot < held:
            copy_share(m, source, lane, slot, thread - lane * COPIERS)


def copy_share(m: Machine, source: Machine, lane: int, slot: int, share: int) -> None:
    """Copy every 32nd number and byte, beginning with the share's own."""
    i = int(share)
    while i < CANONICAL:
        m.st[i, lane] = source.st[i, slot]
        i += COPIERS
    if share < 3:
        m.wide[share * m.lanes + lane] = source.wide[share * source.lanes + slot]
    to = first(m, lane)
    since = first(source, slot)
    i = share
    while i < RAM_STRIDE:
        m.mem[mi(to, i)] = source.mem[mi(since, i)]
        i += COPIERS
    i = share
    while i < m.cram_stride:
        m.cram[lane * m.cram_stride + i] = source.cram[slot * m.cram_stride + i]
        i += COPIERS
    i = share
    while i < SERIAL_BYTES:
        m.serial[lane * SERIAL_BYTES + i] = source.serial[slot * SERIAL_BYTES + i]
        i += COPIERS
    if OBS_FORMAT != 0:
        size = m.picture_stride
        i = share
        while i < size:
            m.picture[lane * size + i] = source.picture[slot * size + i]
            i += COPIERS
