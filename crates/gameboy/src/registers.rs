//! The registers `$FF00-$FF7F` and `$FFFF` (section 11).

use crate::machine::Machine;
use crate::memory::AUDIO;

const FIRST_AUDIO: u16 = 0xFF10;
/// Bits of `$FF10-$FF26` that always read as ones.
const AUDIO_MASKS: [u8; 23] = [
    0x80, 0x3F, 0x00, 0xFF, 0xBF, 0xFF, 0x3F, 0x00, 0xFF, 0xBF, 0x7F, 0xFF, 0x9F, 0xFF, 0xBF, 0xFF, 0xFF, 0x00, 0x00,
    0xBF, 0x00, 0x00, 0x70,
];

impl Machine {
    /// A register in the current slot.
    pub(crate) fn read_register(&mut self, address: u16) -> u8 {
        match address & 0xFF {
            0x01..=0x07 => self.sync_timers(),
            0x0F => self.sync(),
            0x40..=0x4B => self.sync_ppu(),
            _ => {}
        }
        self.register(address)
    }

    /// A register as it was last brought up to date.
    pub(crate) fn register(&self, address: u16) -> u8 {
        match address & 0xFF {
            0x00 => self.joypad.read(),
            0x01 => self.serial.sb,
            0x02 => self.serial.sc | 0x7E,
            0x04 => (self.timer.div16(self.now) >> 8) as u8,
            0x05 => self.timer.tima,
            0x06 => self.timer.tma,
            0x07 => self.timer.tac | 0xF8,
            0x0F => self.iflag | 0xE0,
            0x10..=0x26 => self.audio(address) | AUDIO_MASKS[usize::from(address - FIRST_AUDIO)],
            0x30..=0x3F => self.audio(address),
            0x40 => self.ppu.lcdc,
            0x41 => self.ppu.read_stat(self.now),
            0x42 => self.ppu.scy,
            0x43 => self.ppu.scx,
            0x44 => self.ppu.line as u8,
            0x45 => self.ppu.lyc,
            0x46 => self.dma.register,
            0x47 => self.ppu.bgp,
            0x48 => self.ppu.obp0,
            0x49 => self.ppu.obp1,
            0x4A => self.ppu.wy,
            0x4B => self.ppu.wx,
            0xFF => self.ie,
            _ => 0xFF,
        }
    }

    /// Writes a register in the current slot.
    pub(crate) fn write_register(&mut self, address: u16, value: u8) {
        match address & 0xFF {
            0x00 => {
                let requests = self.joypad.write(value);
                self.request(requests);
            }
            0x01..=0x07 => self.write_timing(address, value),
            0x0F => {
                self.sync();
                self.iflag = value & 0x1F;
                self.next_due = 0;
            }
            0x10..=0x26 | 0x30..=0x3F => self.ram[AUDIO + usize::from(address - FIRST_AUDIO)] = value,
            0x40..=0x4B => self.write_picture(address, value),
            0x50 if value & 1 == 1 => self.boot_end = 0,
            0xFF => {
                self.ie = value;
                self.next_due = 0;
            }
            _ => {}
        }
    }

    /// Serial port, divider and timer.
    fn write_timing(&mut self, address: u16, value: u8) {
        self.sync_timers();
        match address & 0xFF {
            0x01 => return self.serial.sb = value,
            0x02 => self.serial.write_control(value),
            0x04 => self.timer.write_div(self.now),
            0x05 => self.timer.write_tima(self.now, value),
            0x06 => return self.timer.write_tma(self.now, value),
            0x07 => self.timer.write_tac(self.now, value),
            _ => return,
        }
        self.next_due = 0;
    }

    /// Picture unit and OAM DMA. What changes no schedule comes first.
    fn write_picture(&mut self, address: u16, value: u8) {
        self.sync_ppu();
        match address & 0xFF {
            0x42 => return self.ppu.scy = value,
            0x43 => return self.ppu.scx = value,
            0x47 => return self.ppu.bgp = value,
            0x48 => return self.ppu.obp0 = value,
            0x49 => return self.ppu.obp1 = value,
            0x4A => return self.ppu.wy = value,
            0x4B => return self.ppu.wx = value,
            0x40 => self.write_lcdc(value),
            0x41 => {
                let requests = self.ppu.write_stat(value);
                self.request(requests);
            }
            0x45 => {
                let requests = self.ppu.write_lyc(self.now, value);
                self.request(requests);
            }
            0x46 => self.dma.write(self.now, value),
            _ => return,
        }
        self.next_due = 0;
    }

    fn audio(&self, address: u16) -> u8 {
        self.ram[AUDIO + usize::from(address - FIRST_AUDIO)]
    }
}
