//! The memory map (section 11): plain memory at once, everything else out of line.

use crate::cpu::{Bus, Round, Skipped};
use crate::machine::Machine;
use crate::memory::{HRAM, OAM, VRAM, WRAM};

#[inline(always)]
fn is_hram(address: u16) -> bool {
    (0xFF80..0xFFFF).contains(&address)
}

impl Bus for Machine {
    #[inline(always)]
    fn read(&mut self, now: i64, address: u16) -> u8 {
        if address < 0x8000 {
            self.read_rom(address)
        } else if address & 0xE000 == 0xC000 {
            self.ram[WRAM + usize::from(address & 0x1FFF)]
        } else if is_hram(address) {
            self.ram[HRAM + usize::from(address & 0x7F)]
        } else {
            self.read_slow(now, address)
        }
    }

    #[inline(always)]
    fn write(&mut self, now: i64, address: u16, value: u8) {
        if now >= self.dma.due {
            // A transfer that starts in this slot reads memory as it was before the write.
            self.sync_dma_to(now);
        }
        self.rounds.activity += 1;
        if address & 0xE000 == 0xC000 {
            self.ram[WRAM + usize::from(address & 0x1FFF)] = value;
        } else if is_hram(address) {
            self.ram[HRAM + usize::from(address & 0x7F)] = value;
        } else {
            self.write_slow(now, address, value);
        }
    }

    #[inline(always)]
    fn idle(&mut self, _now: i64) {}

    #[inline(never)]
    fn pending(&mut self, now: i64) -> u8 {
        self.now = now;
        self.sample()
    }

    fn acknowledge(&mut self, bit: u32) {
        self.iflag &= !(1 << bit);
    }

    #[inline(always)]
    fn attend(&mut self) {
        self.rounds.activity += 1;
        self.next_due = 0;
    }

    #[inline(always)]
    fn notice_jump(&mut self) -> bool {
        self.rounds.notice_jump()
    }

    #[inline(never)]
    fn skip_rounds(&mut self, round: &Round) -> Skipped {
        self.rounds.skip(round, self.next_due)
    }
}

impl Machine {
    #[inline(always)]
    fn read_rom(&self, address: u16) -> u8 {
        if address < self.boot_end {
            return self.read_boot(address);
        }
        self.rom[self.mapper.rom_bases[usize::from(address >> 14 & 1)] + usize::from(address & 0x3FFF)]
    }

    #[cold]
    fn read_boot(&self, address: u16) -> u8 {
        self.shared.boot.map_or(0xFF, |boot| boot[usize::from(address & 0xFF)])
    }

    #[cold]
    fn sync_dma_to(&mut self, now: i64) {
        self.now = now;
        self.sync_dma();
    }

    #[inline(never)]
    fn read_slow(&mut self, now: i64, address: u16) -> u8 {
        self.now = now;
        match address {
            0xFF41 | 0xFF44 => {
                self.sync_ppu();
                // What these show changes with an event of the picture unit only.
                self.rounds.stable_until = self.rounds.stable_until.min(self.ppu.event);
            }
            _ => self.rounds.activity += 1,
        }
        match address {
            0x8000..=0x9FFF => {
                self.sync_ppu();
                let is_locked = self.ppu.locks_vram_read(self.now);
                if is_locked { 0xFF } else { self.ram[VRAM + usize::from(address & 0x1FFF)] }
            }
            0xFE00..=0xFE9F => {
                self.sync_ppu();
                let is_locked = self.dma.owns_oam(self.now) || self.ppu.locks_oam_read(self.now);
                if is_locked { 0xFF } else { self.ram[OAM + usize::from(address & 0xFF)] }
            }
            0xFF00..=0xFF7F | 0xFFFF => self.read_register(address),
            _ => self.peek(address),
        }
    }

    #[inline(never)]
    fn write_slow(&mut self, now: i64, address: u16, value: u8) {
        self.now = now;
        match address {
            0x0000..=0x7FFF => {
                let Self { mapper, shared, now, .. } = self;
                mapper.write(&shared.cartridge, *now, address, value);
            }
            0x8000..=0x9FFF => {
                self.sync_ppu();
                if !self.ppu.locks_vram_write(self.now) {
                    self.ram[VRAM + usize::from(address & 0x1FFF)] = value;
                }
            }
            0xA000..=0xBFFF => {
                let Self { mapper, shared, cram, now, .. } = self;
                mapper.write_ram(&shared.cartridge, cram, *now, address, value);
            }
            0xC000..=0xFDFF => self.ram[WRAM + usize::from(address & 0x1FFF)] = value,
            0xFE00..=0xFE9F => {
                self.sync_ppu();
                if !self.dma.owns_oam(self.now) && !self.ppu.locks_oam_write(self.now) {
                    self.ram[OAM + usize::from(address & 0xFF)] = value;
                }
            }
            0xFEA0..=0xFEFF => {}
            0xFF80..=0xFFFE => self.ram[HRAM + usize::from(address & 0x7F)] = value,
            0xFF00..=0xFF7F | 0xFFFF => self.write_register(address, value),
        }
    }

    /// A byte as it lies in memory: banks apply, locks do not. Registers read as they were last brought up to date.
    #[must_use]
    pub fn peek(&self, address: u16) -> u8 {
        match address {
            0x0000..=0x7FFF => self.read_rom(address),
            0x8000..=0x9FFF => self.ram[VRAM + usize::from(address & 0x1FFF)],
            0xA000..=0xBFFF => self.mapper.read_ram(&self.shared.cartridge, &self.cram, address),
            0xC000..=0xFDFF => self.ram[WRAM + usize::from(address & 0x1FFF)],
            0xFE00..=0xFE9F => self.ram[OAM + usize::from(address & 0xFF)],
            0xFEA0..=0xFEFF => 0,
            0xFF80..=0xFFFE => self.ram[HRAM + usize::from(address & 0x7F)],
            0xFF00..=0xFF7F | 0xFFFF => self.register(address),
        }
    }
}
