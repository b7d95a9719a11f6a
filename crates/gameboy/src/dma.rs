//! OAM DMA (section 15): all bytes move at once when the transfer takes hold of OAM.

use crate::schedule::{NEVER, SLOT};

/// From the write to the moment the transfer owns OAM.
const START_DELAY: i64 = 2 * SLOT;
/// From the write to the moment OAM is free again.
const END_DELAY: i64 = 162 * SLOT;

/// A transfer by the time of its register write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    pub(crate) page: u8,
    pub(crate) written_at: i64,
}

/// The register, the running transfer and one that will replace it.
#[derive(Clone, Debug)]
pub struct Dma {
    pub(crate) register: u8,
    pub(crate) running: Option<Transfer>,
    pub(crate) next: Option<Transfer>,
    /// When bytes move next.
    pub(crate) due: i64,
}

impl Default for Dma {
    fn default() -> Self {
        Self { register: 0xFF, running: None, next: None, due: NEVER }
    }
}

impl Dma {
    pub(crate) fn write(&mut self, now: i64, page: u8) {
        self.finish(now);
        self.register = page;
        let transfer = Some(Transfer { page, written_at: now });
        if self.running.is_some() {
            self.next = transfer;
        } else {
            self.running = transfer;
        }
        self.due = now + START_DELAY;
    }

    /// Takes the page to copy from; call when `due` has come.
    pub(crate) fn start(&mut self) -> Option<u8> {
        self.due = NEVER;
        if let Some(next) = self.next.take() {
            self.running = Some(next);
        }
        self.running.map(|transfer| transfer.page)
    }

    /// Forgets a transfer that is over.
    pub(crate) fn finish(&mut self, now: i64) {
        self.running = self.running.filter(|transfer| now < transfer.written_at + END_DELAY);
    }

    /// Whether the transfer owns OAM.
    pub(crate) fn owns_oam(&self, now: i64) -> bool {
        self.running
            .is_some_and(|transfer| (transfer.written_at + START_DELAY..transfer.written_at + END_DELAY).contains(&now))
    }

    /// M-cycles since the write of the running transfer, or -1.
    pub(crate) fn age(transfer: Option<Transfer>, now: i64) -> Option<i32> {
        transfer.map(|transfer| ((now - transfer.written_at) / SLOT) as i32)
    }

    /// Rebuilds the transfers from their ages.
    pub(crate) fn restored(register: u8, age: i32, next_page: i32, next_age: i32, now: i64) -> Self {
        let written_at = |age: i32| now - i64::from(age) * SLOT;
        let running = (age >= 0).then(|| Transfer { page: register, written_at: written_at(age) });
        let next = (next_page >= 0).then(|| Transfer { page: next_page as u8, written_at: written_at(next_age) });
        let due = match (next, running) {
            (Some(next), _) => next.written_at + START_DELAY,
            (None, Some(running)) if running.written_at + START_DELAY > now => running.written_at + START_DELAY,
            _ => NEVER,
        };
        Self { register, running, next, due }
    }
}
