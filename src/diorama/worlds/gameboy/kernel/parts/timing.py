"""Events of a line (section 17.3), processed in order when somebody looks."""

from typing import Final

from diorama.worlds.gameboy.kernel.dialect import STEPPED, Machine, out_of_line
from diorama.worlds.gameboy.kernel.parts.drawing import draw_line, may_show_window, needs_line, shows_window
from diorama.worlds.gameboy.kernel.parts.mode3 import mode3_end_dot
from diorama.worlds.gameboy.kernel.parts.stat import LCD_ON, LYC_SOURCE, VISIBLE_LINES, evaluate_stat

LINES: Final = 154
LINE: Final = 456
VBLANK_REQUEST: Final = 1
MODE_SOURCES: Final = 0x38

# What happens next on the line.
LINE_START: Final = 0
COMPARE: Final = 1
FRAME_END: Final = 2
MODE3_START: Final = 3
HBLANK_REQUEST: Final = 4
MODE3_END: Final = 5


def sync_ppu_to(m: Machine, lane: int, to: int) -> None:
    """Process every event up to and including a time."""
    if STEPPED == 1:
        step_ppu(m, lane, to)
    elif to >= m.ppu_event[lane]:
        process_events(m, lane, to)


def next_event(m: Machine, lane: int, stage: int, dot: int) -> None:
    """Say what happens next, and at which dot of the line."""
    m.ppu_stage[lane] = stage
    m.ppu_event[lane] = m.line_start[lane] + dot


@out_of_line
def process_events(m: Machine, lane: int, to: int) -> None:
    """Take event after event."""
    while m.ppu_event[lane] <= to:
        stage = m.ppu_stage[lane]
        if stage == LINE_START:
            skip_quiet_lines(m, lane, to)
            start_line(m, lane)
            next_event(m, lane, COMPARE, 4)
        elif stage == COMPARE:
            compare_line(m, lane)
            if m.line[lane] >= VISIBLE_LINES:
                next_event(m, lane, LINE_START, LINE)
            elif m.line[lane] == 0:
                next_event(m, lane, FRAME_END, frame_dot(m, lane))
            else:
                next_event(m, lane, MODE3_START, 84)
        elif stage == FRAME_END:
            end_frame(m, lane)
            next_event(m, lane, MODE3_START, 84)
        elif stage == MODE3_START:
            m.mode3_end[lane] = mode3_end_dot(m, lane)
            next_event(m, lane, HBLANK_REQUEST, m.mode3_end[lane] - 4)
        elif stage == HBLANK_REQUEST:
            m.stat_src[lane] = 0
            evaluate_stat(m, lane)
            next_event(m, lane, MODE3_END, m.mode3_end[lane])
        else:
            end_mode3(m, lane)
            next_event(m, lane, LINE_START, LINE)


def skip_quiet_lines(m: Machine, lane: int, to: int) -> None:
    """Jump over whole lines on which nothing can be seen or raised but VBlank."""
    enabled = m.stat_en[lane]
    if (enabled & MODE_SOURCES) == 0 and m.is_drawing[lane] == 0 and may_show_window(m, lane) == 0:
        line = m.line[lane]
        start = m.line_start[lane]
        lyc = m.lyc[lane]
        upto = line + 1
        target = min(line + (to - start) // LINE, LINES - 1)
        if (enabled & LYC_SOURCE) != 0 and lyc >= upto:
            target = min(target, lyc)
        if target > upto:
            wy = m.wy[lane]
            if wy < VISIBLE_LINES and wy >= upto and wy < target:
                m.win_trig[lane] = 1
            m.lyc_flag[lane] = 1 if lyc == target - 1 else 0
            m.stat_irq_line[lane] = 0
            m.stat_src[lane] = 1 if target > VISIBLE_LINES else 0
            m.line_start[lane] = start + LINE * (target - 1 - line)
            m.line[lane] = target - 1
            m.lcd_first[lane] = 0
            if upto <= VISIBLE_LINES and target > VISIBLE_LINES:
                m.iflag[lane] = m.iflag[lane] | VBLANK_REQUEST


def start_line(m: Machine, lane: int) -> None:
    """Dot 0."""
    m.line_start[lane] = m.line_start[lane] + LINE
    line = m.line[lane] + 1
    m.lcd_first[lane] = 0
    m.mode3_end[lane] = 0
    if line == LINES:
        line = 0
        m.win_trig[lane] = 0
        m.win_line[lane] = 0
    m.line[lane] = line
    m.lyc_flag[lane] = 0
    if line == 0:
        m.lyc_flag[lane] = 1 if m.lyc[lane] == 0 else 0
        m.stat_src[lane] = -1
    elif line < VISIBLE_LINES:
        m.stat_src[lane] = 2
    evaluate_stat(m, lane)


def compare_line(m: Machine, lane: int) -> None:
    """Dot 4."""
    line = m.line[lane]
    m.lyc_flag[lane] = 1 if m.lyc[lane] == line else 0
    if line <= VISIBLE_LINES:
        m.stat_src[lane] = 2
        evaluate_stat(m, lane)
        m.stat_src[lane] = -1
        if line == VISIBLE_LINES:
            m.stat_src[lane] = 1
            m.iflag[lane] = m.iflag[lane] | VBLANK_REQUEST
        elif m.wy[lane] == line:
            m.win_trig[lane] = 1
    evaluate_stat(m, lane)


def frame_dot(m: Machine, lane: int) -> int:
    """Dot of line 0 at which a frame ends."""
    return 12 if m.lcd_blank[lane] == 1 else 8


def end_frame(m: Machine, lane: int) -> None:
    """Dot 8 of line 0, or dot 12 after the LCD went on."""
    m.frame_ended[lane] = 1
    m.lcd_blank[lane] = 0


def end_mode3(m: Machine, lane: int) -> None:
    """Draw the line and count the window's own lines."""
    if m.is_drawing[lane] == 1 and m.lcd_blank[lane] == 0 and needs_line(m.line[lane]) == 1:
        draw_line(m, lane)
    if shows_window(m, lane) == 1:
        m.win_line[lane] = m.win_line[lane] + 1


@out_of_line
def step_ppu(m: Machine, lane: int, to: int) -> None:
    """Move four dots at a time and look at the table of section 17.3 each time."""
    while m.ppu_synced[lane] < to:
        m.ppu_synced[lane] = m.ppu_synced[lane] + 4
        if (m.lcdc[lane] & LCD_ON) != 0:
            dot = m.dot[lane] + 4
            if dot == LINE:
                dot = 0
                m.dot[lane] = 0
                start_line(m, lane)
            m.dot[lane] = dot
            line = m.line[lane]
            if dot == 4:
                compare_line(m, lane)
            if line == 0 and m.lcd_first[lane] == 0 and dot == frame_dot(m, lane):
                end_frame(m, lane)
            if line < VISIBLE_LINES:
                if dot == 84:
                    m.mode3_end[lane] = mode3_end_dot(m, lane)
                if dot > 84 and dot == m.mode3_end[lane] - 4:
                    m.stat_src[lane] = 0
                    evaluate_stat(m, lane)
                if dot > 84 and dot == m.mode3_end[lane]:
                    end_mode3(m, lane)


def resume_ppu(m: Machine, lane: int) -> None:
    """Find the next event of a state that was loaded."""
    dot = m.dot[lane]
    m.line_start[lane] = -dot
    m.ppu_event[lane] = 0x7FFFFFFF
    m.ppu_synced[lane] = 0
    if (m.lcdc[lane] & LCD_ON) != 0:
        line = m.line[lane]
        if line >= VISIBLE_LINES:
            if dot < 4:
                next_event(m, lane, COMPARE, 4)
            else:
                next_event(m, lane, LINE_START, LINE)
        else:
            if dot >= 84 and m.mode3_end[lane] == 0:
                m.mode3_end[lane] = mode3_end_dot(m, lane)
            end = m.mode3_end[lane]
            if dot == 0:
                next_event(m, lane, COMPARE, 4)
            elif line == 0 and m.lcd_first[lane] == 0 and dot < frame_dot(m, lane):
                next_event(m, lane, FRAME_END, frame_dot(m, lane))
            elif dot < 84:
                next_event(m, lane, MODE3_START, 84)
            elif dot < end - 4:
                next_event(m, lane, HBLANK_REQUEST, end - 4)
            elif dot < end:
                next_event(m, lane, MODE3_END, end)
            else:
                next_event(m, lane, LINE_START, LINE)
