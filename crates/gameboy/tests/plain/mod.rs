//! The machine of sections 7 to 19 stepped one M-cycle at a time, straight from the rules: the oracle of the fast one.

mod cartridge;
mod picture;
mod timing;

use gameboy::canonical::Canonical;
use gameboy::cpu::{Bus, Cpu};

pub use cartridge::PlainCartridge;

const AUDIO_MASKS: [u8; 23] = [
    0x80, 0x3F, 0x00, 0xFF, 0xBF, 0xFF, 0x3F, 0x00, 0xFF, 0xBF, 0x7F, 0xFF, 0x9F, 0xFF, 0xBF, 0xFF, 0xFF, 0x00, 0x00,
    0xBF, 0x00, 0x00, 0x70,
];

/// Canonical scalars and memory, moved M-cycle by M-cycle.
pub struct PlainMachine {
    pub state: Canonical,
    pub vram: Vec<u8>,
    pub wram: Vec<u8>,
    pub oam: Vec<u8>,
    pub hram: Vec<u8>,
    pub audio: Vec<u8>,
    pub cartridge: PlainCartridge,
    pub serial: Vec<u8>,
    has_reloaded: bool,
    has_frame_ended: bool,
    /// Whether the picture unit has not yet made the M-cycle that ended now.
    owes_picture: bool,
}

impl PlainMachine {
    pub fn new(state: Canonical, rom: &[u8], ram: &[u8]) -> Self {
        Self {
            state,
            vram: ram[..0x2000].to_vec(),
            wram: ram[0x2000..0x4000].to_vec(),
            oam: ram[0x4000..0x40A0].to_vec(),
            hram: ram[0x4100..0x4180].to_vec(),
            audio: ram[0x4180..0x41B0].to_vec(),
            cartridge: PlainCartridge::new(rom),
            serial: Vec::new(),
            has_reloaded: false,
            has_frame_ended: false,
            owes_picture: false,
        }
    }

    /// The memory block of section 6.
    pub fn ram(&self) -> Vec<u8> {
        let mut ram = vec![0; 0x4200];
        ram[..0x2000].copy_from_slice(&self.vram);
        ram[0x2000..0x4000].copy_from_slice(&self.wram);
        ram[0x4000..0x40A0].copy_from_slice(&self.oam);
        ram[0x4100..0x4180].copy_from_slice(&self.hram);
        ram[0x4180..0x41B0].copy_from_slice(&self.audio);
        ram
    }

    /// Lets an M-cycle pass for everything but the picture unit, which follows when it is next needed.
    fn pass(&mut self) {
        self.catch_up_picture();
        self.state.cycle_count += 4;
        self.step_dma();
        self.step_timer();
        self.step_clock();
        if self.state.lcdc & 0x80 == 0 {
            self.state.frame_clock += 4;
        }
        self.owes_picture = true;
    }

    fn catch_up_picture(&mut self) {
        if std::mem::take(&mut self.owes_picture) {
            self.step_picture();
        }
    }

    fn requested(&self) -> i32 {
        self.state.ie & self.state.iflag & 0x1F
    }

    fn take_frame_end(&mut self) -> bool {
        if self.state.lcdc & 0x80 == 0 && self.state.frame_clock >= 70_224 {
            self.state.frame_clock -= 70_224;
            self.has_frame_ended = true;
        }
        std::mem::take(&mut self.has_frame_ended)
    }

    fn load(&mut self, address: u16) -> u8 {
        let s = &self.state;
        match address {
            0x0000..=0x7FFF | 0xA000..=0xBFFF => self.cartridge.read(s, address),
            0x8000..=0x9FFF if self.is_vram_closed(false) => 0xFF,
            0x8000..=0x9FFF => self.vram[usize::from(address - 0x8000)],
            0xC000..=0xFDFF => self.wram[usize::from(address & 0x1FFF)],
            0xFE00..=0xFE9F if self.is_oam_closed(false) => 0xFF,
            0xFE00..=0xFE9F => self.oam[usize::from(address - 0xFE00)],
            0xFEA0..=0xFEFF => 0,
            0xFF80..=0xFFFE => self.hram[usize::from(address - 0xFF80)],
            _ => self.register(address),
        }
    }

    fn register(&self, address: u16) -> u8 {
        let s = &self.state;
        let value = match address {
            0xFF00 => 0xC0 | s.joy_select | self.lines(),
            0xFF01 => s.sb,
            0xFF02 => s.sc | 0x7E,
            0xFF04 => s.div16 >> 8,
            0xFF05 => s.tima,
            0xFF06 => s.tma,
            0xFF07 => s.tac | 0xF8,
            0xFF0F => s.iflag | 0xE0,
            0xFF10..=0xFF26 => {
                let place = usize::from(address - 0xFF10);
                i32::from(self.audio[place] | AUDIO_MASKS[place])
            }
            0xFF30..=0xFF3F => i32::from(self.audio[usize::from(address - 0xFF10)]),
            0xFF40 => s.lcdc,
            0xFF41 => 0x80 | s.stat_en | s.lyc_flag << 2 | self.mode(),
            0xFF42 => s.scy,
            0xFF43 => s.scx,
            0xFF44 => s.line,
            0xFF45 => s.lyc,
            0xFF46 => s.dma_reg,
            0xFF47 => s.bgp,
            0xFF48 => s.obp0,
            0xFF49 => s.obp1,
            0xFF4A => s.wy,
            0xFF4B => s.wx,
            0xFFFF => s.ie,
            _ => 0xFF,
        };
        value as u8
    }

    fn store(&mut self, address: u16, value: u8) {
        match address {
            0x0000..=0x7FFF | 0xA000..=0xBFFF => self.cartridge.write(&mut self.state, address, value),
            0x8000..=0x9FFF => {
                if !self.is_vram_closed(true) {
                    self.vram[usize::from(address - 0x8000)] = value;
                }
            }
            0xC000..=0xFDFF => self.wram[usize::from(address & 0x1FFF)] = value,
            0xFE00..=0xFE9F => {
                if !self.is_oam_closed(true) {
                    self.oam[usize::from(address - 0xFE00)] = value;
                }
            }
            0xFEA0..=0xFEFF => {}
            0xFF80..=0xFFFE => self.hram[usize::from(address - 0xFF80)] = value,
            _ => self.set_register(address, value),
        }
    }

    fn set_register(&mut self, address: u16, byte: u8) {
        let value = i32::from(byte);
        match address {
            0xFF00 => {
                let before = self.lines();
                self.state.joy_select = value & 0x30;
                self.state.iflag |= if before & !self.lines() != 0 { 16 } else { 0 };
            }
            0xFF01 => self.state.sb = value,
            0xFF02 => self.write_serial_control(value),
            0xFF04..=0xFF07 => self.write_timer(address, value),
            0xFF0F => self.state.iflag = value & 0x1F,
            0xFF10..=0xFF26 | 0xFF30..=0xFF3F => self.audio[usize::from(address - 0xFF10)] = byte,
            0xFF40 => self.write_lcdc(value),
            0xFF41 => {
                self.state.stat_en = value & 0x78;
                self.evaluate();
            }
            0xFF42 => self.state.scy = value,
            0xFF43 => self.state.scx = value,
            0xFF45 => self.write_lyc(value),
            0xFF46 => self.write_dma(value),
            0xFF47 => self.state.bgp = value,
            0xFF48 => self.state.obp0 = value,
            0xFF49 => self.state.obp1 = value,
            0xFF4A => self.state.wy = value,
            0xFF4B => self.state.wx = value,
            0xFF50 if value & 1 == 1 => self.state.boot_mapped = 0,
            0xFFFF => self.state.ie = value,
            _ => {}
        }
    }

    fn lines(&self) -> i32 {
        let s = &self.state;
        let dpad = if s.joy_select & 0x10 == 0 { s.dpad } else { 0 };
        let buttons = if s.joy_select & 0x20 == 0 { s.buttons } else { 0 };
        0xF & !(dpad | buttons)
    }

    fn press(&mut self, dpad: u8, buttons: u8) {
        let before = self.lines();
        (self.state.dpad, self.state.buttons) = (dpad.into(), buttons.into());
        self.state.iflag |= if before & !self.lines() != 0 { 16 } else { 0 };
    }
}

impl Bus for PlainMachine {
    fn read(&mut self, _now: i64, address: u16) -> u8 {
        self.catch_up_picture();
        let value = self.load(address);
        self.pass();
        value
    }

    fn write(&mut self, _now: i64, address: u16, value: u8) {
        self.catch_up_picture();
        self.store(address, value);
        self.pass();
    }

    fn idle(&mut self, _now: i64) {
        self.pass();
    }

    fn pending(&mut self, _now: i64) -> u8 {
        self.requested() as u8
    }

    fn acknowledge(&mut self, bit: u32) {
        self.state.iflag &= !(1 << bit);
    }

    fn attend(&mut self) {}
}

/// A console whose machine is stepped.
pub struct PlainConsole {
    cpu: Cpu,
    pub machine: PlainMachine,
}

impl PlainConsole {
    pub fn new(state: Canonical, rom: &[u8], ram: &[u8]) -> Self {
        let cpu = Cpu::from_canonical(&state);
        Self { cpu, machine: PlainMachine::new(state, rom, ram) }
    }

    pub fn press(&mut self, dpad: u8, buttons: u8) {
        if self.cpu.trap.kind == 0 {
            self.machine.press(dpad, buttons);
        }
    }

    pub fn run_frame(&mut self) {
        while self.cpu.trap.kind == 0 {
            if self.advance() {
                self.machine.state.frame_count += 1;
                return;
            }
        }
    }

    fn advance(&mut self) -> bool {
        let mut samples = true;
        if self.cpu.halted {
            if self.machine.requested() == 0 {
                self.machine.pass();
                self.machine.catch_up_picture();
                return self.machine.take_frame_end();
            }
            self.cpu.halted = false;
            self.machine.pass();
        } else if self.cpu.dispatch_pending {
            self.cpu.dispatch(&mut self.machine);
            samples = false;
        } else if self.cpu.halt_bug {
            self.cpu.execute_halt_bug(&mut self.machine);
        } else {
            self.cpu.execute(&mut self.machine);
        }
        if samples {
            self.cpu.dispatch_pending = self.cpu.ime && self.machine.requested() != 0;
            self.cpu.ime |= std::mem::take(&mut self.cpu.ei_delay);
        }
        self.machine.catch_up_picture();
        self.machine.take_frame_end()
    }

    pub fn canonical(&self) -> Canonical {
        let serial_len = self.machine.serial.len() as i32;
        self.cpu.put_into(Canonical { serial_len, ..self.machine.state })
    }
}
