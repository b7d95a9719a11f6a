//! The buffers of a batch as slices: the caller's where one is registered, its own elsewhere.

use std::ops::Range;

use ::tidebreak::contract::{HEADS, NOOPS};
use kernel::rows::Rows;

use crate::tb::buffers::{Form, KINDS, Sizes, kind};
use crate::tb::code::{Code, Failure};

/// One buffer.
#[derive(Debug)]
struct Slot {
    /// The caller's memory, once it is registered.
    registered: Option<*mut u8>,
    /// Memory for what the caller does not want to see; words, so that it is aligned for every type.
    own: Vec<u64>,
    form: Form,
}

impl Slot {
    fn pointer(&mut self) -> *mut u8 {
        self.registered.unwrap_or(self.own.as_mut_ptr().cast())
    }

    fn range(&self) -> Option<Range<usize>> {
        self.registered.map(|first| first.addr()..first.addr() + self.form.bytes())
    }

    /// All numbers of the buffer.
    ///
    /// # Safety
    /// The caller's memory is still there, nobody else uses it now, and `T` is the type of the form.
    unsafe fn numbers<'a, T>(&mut self) -> &'a mut [T] {
        debug_assert_eq!(size_of::<T>(), self.form.dtype.size());
        // SAFETY: registering checked the alignment and the caller vouches for the extent; own memory has both.
        unsafe { std::slice::from_raw_parts_mut(self.pointer().cast(), self.form.count()) }
    }

    /// All numbers of a buffer that may be read-only.
    ///
    /// # Safety
    /// As of `numbers`.
    unsafe fn read<'a, T>(&mut self) -> &'a [T] {
        // SAFETY: as in `numbers`.
        unsafe { std::slice::from_raw_parts(self.pointer().cast(), self.form.count()) }
    }
}

/// The buffers of a batch.
#[derive(Debug)]
pub struct Columns {
    slots: Vec<Slot>,
}

/// Views of all buffers for one call.
pub struct Views<'a> {
    /// One decision per seat.
    pub actions: &'a [i32],
    /// What the simulation writes.
    pub rows: Rows<'a>,
    /// Sums of reward parts, where they are wanted.
    pub reward_components: Option<&'a mut [f32]>,
    /// 1 where the battle ended in this call.
    pub env_done: &'a mut [u8],
    /// Tick of every battle.
    pub tick: &'a mut [i64],
    /// Hash of every state, where it is wanted.
    pub state_hash: Option<&'a mut [u64]>,
}

impl Columns {
    /// Own buffers of a batch of these sizes; the actions are no-ops.
    #[must_use]
    pub fn new(sizes: &Sizes) -> Self {
        let forms = (0..KINDS).filter_map(|kind| Form::of(kind, sizes));
        let slots = forms.map(|form| Slot { registered: None, own: vec![0; form.bytes().div_ceil(8)], form });
        let mut columns = Self { slots: slots.collect() };
        // SAFETY: own memory, of which actions are the first.
        let actions: &mut [i32] = unsafe { columns.slots[kind::ACTIONS].numbers() };
        for decision in actions.chunks_exact_mut(HEADS) {
            decision.copy_from_slice(&NOOPS);
        }
        columns
    }

    /// Takes the caller's memory for a kind, after its form has been checked.
    ///
    /// # Errors
    /// When it overlaps with that of another kind: nothing changes then.
    pub fn register(&mut self, kind: usize, first: *mut u8) -> Result<(), Failure> {
        let taken = first.addr()..first.addr().saturating_add(self.slots[kind].form.bytes());
        let others = self.slots.iter().enumerate().filter(|(other, _)| *other != kind);
        let overlaps = |range: Range<usize>| range.start < taken.end && taken.start < range.end;
        if let Some((other, _)) = others.into_iter().find(|(_, slot)| slot.range().is_some_and(overlaps)) {
            return Err(Failure::new(Code::Overlap, format!("buffer {kind} overlaps with buffer {other}")));
        }
        self.slots[kind].registered = Some(first);
        Ok(())
    }

    /// Views of all buffers.
    ///
    /// # Safety
    /// All memory that was registered is still there, and nobody else uses it while the views live.
    pub unsafe fn views(&mut self) -> Views<'_> {
        let is_wanted = |slots: &[Slot], kind: usize| slots[kind].registered.is_some();
        let wants_parts = is_wanted(&self.slots, kind::REWARD_COMPONENTS);
        let wants_hash = is_wanted(&self.slots, kind::STATE_HASH);
        let slots = &mut self.slots;
        // SAFETY: the caller vouches for the memory, kinds never overlap, and each type is that of its kind's form.
        unsafe {
            Views {
                actions: slots[kind::ACTIONS].read(),
                rows: Rows {
                    obs: slots[kind::OBS].numbers(),
                    obs_u8: &mut [],
                    masks: slots[kind::ACTION_MASK].numbers(),
                    rewards: slots[kind::REWARD].numbers(),
                    terminated: slots[kind::TERMINATED].numbers(),
                    truncated: slots[kind::TRUNCATED].numbers(),
                    alive: slots[kind::ALIVE].numbers(),
                    episode_start: slots[kind::EPISODE_START].numbers(),
                    metrics: slots[kind::METRICS].numbers(),
                    dt: slots[kind::DT].numbers(),
                    events: slots[kind::EVENTS].numbers(),
                    final_obs: slots[kind::FINAL_OBS].numbers(),
                    final_obs_u8: &mut [],
                },
                reward_components: wants_parts.then(|| slots[kind::REWARD_COMPONENTS].numbers()),
                env_done: slots[kind::ENV_DONE].numbers(),
                tick: slots[kind::TICK].numbers(),
                state_hash: wants_hash.then(|| slots[kind::STATE_HASH].numbers()),
            }
        }
    }
}
