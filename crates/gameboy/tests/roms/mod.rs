//! Cartridges made of a few bytes.

use std::sync::Arc;

use gameboy::canonical::Canonical;
use gameboy::cartridge::Cartridge;
use gameboy::console::Console;
use gameboy::machine::Shared;
use gameboy::screen::PictureFormat;

/// Where the code of a test cartridge begins.
pub const CODE: i32 = 0x150;

/// A cartridge with this type, number of 16 KiB banks and RAM size code, and code at `$0150`.
pub fn cartridge(kind: u8, banks: usize, ram_code: u8, code: &[u8]) -> Vec<u8> {
    let mut rom = vec![0; banks * 0x4000];
    for (bank, bytes) in rom.chunks_exact_mut(0x4000).enumerate() {
        bytes[0x3FFF] = bank as u8;
        bytes[0x3FFE] = (bank >> 8) as u8;
    }
    rom[0x147] = kind;
    rom[0x149] = ram_code;
    // A jump over the header.
    rom[0x100..0x103].copy_from_slice(&[0xC3, 0x50, 0x01]);
    rom[0x150..0x150 + code.len()].copy_from_slice(code);
    rom[0x14D] = rom[0x134..0x14D].iter().fold(0u8, |sum, &byte| sum.wrapping_sub(byte).wrapping_sub(1));
    rom
}

/// A console that has been booted and stands at `$0100` of a ROM.
pub fn console(rom: &[u8], format: PictureFormat) -> Console {
    let cartridge = Cartridge::new(rom, false).expect("the test's cartridge is in order");
    Console::new(Arc::new(Shared { cartridge, boot: None }), format)
}

/// A console about to run this code, with its state changed before.
#[allow(dead_code, reason = "not every test file starts in the middle")]
pub fn console_at(rom: &[u8], change: impl FnOnce(&mut Canonical)) -> Console {
    let mut console = console(rom, PictureFormat::ShadeFull);
    let mut state = console.canonical();
    state.pc = CODE;
    change(&mut state);
    console.load(&state);
    console
}
