//! Headers, bank switching and the cartridge clock.

mod roms;

use gameboy::cartridge::{Cartridge, CartridgeError};
use gameboy::console::Console;
use gameboy::screen::PictureFormat;
use roms::{cartridge, console, console_at};

/// Code that writes bytes to addresses.
fn writes(pairs: &[(u16, u8)]) -> Vec<u8> {
    pairs.iter().flat_map(|&(address, value)| [0x3E, value, 0xEA, address as u8, (address >> 8) as u8]).collect()
}

/// A console after it has written bytes to addresses.
fn after(kind: u8, banks: usize, ram_code: u8, pairs: &[(u16, u8)]) -> Console {
    let rom = cartridge(kind, banks, ram_code, &writes(pairs));
    let mut console = console_at(&rom, |_| {});
    console.trace(2 * pairs.len());
    console
}

/// Number of the bank at `$4000`.
fn high_bank(console: &Console) -> usize {
    usize::from(console.machine().peek(0x7FFE)) << 8 | usize::from(console.machine().peek(0x7FFF))
}

#[test]
fn mbc1_joins_both_bank_registers_and_never_selects_bank_zero() {
    assert_eq!(high_bank(&after(1, 128, 0, &[(0x2000, 0)])), 1);
    assert_eq!(high_bank(&after(1, 128, 0, &[(0x2000, 0x25)])), 5);
    assert_eq!(high_bank(&after(1, 128, 0, &[(0x2000, 0x20), (0x4000, 2)])), 0x41);
    let moded = after(1, 128, 0, &[(0x4000, 1), (0x6000, 1)]);
    assert_eq!(moded.machine().peek(0x3FFF), 0x20);
}

#[test]
fn mbc3_has_seven_bits_of_bank() {
    assert_eq!(high_bank(&after(0x11, 128, 0, &[(0x2000, 0xFF)])), 127);
    assert_eq!(high_bank(&after(0x11, 128, 0, &[(0x3FFF, 0)])), 1);
}

#[test]
fn mbc5_selects_bank_zero_and_has_a_ninth_bit() {
    assert_eq!(high_bank(&after(0x19, 512, 0, &[(0x2000, 0)])), 0);
    assert_eq!(high_bank(&after(0x19, 512, 0, &[(0x2000, 0x34), (0x3000, 1)])), 0x134);
}

#[test]
fn disabled_or_missing_ram_reads_ff() {
    let write = [(0x0000, 0x0A), (0xA000, 0x42)];
    assert_eq!(after(3, 2, 2, &write).machine().peek(0xA000), 0x42);
    assert_eq!(after(3, 2, 2, &[(0x0000, 0x0A), (0xA000, 0x42), (0x0000, 0)]).machine().peek(0xA000), 0xFF);
    assert_eq!(after(3, 2, 0, &write).machine().peek(0xA000), 0xFF);
    // MBC5 wants the whole byte.
    assert_eq!(after(0x1B, 2, 2, &[(0x0000, 0x1A), (0xA000, 0x42)]).machine().peek(0xA000), 0xFF);
}

#[test]
fn two_kibibytes_of_ram_are_mirrored() {
    let console = after(3, 2, 1, &[(0x0000, 0x0A), (0xA123, 0x42)]);
    assert_eq!((console.machine().peek(0xA923), console.machine().peek(0xB923)), (0x42, 0x42));
}

#[test]
fn ram_banks_are_apart() {
    let console = after(3, 2, 3, &[(0x0000, 0x0A), (0x6000, 1), (0xA000, 1), (0x4000, 2), (0xA000, 2), (0x4000, 0)]);
    assert_eq!((console.machine().peek(0xA000), console.machine().cram()[0x4000]), (1, 2));
}

/// A cartridge with a clock whose next second is one slot away.
fn clock(change: impl FnOnce(&mut gameboy::canonical::Canonical)) -> Console {
    console_at(&cartridge(0x10, 2, 3, &[0; 8]), |state| {
        state.rtc_sub = 4_194_300;
        change(state);
    })
}

#[test]
fn a_second_carries_only_from_legal_values() {
    let mut rolls = clock(|state| (state.rtc_s, state.rtc_m, state.rtc_h) = (59, 59, 23));
    let mut wraps = clock(|state| (state.rtc_s, state.rtc_m) = (63, 5));
    rolls.trace(1);
    wraps.trace(1);

    let (rolled, wrapped) = (rolls.canonical(), wraps.canonical());
    assert_eq!((rolled.rtc_s, rolled.rtc_m, rolled.rtc_h, rolled.rtc_dl), (0, 0, 0, 1));
    assert_eq!((wrapped.rtc_s, wrapped.rtc_m), (0, 5));
}

#[test]
fn the_day_counter_sets_its_sticky_carry_after_511() {
    let mut console = clock(|state| {
        (state.rtc_s, state.rtc_m, state.rtc_h, state.rtc_dl, state.rtc_dh) = (59, 59, 23, 255, 1);
    });
    console.trace(1);

    let state = console.canonical();
    assert_eq!((state.rtc_dl, state.rtc_dh), (0, 0x80));
}

#[test]
fn a_halted_clock_stands() {
    let mut console = clock(|state| state.rtc_dh = 0x40);
    console.trace(4);

    let state = console.canonical();
    assert_eq!((state.rtc_s, state.rtc_sub), (0, 4_194_300));
}

#[test]
fn latching_takes_a_zero_and_then_a_one() {
    let pairs = [(0x0000, 0x0A), (0x4000, 8), (0x6000, 0), (0x6000, 1)];
    let rom = cartridge(0x10, 2, 3, &writes(&pairs));
    let mut console = console_at(&rom, |state| state.rtc_s = 17);

    console.trace(6);
    let unlatched = console.machine().peek(0xA000);
    console.trace(2);

    assert_eq!((unlatched, console.machine().peek(0xA000)), (0, 17));
}

#[test]
fn a_cartridge_without_a_clock_reads_ff_from_its_registers() {
    let console = after(0x13, 2, 3, &[(0x0000, 0x0A), (0x4000, 8)]);
    assert_eq!(console.machine().peek(0xA000), 0xFF);
}

#[test]
fn what_is_no_cartridge_is_refused_with_its_reason() {
    let good = cartridge(0, 2, 0, &[]);
    let changed = |place: usize, value: u8| {
        let mut rom = good.clone();
        rom[place] = value;
        rom
    };

    let refusal = |rom: &[u8], allow: bool| Cartridge::new(rom, allow).expect_err("this is no cartridge");

    assert_eq!(refusal(&good[..100], false), CartridgeError::Length(100));
    assert!(matches!(refusal(&changed(0x140, 1), false), CartridgeError::Checksum { .. }));
    assert_eq!(refusal(&changed(0x147, 6), true), CartridgeError::Type(6));
    assert_eq!(refusal(&changed(0x143, 0xC0), true), CartridgeError::ColorOnly);
    assert_eq!(refusal(&changed(0x143, 0xC4), true), CartridgeError::ColorOnly);
    assert_eq!(refusal(&changed(0x149, 9), true), CartridgeError::RamSize(9));
}

#[test]
fn a_type_without_ram_has_none_whatever_the_size_code_says() {
    let ram_of = |kind: u8| Cartridge::new(&cartridge(kind, 2, 3, &[]), false).map(|found| found.ram_bytes());
    assert_eq!([0x00, 0x01, 0x0F, 0x11, 0x19, 0x1C].map(ram_of), [0; 6].map(Ok));
    assert_eq!([0x03, 0x08, 0x13, 0x1E].map(ram_of), [0x8000; 4].map(Ok));
}

#[test]
fn odd_numbers_of_banks_are_padded() {
    let mut rom = cartridge(0x19, 3, 0, &[]);
    rom[0x8000] = 5;
    assert_eq!(Cartridge::new(&rom, false).map(|cartridge| cartridge.rom_bytes()), Ok(0x10000));
    assert_eq!(console(&rom, PictureFormat::None).machine().peek(0x0100), 0xC3);
}
