"""What happens between instructions (sections 7, 9, 10 and 19): sampling, dispatch, sleep, frames and keys."""

from typing import Final

from diorama.worlds.gameboy.kernel.dialect import Machine, out_of_line
from diorama.worlds.gameboy.kernel.parts.bus import push_byte
from diorama.worlds.gameboy.kernel.parts.drawing import clear_picture
from diorama.worlds.gameboy.kernel.parts.joypad import press_keys
from diorama.worlds.gameboy.kernel.parts.stat import LCD_ON
from diorama.worlds.gameboy.kernel.parts.sync import FRAME, next_due, requested, sample, sync_all, sync_ppu

FIRST_VECTOR: Final = 0x40

# What `next_due` says besides a time.
NOT_YET: Final = -1  # no instruction comes next: the console sleeps or enters a handler
OVER: Final = -2  # all frames are over


@out_of_line
def attend(m: Machine, lane: int, frames: int, release: int) -> None:
    """Do one thing that is not an instruction, then look whether a frame has ended."""
    if m.running[lane] == 1:
        if m.halting[lane] == 1:
            enter_halt(m, lane)
        pass_boundary(m, lane, 1)
    elif m.halted[lane] == 1:
        sleep(m, lane)
    else:
        dispatch(m, lane)
        pass_boundary(m, lane, 0)
    close_frame(m, lane, frames, release)
    go_on(m, lane, frames)


def pass_boundary(m: Machine, lane: int, samples: int) -> None:
    """Steps 1 to 3 of a boundary."""
    now = m.now[lane]
    pending = sample(m, lane, now)
    if samples == 1:
        m.dispatch_pending[lane] = 1 if m.ime[lane] == 1 and pending != 0 else 0
        if m.ei_delay[lane] == 1:
            m.ime[lane] = 1
            m.ei_delay[lane] = 0
    sync_ppu(m, lane, now)
    # A request that is accepted but came too late for this boundary is for the next one.
    m.next_due[lane] = 0
    if m.ime[lane] == 0 or requested(m, lane) == 0:
        m.next_due[lane] = next_due(m, lane)


def enter_halt(m: Machine, lane: int) -> None:
    """Fall asleep, unless a request is pending."""
    m.halting[lane] = 0
    if sample(m, lane, m.now[lane]) == 0:
        m.halted[lane] = 1
    elif m.ime[lane] == 1:
        m.pc[lane] = m.instruction_at[lane]  # the handler returns to the HALT
    else:
        m.halt_bug[lane] = 1


def sleep(m: Machine, lane: int) -> None:
    """Sleep until something is due, or wake."""
    now = m.now[lane] + 4
    if requested(m, lane) != 0:
        m.halted[lane] = 0
        m.now[lane] = now
        pass_boundary(m, lane, 1)
    else:
        now = max(next_due(m, lane), now)
        m.now[lane] = now
        sync_all(m, lane, now)


def dispatch(m: Machine, lane: int) -> None:
    """Enter the handler of the pending interrupt with the lowest bit, in five slots."""
    m.dispatch_pending[lane] = 0
    m.ime[lane] = 0
    now = m.now[lane]
    pc = m.pc[lane]
    sp = m.sp[lane]
    push_byte(m, lane, now + 12, (sp - 1) & 0xFFFF, pc >> 8)
    # Sampled after the first push, which may have overwritten `ie`.
    pending = sample(m, lane, now + 16)
    vector = 0
    if pending != 0:
        lowest = pending & -pending
        # Cleared in the slot of the second push, so that a request raised after that slot is kept.
        m.iflag[lane] = m.iflag[lane] & ~lowest
        vector = FIRST_VECTOR
        while lowest > 1:
            lowest = lowest >> 1
            vector = vector + 8
    m.sp[lane] = (sp - 2) & 0xFFFF
    push_byte(m, lane, now + 16, (sp - 2) & 0xFFFF, pc & 0xFF)
    m.pc[lane] = vector
    m.now[lane] = now + 20


def close_frame(m: Machine, lane: int, frames: int, release: int) -> None:
    """Count a frame that has ended, and change keys there."""
    if (m.lcdc[lane] & LCD_ON) == 0 and m.now[lane] - m.frame_base[lane] >= FRAME:
        m.frame_base[lane] = m.frame_base[lane] + FRAME
        m.frame_ended[lane] = 1
    if m.frame_ended[lane] == 1:
        m.frame_ended[lane] = 0
        m.frame[lane] = m.frame[lane] + 1
        fell = 0
        if m.frame[lane] == release:
            fell = press_keys(m, lane, 0, 0)
        if fell == 1:
            m.next_due[lane] = 0
        if m.frame[lane] < frames:
            begin_frame(m, lane, frames)
    skip_frames(m, lane, frames)


def skip_frames(m: Machine, lane: int, frames: int) -> None:
    """Let the frames that are left to a stopped console elapse at once; its picture is empty."""
    if m.trap_kind[lane] != 0 and m.frame[lane] < frames:
        clear_picture(m, lane)
        m.skipped[lane] = frames - m.frame[lane]
        m.frame[lane] = frames


def begin_frame(m: Machine, lane: int, frames: int) -> None:
    """Draw the last frame of a step and no other."""
    m.is_drawing[lane] = 0
    if m.frame[lane] + 1 == frames:
        m.is_drawing[lane] = 1
        clear_picture(m, lane)


def go_on(m: Machine, lane: int, frames: int) -> None:
    """Decide whether an instruction comes next."""
    m.running[lane] = 1
    if m.halted[lane] == 1 or m.dispatch_pending[lane] == 1:
        m.running[lane] = 0
        m.next_due[lane] = NOT_YET
    if m.frame[lane] >= frames:
        m.next_due[lane] = OVER
    m.fetched[lane] = 1
    if m.running[lane] == 1 and m.halt_bug[lane] == 1 and m.frame[lane] < frames:
        m.halt_bug[lane] = 0
        m.fetched[lane] = 0
