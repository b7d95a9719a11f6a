//! One console: the main loop of section 7, frames and steps.

use std::sync::Arc;

use crate::cpu::Cpu;
use crate::joypad::action_masks;
use crate::machine::{Machine, Shared};
use crate::power_on;
use crate::schedule::SLOT;
use crate::screen::PictureFormat;
use crate::stops::Watch;

/// How long a step is and how long its keys are down, in frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepSchedule {
    /// Frames of a step.
    pub frames_per_step: u32,
    /// Frames before the keys go up again.
    pub release_after_frames: u32,
}

impl StepSchedule {
    /// A checked schedule.
    ///
    /// # Errors
    /// Says which number is wrong.
    pub fn new(frames_per_step: u32, release_after_frames: u32) -> Result<Self, String> {
        if frames_per_step == 0 {
            return Err("frames_per_step is 0; it must be 1 or more".to_owned());
        }
        if release_after_frames > frames_per_step {
            return Err(format!(
                "release_after_frames is {release_after_frames}; it must be 0 to frames_per_step ({frames_per_step})"
            ));
        }
        Ok(Self { frames_per_step, release_after_frames })
    }
}

/// One emulated console.
#[derive(Clone, Debug)]
pub struct Console {
    pub(crate) cpu: Cpu,
    pub(crate) machine: Machine,
    pub(crate) frame_count: i64,
    pub(crate) watch: Watch,
}

impl Console {
    /// A console that has just been switched on.
    #[must_use]
    pub fn new(shared: Arc<Shared>, format: PictureFormat) -> Self {
        let mut console = Self {
            cpu: Cpu::default(),
            machine: Machine::new(shared, format),
            frame_count: 0,
            watch: Watch::default(),
        };
        power_on::power_on(&mut console);
        console
    }

    /// The processor.
    #[must_use]
    pub const fn cpu(&self) -> &Cpu {
        &self.cpu
    }

    /// Memory and devices.
    #[must_use]
    pub const fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Memory and devices, to change them.
    pub const fn machine_mut(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// Frames since power-on.
    #[must_use]
    pub const fn frame_count(&self) -> i64 {
        self.frame_count
    }

    /// Whether the console has stopped for good.
    #[must_use]
    pub const fn is_trapped(&self) -> bool {
        self.cpu.trap.kind != 0
    }

    /// Runs one step with an action's keys, drawing the last frame.
    pub fn step(&mut self, action: i32, schedule: StepSchedule) {
        let (dpad, buttons) = action_masks(action);
        let release = schedule.release_after_frames;
        if release > 0 {
            self.press(dpad, buttons);
        }
        for frame in 0..schedule.frames_per_step {
            if frame == release && release > 0 {
                self.press(0, 0);
            }
            self.run_frame(frame + 1 == schedule.frames_per_step);
        }
        if release == schedule.frames_per_step {
            self.press(0, 0);
        }
        self.settle();
    }

    /// Runs frames without touching the keys, drawing the last one.
    pub fn run_frames(&mut self, frames: u32) {
        for frame in 0..frames {
            self.run_frame(frame + 1 == frames);
        }
        self.settle();
    }

    /// Changes the keys that are down; only between frames.
    pub fn press(&mut self, dpad: u8, buttons: u8) {
        if !self.is_trapped() {
            let requests = self.machine.joypad.press(dpad, buttons);
            self.machine.request(requests);
        }
    }

    /// Runs to the end of the frame.
    pub fn run_frame(&mut self, is_drawn: bool) {
        self.machine.rounds.forget();
        self.machine.ppu.is_drawing = is_drawn;
        if is_drawn {
            self.machine.screen.clear();
        }
        while !self.is_trapped() {
            let has_ended = if self.watch.is_idle() { self.advance() } else { self.advance_watched() };
            if has_ended {
                return;
            }
        }
        if is_drawn {
            // A picture is whole or empty.
            self.machine.screen.clear();
        }
    }

    /// Brings every part up to date, so that what the host reads is true.
    fn settle(&mut self) {
        self.machine.sync();
    }

    /// Goes on from one full boundary to the next; returns whether a frame ended there.
    fn advance(&mut self) -> bool {
        if self.cpu.halted {
            return self.sleep();
        }
        if self.cpu.dispatch_pending {
            self.cpu.dispatch(&mut self.machine);
            return self.boundary(false);
        }
        if self.cpu.halt_bug {
            self.cpu.execute_halt_bug(&mut self.machine);
            return self.boundary(true);
        }
        // A copy on the stack, which the compiler can keep in registers of the host.
        let mut cpu = self.cpu.clone();
        loop {
            cpu.execute(&mut self.machine);
            if cpu.now >= self.machine.next_due {
                break;
            }
        }
        self.cpu = cpu;
        self.boundary(true)
    }

    /// One instruction, dispatch or sleep; returns whether a frame ended.
    pub(crate) fn advance_once(&mut self) -> bool {
        self.machine.next_due = 0;
        self.advance()
    }

    /// Sleeps until something is due, or wakes.
    fn sleep(&mut self) -> bool {
        let machine = &mut self.machine;
        if machine.requested() != 0 {
            self.cpu.halted = false;
            self.cpu.now += SLOT;
            return self.boundary(true);
        }
        self.cpu.now = machine.due().max(self.cpu.now + SLOT);
        machine.now = self.cpu.now;
        machine.sync();
        self.test_frame()
    }

    /// The boundary of section 7, steps 1 to 4; returns whether a frame ended.
    pub(crate) fn boundary(&mut self, samples: bool) -> bool {
        self.machine.now = self.cpu.now;
        let pending = self.machine.sample();
        if samples {
            self.cpu.dispatch_pending = self.cpu.ime && pending != 0;
            self.cpu.ime |= self.cpu.ei_delay;
            self.cpu.ei_delay = false;
        }
        self.machine.sync_ppu();
        // A request that is accepted but came too late for this boundary is for the next one.
        let is_awaited = self.cpu.ime && self.machine.requested() != 0;
        self.machine.next_due = if is_awaited { 0 } else { self.machine.due() };
        self.test_frame()
    }

    fn test_frame(&mut self) -> bool {
        let has_ended = self.machine.take_frame_end();
        self.frame_count += i64::from(has_ended);
        has_ended
    }
}

impl Console {
    /// Becomes equal to another console of the same cartridge without allocating; its own stops stay.
    pub fn copy_from(&mut self, source: &Self) {
        self.cpu.clone_from(&source.cpu);
        self.frame_count = source.frame_count;
        self.machine.copy_from(&source.machine);
    }

    /// Sets what cartridge RAM holds; empty bytes leave it alone.
    ///
    /// # Errors
    /// When the length is not that of the cartridge's RAM.
    pub fn fill_cartridge_ram(&mut self, bytes: &[u8]) -> Result<(), String> {
        let expected = self.machine.shared.cartridge.ram_bytes();
        if bytes.is_empty() {
            return Ok(());
        }
        if bytes.len() != expected {
            return Err(format!("the cartridge RAM image has {} bytes; the cartridge has {expected}", bytes.len()));
        }
        self.machine.cram.copy_from_slice(bytes);
        Ok(())
    }
}
