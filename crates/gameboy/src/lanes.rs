//! Many consoles with one cartridge, over threads. Lanes never see one another.

use std::sync::Arc;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::console::{Console, StepSchedule};
use crate::machine::Shared;
use crate::observe::RAM_V3;
use crate::screen::PictureFormat;

/// A batch of lanes and its golden states.
#[derive(Debug)]
pub struct Lanes {
    consoles: Vec<Console>,
    golden: Vec<Option<Console>>,
    watched: Vec<u16>,
    fresh: Console,
    pool: Option<ThreadPool>,
}

impl Lanes {
    /// Lanes that have just been switched on.
    ///
    /// # Arguments
    /// * `cartridge_ram` - What cartridge RAM holds at power-on; empty for zeros.
    /// * `watched` - Addresses of the bytes that [`Self::write_watched`] tells.
    ///
    /// # Errors
    /// When the cartridge RAM has another length or the threads cannot be started.
    pub fn new(
        shared: Shared,
        lanes: usize,
        threads: usize,
        format: PictureFormat,
        watched: Vec<u16>,
        cartridge_ram: &[u8],
    ) -> Result<Self, String> {
        let mut fresh = Console::new(Arc::new(shared), format);
        fresh.fill_cartridge_ram(cartridge_ram)?;
        let pool = match threads {
            0 | 1 => None,
            _ => {
                let pool = ThreadPoolBuilder::new().num_threads(threads).build();
                Some(pool.map_err(|error| format!("cannot start {threads} threads: {error}"))?)
            }
        };
        Ok(Self { consoles: vec![fresh.clone(); lanes], golden: Vec::new(), watched, fresh, pool })
    }

    /// The lanes.
    #[must_use]
    pub fn consoles(&self) -> &[Console] {
        &self.consoles
    }

    /// The lanes, to change them.
    pub fn consoles_mut(&mut self) -> &mut [Console] {
        &mut self.consoles
    }

    /// How pictures are stored.
    #[must_use]
    pub fn format(&self) -> PictureFormat {
        self.fresh.machine.screen.format()
    }

    /// Addresses of the watched bytes.
    #[must_use]
    pub fn watched(&self) -> &[u16] {
        &self.watched
    }

    /// Advances every lane by one step, with one action each.
    ///
    /// # Errors
    /// When there are not as many actions as lanes.
    pub fn step(&mut self, actions: &[i32], schedule: StepSchedule) -> Result<(), String> {
        expect_length("actions", actions.len(), self.consoles.len())?;
        let work = |(console, &action): (&mut Console, &i32)| console.step(action, schedule);
        match &self.pool {
            None => self.consoles.iter_mut().zip(actions).for_each(work),
            Some(pool) => pool.install(|| self.consoles.par_iter_mut().zip(actions).for_each(work)),
        }
        Ok(())
    }

    /// Runs frames on every lane with the keys as they are.
    pub fn run_frames(&mut self, frames: u32) {
        match &self.pool {
            None => self.consoles.iter_mut().for_each(|console| console.run_frames(frames)),
            Some(pool) => pool.install(|| self.consoles.par_iter_mut().for_each(|console| console.run_frames(frames))),
        }
    }

    /// Switches the lanes with a non-zero mask off and on again.
    ///
    /// # Errors
    /// When the mask is not as long as there are lanes.
    pub fn power_cycle(&mut self, mask: &[u8]) -> Result<(), String> {
        expect_length("mask", mask.len(), self.consoles.len())?;
        for (console, _) in self.consoles.iter_mut().zip(mask).filter(|(_, chosen)| **chosen != 0) {
            console.copy_from(&self.fresh);
        }
        Ok(())
    }

    /// Keeps a copy of a lane in a golden slot.
    ///
    /// # Errors
    /// When there is no such lane.
    pub fn capture(&mut self, lane: usize, slot: usize) -> Result<(), String> {
        let lanes = self.consoles.len();
        let console = self.consoles.get(lane).ok_or_else(|| format!("lane {lane} is outside 0..{lanes}"))?;
        if self.golden.len() <= slot {
            self.golden.resize_with(slot + 1, || None);
        }
        self.golden[slot] = Some(console.clone());
        Ok(())
    }

    /// Copies golden states into the lanes with a non-zero mask; the others stay.
    ///
    /// # Errors
    /// When lengths differ or a chosen slot is empty; nothing changes then.
    pub fn restore_golden(&mut self, mask: &[u8], slots: &[i32]) -> Result<(), String> {
        expect_length("mask", mask.len(), self.consoles.len())?;
        expect_length("slots", slots.len(), self.consoles.len())?;
        let golden = &self.golden;
        let source = |slot: i32| usize::try_from(slot).ok().and_then(|slot| golden.get(slot)?.as_ref());
        if let Some((slot, _)) = slots.iter().zip(mask).find(|(slot, chosen)| **chosen != 0 && source(**slot).is_none())
        {
            return Err(format!("golden slot {slot} is empty; capture a lane into it first"));
        }
        for ((console, &slot), _) in self.consoles.iter_mut().zip(slots).zip(mask).filter(|(_, chosen)| **chosen != 0) {
            if let Some(golden) = source(slot) {
                console.copy_from(golden);
            }
        }
        Ok(())
    }

    /// Writes every lane's picture, one after another.
    ///
    /// # Errors
    /// When the buffer has another length.
    pub fn write_pictures(&self, out: &mut [u8]) -> Result<(), String> {
        let bytes = self.format().bytes();
        expect_length("picture", out.len(), bytes * self.consoles.len())?;
        for (console, row) in self.consoles.iter().zip(out.chunks_exact_mut(bytes.max(1))) {
            row.copy_from_slice(console.machine.screen.bytes());
        }
        Ok(())
    }

    /// Writes every lane's `ram_v3`, one after another.
    ///
    /// # Errors
    /// When the buffer has another length.
    pub fn write_ram_v3(&self, out: &mut [f32]) -> Result<(), String> {
        expect_length("ram_v3", out.len(), RAM_V3 * self.consoles.len())?;
        for (console, row) in self.consoles.iter().zip(out.chunks_exact_mut(RAM_V3)) {
            console.write_ram_v3(row);
        }
        Ok(())
    }

    /// Writes every lane's watched bytes, one lane after another.
    ///
    /// # Errors
    /// When the buffer has another length.
    pub fn write_watched(&self, out: &mut [u8]) -> Result<(), String> {
        expect_length("watch", out.len(), self.watched.len() * self.consoles.len())?;
        for (console, row) in self.consoles.iter().zip(out.chunks_exact_mut(self.watched.len().max(1))) {
            console.write_watched(&self.watched, row);
        }
        Ok(())
    }
}

fn expect_length(name: &str, found: usize, expected: usize) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{name} has {found} values; it must have {expected}")) }
}
