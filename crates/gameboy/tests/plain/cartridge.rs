//! Bank switching for the kinds of cartridge that random code runs on.

use gameboy::canonical::Canonical;

/// ROM, RAM and what the header says.
pub struct PlainCartridge {
    rom: Vec<u8>,
    pub ram: Vec<u8>,
    kind: u8,
    pub has_clock: bool,
}

impl PlainCartridge {
    pub fn new(rom: &[u8]) -> Self {
        let ram_bytes = [1, 0x800, 0x2000, 0x8000, 0x20000, 0x10000][usize::from(rom[0x149])];
        let kind = rom[0x147];
        Self { rom: rom.to_vec(), ram: vec![0; ram_bytes], kind, has_clock: matches!(kind, 0x0F | 0x10) }
    }

    fn is_mbc1(&self) -> bool {
        (1..=3).contains(&self.kind)
    }

    fn is_mbc3(&self) -> bool {
        (0x0F..=0x13).contains(&self.kind)
    }

    pub fn read(&self, s: &Canonical, address: u16) -> u8 {
        let moded = if s.bank_mode == 1 { s.bank2 } else { 0 };
        let bank = match address {
            0x0000..=0x3FFF if self.is_mbc1() => moded << 5,
            0x0000..=0x3FFF => 0,
            _ if self.is_mbc1() => s.bank2 << 5 | s.bank1,
            _ if self.kind == 0 => 1,
            _ => s.bank1,
        };
        if address < 0x8000 {
            let place = (bank as usize % (self.rom.len() / 0x4000)) * 0x4000 + usize::from(address & 0x3FFF);
            return self.rom[place];
        }
        if s.ram_enable == 0 && self.kind != 0 {
            return 0xFF;
        }
        if self.is_mbc3() && s.rtc_select >= 8 {
            let latched = [s.rtcl_s, s.rtcl_m, s.rtcl_h, s.rtcl_dl, s.rtcl_dh];
            return if self.has_clock { latched[(s.rtc_select - 8) as usize] as u8 } else { 0xFF };
        }
        if self.ram.len() == 1 { 0xFF } else { self.ram[self.place(s, address)] }
    }

    fn place(&self, s: &Canonical, address: u16) -> usize {
        let bank = if self.is_mbc1() && s.bank_mode == 0 { 0 } else { s.bank2 };
        (bank as usize * 0x2000 + usize::from(address & 0x1FFF)) % self.ram.len()
    }

    pub fn write(&mut self, s: &mut Canonical, address: u16, value: u8) {
        let number = i32::from(value);
        if address >= 0xA000 {
            return self.write_ram(s, address, value);
        }
        match address >> 12 {
            _ if self.kind == 0 => {}
            0 | 1 if self.kind >= 0x19 => s.ram_enable = i32::from(value == 10),
            0 | 1 => s.ram_enable = i32::from(value & 15 == 10),
            2 | 3 if self.is_mbc1() => s.bank1 = (number & 31).max(1),
            2 | 3 if self.is_mbc3() => s.bank1 = (number & 127).max(1),
            2 => s.bank1 = s.bank1 & 0x100 | number,
            3 => s.bank1 = s.bank1 & 0xFF | (number & 1) << 8,
            4 | 5 if self.is_mbc1() => s.bank2 = number & 3,
            4 | 5 if self.is_mbc3() => match number & 15 {
                bank @ 0..=7 => (s.bank2, s.rtc_select) = (bank, 0),
                register @ 8..=12 => s.rtc_select = register,
                _ => {}
            },
            4 | 5 => s.bank2 = number & 15,
            _ if self.is_mbc1() => s.bank_mode = number & 1,
            _ if self.has_clock => {
                if value == 1 && s.rtc_latch_armed == 1 {
                    (s.rtcl_s, s.rtcl_m, s.rtcl_h, s.rtcl_dl, s.rtcl_dh) =
                        (s.rtc_s, s.rtc_m, s.rtc_h, s.rtc_dl, s.rtc_dh);
                }
                s.rtc_latch_armed = i32::from(value == 0);
            }
            _ => {}
        }
    }

    fn write_ram(&mut self, s: &mut Canonical, address: u16, value: u8) {
        if s.ram_enable == 0 && self.kind != 0 {
            return;
        }
        if self.is_mbc3() && s.rtc_select >= 8 {
            if self.has_clock {
                write_clock(s, i32::from(value));
            }
        } else if self.ram.len() > 1 {
            let place = self.place(s, address);
            self.ram[place] = value;
        }
    }
}

fn write_clock(s: &mut Canonical, value: i32) {
    match s.rtc_select {
        8 => {
            (s.rtc_s, s.rtcl_s) = (value & 63, value & 63);
            s.rtc_sub = 0;
        }
        9 => (s.rtc_m, s.rtcl_m) = (value & 63, value & 63),
        10 => (s.rtc_h, s.rtcl_h) = (value & 31, value & 31),
        11 => (s.rtc_dl, s.rtcl_dl) = (value, value),
        _ => (s.rtc_dh, s.rtcl_dh) = (value & 0xC1, value & 0xC1),
    }
}
