//! The scheduled machine against the one that is stepped M-cycle by M-cycle, field by field, on random code.

mod plain;
mod roms;

use gameboy::canonical::FIELDS;
use gameboy::console::Console;
use gameboy::screen::PictureFormat;
use kernel::pcg32::Pcg32;
use plain::PlainConsole;

const ILLEGAL: [u8; 11] = [0xD3, 0xDB, 0xDD, 0xE3, 0xE4, 0xEB, 0xEC, 0xED, 0xF4, 0xFC, 0xFD];
/// Registers whose writes change schedules.
const REGISTERS: [u8; 21] = [
    0x00, 0x01, 0x02, 0x04, 0x05, 0x06, 0x07, 0x0F, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x4A, 0x4B, 0xFF,
    0x0F, 0xFF,
];

struct Code {
    rng: Pcg32,
}

impl Code {
    fn below(&mut self, bound: u32) -> u32 {
        self.rng.next_u32() % bound
    }

    fn byte(&mut self) -> u8 {
        self.below(256) as u8
    }

    /// Some instructions that touch what the schedules depend on, else any legal byte.
    fn piece(&mut self) -> Vec<u8> {
        let register = REGISTERS[self.below(REGISTERS.len() as u32) as usize];
        match self.below(16) {
            0..=2 => vec![0x3E, self.byte(), 0xE0, register],
            3 | 4 => vec![0xF0, register],
            5 => vec![0xFB],
            6 => vec![0x76],
            7 => vec![0x3E, 0x80 | self.byte(), 0xE0, 0x40],
            8 => vec![0x3E, 1 + (self.byte() & 0x1E), 0xE0, 0xFF, 0xFB, 0x76],
            9 => vec![0x3E, 0xFC | self.byte(), 0xE0, 0x05 + (self.byte() & 1), 0x3E, 5, 0xE0, 0x07],
            10 => vec![0x21, self.byte(), [0x80, 0x9F, 0xFE, 0xA0, 0xC0, 0x20, 0x40, 0x60][self.below(8) as usize]],
            11 => vec![0x77, 0x7E, 0x34, 0xCB, 0x26],
            12 => vec![0x31, 0xFE & self.byte(), 0xDF],
            _ => {
                let byte = self.byte();
                vec![if ILLEGAL.contains(&byte) { 0x00 } else { byte }]
            }
        }
    }

    fn code(&mut self, length: usize) -> Vec<u8> {
        let mut code = vec![];
        while code.len() < length {
            code.extend(self.piece());
        }
        code.truncate(length);
        code
    }

    fn rom(&mut self, kind: u8, ram_code: u8) -> Vec<u8> {
        let code = self.code(0x3E00);
        let mut rom = roms::cartridge(kind, 4, ram_code, &code);
        for start in [0x4000, 0x8000, 0xC000] {
            let code = self.code(0x3F00);
            rom[start..start + code.len()].copy_from_slice(&code);
        }
        for handler in (0x00..0x68).step_by(8) {
            let bytes = [0xC9, 0xD9, 0xFB, 0x3C, 0x00][self.below(5) as usize];
            rom[handler] = bytes;
            rom[handler + 1] = 0xD9;
        }
        rom
    }
}

fn compare(seed: u64, frame: u32, fast: &mut Console, plain: &PlainConsole) {
    let (ours, theirs) = (fast.canonical().values(), plain.canonical().values());
    for ((field, ours), theirs) in FIELDS.iter().zip(ours).zip(theirs) {
        assert_eq!(ours, theirs, "seed {seed}, frame {frame}: {} differs", field.name);
    }
    assert!(fast.machine().ram()[..] == plain.machine.ram()[..], "seed {seed}, frame {frame}: memory differs");
    assert!(fast.machine().cram() == plain.machine.cartridge.ram, "seed {seed}, frame {frame}: cartridge RAM differs");
    assert!(fast.machine().serial_bytes() == plain.machine.serial, "seed {seed}, frame {frame}: serial bytes differ");
}

fn run(seed: u64, frames: u32) -> u32 {
    let mut code = Code { rng: Pcg32::from_seed(seed, 1) };
    let (kind, ram_code) = [(0, 0), (3, 3), (0x10, 3), (0x1B, 2), (3, 1)][code.below(5) as usize];
    let rom = code.rom(kind, ram_code);
    let mut fast = roms::console(&rom, PictureFormat::ShadeFull);
    let mut plain = PlainConsole::new(fast.canonical(), &rom, fast.machine().ram());
    for frame in 0..frames {
        let (dpad, buttons) = (code.byte() & code.byte() & 15, code.byte() & code.byte() & 15);
        fast.press(dpad, buttons);
        plain.press(dpad, buttons);
        fast.run_frame(frame % 3 == 0);
        plain.run_frame();
        compare(seed, frame, &mut fast, &plain);
        if fast.is_trapped() {
            return frame;
        }
        if frame % 4 == 3 {
            let saved = fast.save();
            fast.restore(&saved).expect("a saved console restores");
        }
    }
    frames
}

#[test]
fn scheduled_and_stepped_consoles_agree_on_random_code() {
    let seeds = std::env::var("DIORAMA_GB_LOCKSTEP_SEEDS").ok().and_then(|count| count.parse().ok()).unwrap_or(150);
    let frames: u32 = (0..seeds).map(|seed| run(seed, 24)).sum();
    assert!(frames > 4 * seeds as u32, "random code trapped too early to prove anything: {frames} frames");
}

/// A handler that counts VBlanks in HRAM, and a main loop that waits for the count to change.
fn waiting_rom(wait: &[u8]) -> Vec<u8> {
    // LD A,1; LDH ($FF),A; EI; then the loop.
    let mut rom = roms::cartridge(0, 2, 0, &[&[0x3E, 0x01, 0xE0, 0xFF, 0xFB], wait].concat());
    // PUSH AF; LDH A,($80); INC A; LDH ($80),A; POP AF; RETI.
    rom[0x40..0x49].copy_from_slice(&[0xF5, 0xF0, 0x80, 0x3C, 0xE0, 0x80, 0xF1, 0xD9, 0x00]);
    rom
}

#[test]
fn loops_that_wait_are_left_at_the_same_instruction_as_when_every_round_is_executed() {
    let waits: [&[u8]; 8] = [
        // JR to itself.
        &[0x18, 0xFE],
        // JP to itself.
        &[0xC3, 0x55, 0x01],
        // LDH A,($80); CP B; JR Z,loop; LD B,A; JR loop.
        &[0xF0, 0x80, 0xB8, 0x28, 0xFB, 0x47, 0x18, 0xF8],
        // The same with a counter beside it, so that no two rounds are equal.
        &[0x0C, 0xF0, 0x80, 0xB8, 0x28, 0xFA, 0x47, 0x18, 0xF7],
        // LDH A,($44); CP B; JR Z,loop; LD B,A; JR loop: LY changes by itself.
        &[0xF0, 0x44, 0xB8, 0x28, 0xFB, 0x47, 0x18, 0xF8],
        // LDH A,($44); CP $90; JR NZ,loop; INC C; JR loop: the usual wait for VBlank.
        &[0xF0, 0x44, 0xFE, 0x90, 0x20, 0xFA, 0x0C, 0x18, 0xF7],
        // LDH A,($41); AND 3; JR NZ,loop; INC C; JR loop: the usual wait for HBlank.
        &[0xF0, 0x41, 0xE6, 0x03, 0x20, 0xFA, 0x0C, 0x18, 0xF7],
        // HALT; JR loop.
        &[0x76, 0x18, 0xFD],
    ];
    for (number, wait) in (0..).zip(waits) {
        let rom = waiting_rom(wait);
        let mut fast = roms::console(&rom, PictureFormat::None);
        let mut plain = PlainConsole::new(fast.canonical(), &rom, fast.machine().ram());
        for frame in 0..12 {
            fast.run_frame(false);
            plain.run_frame();
            compare(number, frame, &mut fast, &plain);
        }
    }
}
