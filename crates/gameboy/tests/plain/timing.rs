//! Timer, serial port, DMA and cartridge clock, one M-cycle at a time.

use super::PlainMachine;

const TAC_BITS: [i32; 4] = [9, 3, 5, 7];

impl PlainMachine {
    fn timer_input(&self) -> bool {
        let s = &self.state;
        s.tac & 4 != 0 && s.div16 >> TAC_BITS[(s.tac & 3) as usize] & 1 == 1
    }

    fn count_timer(&mut self) {
        self.state.tima = (self.state.tima + 1) & 0xFF;
        if self.state.tima == 0 {
            self.state.tima_state = 1;
        }
    }

    pub(super) fn step_timer(&mut self) {
        self.has_reloaded = self.state.tima_state == 1;
        if self.has_reloaded {
            self.state.tima = self.state.tma;
            self.state.tima_state = 0;
            self.state.iflag |= 4;
        }
        let (was_high, shift_was_high) = (self.timer_input(), self.state.div16 >> 8 & 1 == 1);
        self.state.div16 = (self.state.div16 + 4) & 0xFFFF;
        if was_high && !self.timer_input() {
            self.count_timer();
        }
        if shift_was_high && self.state.div16 >> 8 & 1 == 0 && self.state.ser_bits > 0 {
            self.state.ser_bits -= 1;
            if self.state.ser_bits == 0 {
                self.state.sc &= 1;
                self.state.sb = 0xFF;
                self.state.iflag |= 8;
            }
        }
    }

    pub(super) fn write_timer(&mut self, address: u16, value: i32) {
        match address {
            0xFF04 => {
                if self.timer_input() {
                    self.count_timer();
                }
                self.state.div16 = 0;
            }
            0xFF05 => {
                if !self.has_reloaded {
                    self.state.tima = value;
                    self.state.tima_state = 0;
                }
            }
            0xFF06 => {
                self.state.tma = value;
                if self.has_reloaded {
                    self.state.tima = value;
                }
            }
            _ => {
                let was_high = self.timer_input();
                self.state.tac = value & 7;
                if was_high && !self.timer_input() {
                    self.count_timer();
                }
            }
        }
    }

    pub(super) fn write_serial_control(&mut self, value: i32) {
        self.state.sc = value & 0x81;
        self.state.ser_bits = 0;
        if self.state.sc == 0x81 {
            self.state.ser_bits = 8;
            if self.serial.len() < 1024 {
                self.serial.push(self.state.sb as u8);
            } else {
                self.state.serial_overflow = 1;
            }
        }
    }

    pub(super) fn write_dma(&mut self, value: i32) {
        self.state.dma_reg = value;
        if self.state.dma_t < 0 {
            self.state.dma_t = 0;
        } else {
            self.state.dma_next = value;
            self.state.dma_next_t = 0;
        }
    }

    pub(super) fn step_dma(&mut self) {
        let mut page = None;
        if self.state.dma_t >= 0 {
            self.state.dma_t += 1;
            if self.state.dma_t == 2 {
                page = Some(self.state.dma_reg);
            }
            if self.state.dma_t == 162 {
                self.state.dma_t = -1;
            }
        }
        if self.state.dma_next >= 0 {
            self.state.dma_next_t += 1;
            if self.state.dma_next_t == 2 {
                page = Some(self.state.dma_next);
                self.state.dma_t = 2;
                self.state.dma_next = -1;
                self.state.dma_next_t = 0;
            }
        }
        if let Some(page) = page {
            self.copy_page(page);
        }
    }

    fn copy_page(&mut self, page: i32) {
        let page = if page >= 0xE0 { page - 0x20 } else { page } as u16;
        for byte in 0..160 {
            let address = page << 8 | byte;
            self.oam[usize::from(byte)] = match address {
                0x8000..=0x9FFF => self.vram[usize::from(address - 0x8000)],
                0xC000..=0xDFFF => self.wram[usize::from(address - 0xC000)],
                _ => self.cartridge.read(&self.state, address),
            };
        }
    }

    pub(super) fn step_clock(&mut self) {
        let s = &mut self.state;
        if !self.cartridge.has_clock || s.rtc_dh & 0x40 != 0 {
            return;
        }
        s.rtc_sub += 4;
        if s.rtc_sub < 4_194_304 {
            return;
        }
        s.rtc_sub = 0;
        s.rtc_s = (s.rtc_s + 1) & 63;
        if s.rtc_s == 60 {
            s.rtc_s = 0;
            s.rtc_m = (s.rtc_m + 1) & 63;
        }
    }
}
