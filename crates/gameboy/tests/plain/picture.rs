//! The picture unit, one M-cycle at a time and without drawing.

use super::PlainMachine;

impl PlainMachine {
    pub(super) fn evaluate(&mut self) {
        let s = &mut self.state;
        let by_mode = match s.stat_src {
            0 => s.stat_en & 8 != 0,
            1 => s.stat_en & 16 != 0,
            2 => s.stat_en & 32 != 0,
            _ => false,
        };
        let high = i32::from(by_mode || s.lyc_flag == 1 && s.stat_en & 64 != 0);
        if high == 1 && s.stat_irq_line == 0 {
            s.iflag |= 2;
        }
        s.stat_irq_line = high;
    }

    pub(super) fn step_picture(&mut self) {
        if self.state.lcdc & 0x80 == 0 {
            return;
        }
        self.state.dot += 4;
        if self.state.dot == 456 {
            self.wrap_line();
        }
        let (line, dot) = (self.state.line, self.state.dot);
        match dot {
            0 => self.at_dot_0(line),
            4 => self.at_dot_4(line),
            _ => {}
        }
        if line == 0 && self.state.lcd_first == 0 && dot == if self.state.lcd_blank == 1 { 12 } else { 8 } {
            self.has_frame_ended = true;
            self.state.lcd_blank = 0;
        }
        if line < 144 && dot == 84 {
            self.state.mode3_end = self.mode3_end();
        }
        if line < 144 && dot >= 84 && dot == self.state.mode3_end - 4 {
            self.state.stat_src = 0;
            self.evaluate();
        }
        if line < 144 && dot >= 84 && dot == self.state.mode3_end {
            let s = &mut self.state;
            if s.lcdc & 0x21 == 0x21 && s.win_trig == 1 && s.wx <= 166 {
                s.win_line += 1;
            }
        }
    }

    fn wrap_line(&mut self) {
        let s = &mut self.state;
        s.dot = 0;
        s.line = (s.line + 1) % 154;
        s.lcd_first = 0;
        s.mode3_end = 0;
        if s.line == 0 {
            (s.win_trig, s.win_line) = (0, 0);
        }
    }

    fn at_dot_0(&mut self, line: i32) {
        let s = &mut self.state;
        s.lyc_flag = i32::from(line == 0 && s.lyc == 0);
        match line {
            0 => s.stat_src = -1,
            1..=143 => s.stat_src = 2,
            _ => {}
        }
        self.evaluate();
    }

    fn at_dot_4(&mut self, line: i32) {
        self.state.lyc_flag = i32::from(self.state.lyc == line);
        match line {
            0..=143 => {
                self.state.stat_src = 2;
                self.evaluate();
                self.state.stat_src = -1;
                self.evaluate();
                self.state.win_trig |= i32::from(self.state.wy == line);
            }
            144 => {
                self.state.iflag |= 1;
                self.state.stat_src = 2;
                self.evaluate();
                self.state.stat_src = 1;
                self.evaluate();
            }
            _ => self.evaluate(),
        }
    }

    fn mode3_end(&self) -> i32 {
        let s = &self.state;
        let mut cost = 0;
        let mut columns = Vec::new();
        let height = if s.lcdc & 4 != 0 { 16 } else { 8 };
        let on_line = |y: u8| (i32::from(y) - 16..i32::from(y) - 16 + height).contains(&s.line);
        if s.lcdc & 2 != 0 {
            for object in self.oam.chunks(4).filter(|object| on_line(object[0])).take(10) {
                if object[1] < 168 {
                    cost += 6;
                    columns.push(i32::from(object[1]));
                }
            }
            columns.sort_unstable();
            columns.dedup();
            cost += columns.iter().map(|x| (5 - ((x + s.scx) & 7)).max(0)).sum::<i32>();
        }
        84 + 172 + ((s.scx & 7) + 3) / 4 * 4 + cost / 4 * 4
    }

    pub(super) fn mode(&self) -> i32 {
        let s = &self.state;
        if s.lcdc & 0x80 == 0 {
            return 0;
        }
        match (s.line, s.dot) {
            (144, 0) => 0,
            (144.., _) => 1,
            (_, 0) => 0,
            (_, 4..=80) => 2 * i32::from(s.lcd_first == 0),
            (_, dot) if dot < s.mode3_end => 3,
            _ => 0,
        }
    }

    fn is_drawing_line(&self) -> bool {
        self.state.lcdc & 0x80 != 0 && self.state.line < 144
    }

    pub(super) fn is_vram_closed(&self, for_write: bool) -> bool {
        let s = &self.state;
        let from = if for_write || s.lcd_first == 1 { 84 } else { 80 };
        self.is_drawing_line() && s.dot >= from && (s.dot == 80 || s.dot < s.mode3_end)
    }

    pub(super) fn is_oam_closed(&self, for_write: bool) -> bool {
        let s = &self.state;
        if s.dma_t >= 2 {
            return true;
        }
        let in_mode3 = s.dot >= 84 && s.dot < s.mode3_end;
        let in_scan = match (s.lcd_first, for_write) {
            (1, _) => false,
            (_, true) => (4..80).contains(&s.dot),
            (_, false) => s.dot <= 80 && (s.line > 0 || s.dot >= 4),
        };
        self.is_drawing_line() && (in_scan || in_mode3)
    }

    pub(super) fn write_lyc(&mut self, value: i32) {
        self.state.lyc = value;
        if self.state.lcdc & 0x80 == 0 {
            return;
        }
        let s = &mut self.state;
        s.lyc_flag = i32::from(value == s.line && !(s.dot == 0 && s.line >= 1));
        self.evaluate();
    }

    pub(super) fn write_lcdc(&mut self, value: i32) {
        let was_on = self.state.lcdc & 0x80 != 0;
        let s = &mut self.state;
        s.lcdc = value;
        match (was_on, value & 0x80 != 0) {
            (false, true) => {
                (s.line, s.dot) = (0, 4);
                (s.lcd_first, s.lcd_blank) = (1, 1);
                (s.win_trig, s.win_line) = (0, 0);
                s.lyc_flag = i32::from(s.lyc == 0);
                s.frame_clock = 0;
                self.has_frame_ended = true;
                self.evaluate();
            }
            (true, false) => {
                (s.line, s.dot) = (0, 0);
                (s.lcd_first, s.lcd_blank, s.mode3_end) = (0, 0, 0);
                s.stat_src = -1;
                s.frame_clock = 4;
                let requests = s.iflag;
                self.has_frame_ended = true;
                self.evaluate();
                self.state.iflag = requests;
            }
            _ => {}
        }
    }
}
