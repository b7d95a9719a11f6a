//! Everything behind the processor's bus. Parts keep due times; each is brought up to date when it is looked at.

use std::sync::Arc;

use crate::cartridge::Cartridge;
use crate::cpu::Rounds;
use crate::dma::Dma;
use crate::joypad::Joypad;
use crate::mapper::Mapper;
use crate::memory::{self, OAM, OAM_BYTES, Ram};
use crate::ppu::Ppu;
use crate::ppu::power::Switched;
use crate::schedule::{FRAME, NEVER, SLOT};
use crate::screen::{PictureFormat, Screen};
use crate::serial::{SERIAL_REQUEST, Serial};
use crate::timer::{TIMER_REQUEST, Timer};

/// Bits of `ie` and `iflag` that mean something.
pub const REQUESTS: u8 = 0x1F;
/// `frame_clock` in the slot that switches the LCD off.
const CLOCK_AT_SWITCH_OFF: i64 = 4;

/// Bytes that the boot stub covers.
pub(crate) const BOOT_BYTES: u16 = 256;

/// A boot stub, mapped over the first page until it switches itself off.
pub type BootStub = [u8; 256];

/// What all lanes of a batch share.
#[derive(Clone, Debug)]
pub struct Shared {
    /// The cartridge.
    pub cartridge: Cartridge,
    /// The boot stub; without one consoles start as after a boot.
    pub boot: Option<BootStub>,
}

/// Memory and devices of one console.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Time of the last slot or boundary that needed it.
    pub(crate) now: i64,
    /// First time at which a boundary must do more than go on.
    pub(crate) next_due: i64,
    pub(crate) rounds: Rounds,
    pub(crate) shared: Arc<Shared>,
    /// The cartridge's ROM, held here because every fetch goes through it.
    pub(crate) rom: Arc<[u8]>,
    pub(crate) ram: Box<Ram>,
    pub(crate) cram: Vec<u8>,
    pub(crate) mapper: Mapper,
    /// First address that the boot stub does not cover: 0 once it is unmapped.
    pub(crate) boot_end: u16,
    pub(crate) iflag: u8,
    pub(crate) ie: u8,
    pub(crate) timer: Timer,
    pub(crate) serial: Serial,
    pub(crate) joypad: Joypad,
    pub(crate) dma: Dma,
    pub(crate) ppu: Ppu,
    pub(crate) screen: Screen,
    /// When `frame_clock` was zero; meaningful while the LCD is off.
    pub(crate) frame_base: i64,
}

impl Machine {
    /// A machine at time 0 with everything zero and the LCD off.
    pub(crate) fn new(shared: Arc<Shared>, format: PictureFormat) -> Self {
        let cram = vec![0; shared.cartridge.ram_bytes.max(1)];
        Self {
            now: 0,
            next_due: 0,
            rounds: Rounds::default(),
            rom: Arc::clone(&shared.cartridge.rom),
            ram: memory::blank(),
            cram,
            mapper: Mapper::default(),
            boot_end: if shared.boot.is_some() { BOOT_BYTES } else { 0 },
            iflag: 0,
            ie: 0,
            timer: Timer::new(0, 0),
            serial: Serial::default(),
            joypad: Joypad::default(),
            dma: Dma::default(),
            ppu: Ppu::default(),
            screen: Screen::new(format),
            frame_base: 0,
            shared,
        }
    }

    /// Brings DMA, timer and serial port to now and the picture unit to one M-cycle before, as a boundary samples them.
    pub(crate) fn sample(&mut self) -> u8 {
        self.sync_dma();
        self.sync_timers();
        self.sync_ppu_to(self.now - SLOT);
        self.requested()
    }

    /// Brings everything to now.
    pub(crate) fn sync(&mut self) {
        self.sync_timers();
        self.sync_ppu();
    }

    /// Requests that are set and enabled.
    pub(crate) fn requested(&self) -> u8 {
        self.ie & self.iflag & REQUESTS
    }

    #[inline]
    pub(crate) fn sync_timers(&mut self) {
        self.iflag |= self.timer.sync(self.now);
        self.iflag |= self.serial.sync(self.now, self.timer.div_base);
    }

    /// Brings DMA and then the picture unit to now.
    #[inline]
    pub(crate) fn sync_ppu(&mut self) {
        self.sync_dma();
        self.sync_ppu_to(self.now);
    }

    #[inline]
    fn sync_ppu_to(&mut self, to: i64) {
        self.iflag |= self.ppu.sync(to, &self.ram, &mut self.screen);
    }

    #[inline(always)]
    pub(crate) fn sync_dma(&mut self) {
        if self.now >= self.dma.due {
            self.copy_objects();
        }
    }

    #[cold]
    fn copy_objects(&mut self) {
        // What the picture unit did before this moment saw OAM without the new bytes.
        self.sync_ppu_to(self.dma.due - SLOT);
        let Some(page) = self.dma.start() else { return };
        let page = if page >= 0xE0 { page - 0x20 } else { page };
        for byte in 0..OAM_BYTES {
            self.ram[OAM + byte] = self.peek(u16::from(page) << 8 | byte as u16);
        }
    }

    /// Raises requests, if there are any, and has the next boundary look at those that are enabled.
    pub(crate) fn request(&mut self, requests: u8) {
        self.iflag |= requests;
        if requests & self.ie != 0 {
            self.next_due = 0;
        }
    }

    /// Writes LCDC in the current slot.
    pub(crate) fn write_lcdc(&mut self, value: u8) {
        let (switched, requests) = self.ppu.write_lcdc(self.now, value);
        match switched {
            Switched::No => {}
            Switched::On => self.frame_base = NEVER,
            Switched::Off => {
                self.frame_base = self.now - CLOCK_AT_SWITCH_OFF;
                self.screen.clear();
            }
        }
        self.request(requests);
    }

    /// T-cycles of the current frame while the LCD is off, else 0.
    pub(crate) fn frame_clock(&self) -> i64 {
        if self.ppu.is_on() { 0 } else { self.now - self.frame_base }
    }

    /// Whether a frame has ended since the last test; everything must be up to date.
    pub(crate) fn take_frame_end(&mut self) -> bool {
        if !self.ppu.is_on() && self.now - self.frame_base >= FRAME {
            self.frame_base += FRAME;
            self.ppu.has_frame_ended = true;
        }
        std::mem::take(&mut self.ppu.has_frame_ended)
    }

    /// Earliest time at which an enabled request may rise, DMA moves or a frame ends.
    pub(crate) fn due(&self) -> i64 {
        let mut due = self.dma.due.min(self.ppu.due(self.ie));
        if self.ie & TIMER_REQUEST != 0 {
            due = due.min(self.timer.due());
        }
        if self.ie & SERIAL_REQUEST != 0 {
            due = due.min(self.serial.due(self.timer.div_base));
        }
        if self.ppu.is_on() { due } else { due.min(self.frame_base + FRAME) }
    }
}

impl Machine {
    /// Becomes equal to another machine of the same cartridge without allocating.
    pub(crate) fn copy_from(&mut self, source: &Self) {
        self.ram.copy_from_slice(&source.ram[..]);
        self.cram.copy_from_slice(&source.cram);
        self.screen.copy_from(&source.screen);
        self.serial.clone_from(&source.serial);
        self.mapper.clone_from(&source.mapper);
        self.timer.clone_from(&source.timer);
        self.ppu.clone_from(&source.ppu);
        self.dma.clone_from(&source.dma);
        self.joypad = source.joypad;
        self.now = source.now;
        self.next_due = source.next_due;
        self.boot_end = source.boot_end;
        self.iflag = source.iflag;
        self.ie = source.ie;
        self.frame_base = source.frame_base;
    }

    /// The picture that was drawn last.
    #[must_use]
    pub const fn screen(&self) -> &Screen {
        &self.screen
    }

    /// Memory in the layout of section 6.
    #[must_use]
    pub const fn ram(&self) -> &Ram {
        &self.ram
    }

    /// Memory in the layout of section 6, to change it.
    pub fn ram_mut(&mut self) -> &mut Ram {
        &mut self.ram
    }

    /// Cartridge RAM; one byte that nobody sees where the cartridge has none.
    #[must_use]
    pub fn cram(&self) -> &[u8] {
        &self.cram
    }

    /// Cartridge RAM, to change it.
    pub fn cram_mut(&mut self) -> &mut [u8] {
        &mut self.cram
    }

    /// Bytes sent through the serial port since they were last drained.
    #[must_use]
    pub fn serial_bytes(&self) -> &[u8] {
        &self.serial.captured
    }

    /// Takes the bytes sent through the serial port, so that there is room for more.
    pub fn drain_serial(&mut self) -> Vec<u8> {
        self.serial.has_lost_bytes = false;
        std::mem::take(&mut self.serial.captured)
    }
}
