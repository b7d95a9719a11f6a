//! Bank switching (section 16).

use crate::cartridge::{Cartridge, MapperKind, ROM_BANK};
use crate::rtc::Clock;

const RAM_BANK: usize = 0x2000;
const FIRST_CLOCK_REGISTER: u8 = 8;
const LAST_CLOCK_REGISTER: u8 = 12;

/// Bank registers of one console, and what they select.
#[derive(Clone, Debug)]
pub struct Mapper {
    pub(crate) is_ram_enabled: bool,
    pub(crate) bank1: u16,
    pub(crate) bank2: u8,
    pub(crate) bank_mode: u8,
    pub(crate) rtc_select: u8,
    pub(crate) clock: Clock,
    /// Offsets of `$0000` and `$4000` in the ROM.
    pub(crate) rom_bases: [usize; 2],
    ram_base: usize,
}

impl Default for Mapper {
    fn default() -> Self {
        Self {
            is_ram_enabled: false,
            bank1: 1,
            bank2: 0,
            bank_mode: 0,
            rtc_select: 0,
            clock: Clock::default(),
            rom_bases: [0, ROM_BANK],
            ram_base: 0,
        }
    }
}

impl Mapper {
    /// A write below `$8000`.
    pub(crate) fn write(&mut self, cartridge: &Cartridge, now: i64, address: u16, value: u8) {
        match cartridge.mapper {
            MapperKind::None => return,
            MapperKind::Mbc1 => self.write_mbc1(address, value),
            MapperKind::Mbc3 => self.write_mbc3(cartridge, now, address, value),
            MapperKind::Mbc5 => self.write_mbc5(cartridge, address, value),
        }
        self.select(cartridge);
    }

    fn write_mbc1(&mut self, address: u16, value: u8) {
        match address >> 13 {
            0 => self.is_ram_enabled = value & 15 == 10,
            1 => self.bank1 = u16::from(value & 0x1F).max(1),
            2 => self.bank2 = value & 3,
            _ => self.bank_mode = value & 1,
        }
    }

    fn write_mbc3(&mut self, cartridge: &Cartridge, now: i64, address: u16, value: u8) {
        let is_large = cartridge.rom.len() / ROM_BANK > 128 || cartridge.ram_bytes / RAM_BANK > 4;
        match address >> 13 {
            0 => self.is_ram_enabled = value & 15 == 10,
            1 => self.bank1 = u16::from(if is_large { value } else { value & 0x7F }).max(1),
            2 => match value & 15 {
                bank @ 0..=7 => {
                    self.bank2 = bank;
                    self.rtc_select = 0;
                }
                register @ FIRST_CLOCK_REGISTER..=LAST_CLOCK_REGISTER => self.rtc_select = register,
                _ => {}
            },
            _ if cartridge.has_clock => self.clock.write_latch(now, value),
            _ => {}
        }
    }

    fn write_mbc5(&mut self, cartridge: &Cartridge, address: u16, value: u8) {
        match address >> 12 {
            0 | 1 => self.is_ram_enabled = value == 10,
            2 => self.bank1 = self.bank1 & 0x100 | u16::from(value),
            3 => self.bank1 = self.bank1 & 0xFF | u16::from(value & 1) << 8,
            4 | 5 => self.bank2 = value & if cartridge.has_rumble { 7 } else { 15 },
            _ => {}
        }
    }

    /// Works out the offsets that the bank registers select.
    pub(crate) fn select(&mut self, cartridge: &Cartridge) {
        let (bank1, bank2) = (usize::from(self.bank1), usize::from(self.bank2));
        let moded = if self.bank_mode == 1 { bank2 } else { 0 };
        let (low, high, ram) = match cartridge.mapper {
            MapperKind::None => (0, 1, 0),
            MapperKind::Mbc1 => (moded << 5, bank2 << 5 | bank1, moded),
            MapperKind::Mbc3 | MapperKind::Mbc5 => (0, bank1, bank2),
        };
        self.rom_bases = [low, high].map(|bank| (bank & cartridge.bank_mask()) * ROM_BANK);
        self.ram_base = ram * RAM_BANK;
    }

    /// A read of `$A000-$BFFF`.
    pub(crate) fn read_ram(&self, cartridge: &Cartridge, ram: &[u8], address: u16) -> u8 {
        match self.clock_register(cartridge) {
            _ if !self.sees_ram(cartridge) => 0xFF,
            Some(register) if cartridge.has_clock => self.clock.read(register),
            Some(_) => 0xFF,
            None => self.ram_place(cartridge, address).map_or(0xFF, |place| ram[place]),
        }
    }

    /// A write to `$A000-$BFFF`.
    pub(crate) fn write_ram(&mut self, cartridge: &Cartridge, ram: &mut [u8], now: i64, address: u16, value: u8) {
        match self.clock_register(cartridge) {
            _ if !self.sees_ram(cartridge) => {}
            Some(register) if cartridge.has_clock => self.clock.write(now, register, value),
            Some(_) => {}
            None => {
                if let Some(place) = self.ram_place(cartridge, address) {
                    ram[place] = value;
                }
            }
        }
    }

    fn sees_ram(&self, cartridge: &Cartridge) -> bool {
        self.is_ram_enabled || cartridge.mapper == MapperKind::None
    }

    fn clock_register(&self, cartridge: &Cartridge) -> Option<usize> {
        let is_selected = cartridge.mapper == MapperKind::Mbc3 && self.rtc_select >= FIRST_CLOCK_REGISTER;
        is_selected.then(|| usize::from(self.rtc_select - FIRST_CLOCK_REGISTER))
    }

    fn ram_place(&self, cartridge: &Cartridge, address: u16) -> Option<usize> {
        let mask = cartridge.ram_bytes.checked_sub(1)?;
        Some((self.ram_base + usize::from(address & 0x1FFF)) & mask)
    }
}
