//! The arrays a batch reads and writes: what each must look like, and the checks when one is registered.

use ::tidebreak::contract::{HEADS, N_METRICS, N_OPTIONS, N_REWARD_COMPONENTS};

use crate::tb::code::{Code, Failure};

/// What every buffer must begin at a multiple of.
pub const TB_ALIGNMENT: usize = 64;
/// How many kinds of buffers there are.
pub const KINDS: usize = 16;

/// Type of the numbers in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
#[allow(missing_docs, reason = "a type is its name")]
pub enum Dtype {
    U8 = 0,
    U16 = 1,
    I32 = 2,
    I64 = 3,
    U64 = 4,
    F32 = 5,
}

impl Dtype {
    /// Bytes of a number.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::I32 | Self::F32 => 4,
            Self::I64 | Self::U64 => 8,
        }
    }
}

/// Place of each kind of buffer; the order is part of the interface.
#[allow(missing_docs, reason = "a kind is its name")]
pub mod kind {
    pub const ACTIONS: usize = 0;
    pub const OBS: usize = 1;
    pub const ACTION_MASK: usize = 2;
    pub const REWARD: usize = 3;
    pub const REWARD_COMPONENTS: usize = 4;
    pub const TERMINATED: usize = 5;
    pub const TRUNCATED: usize = 6;
    pub const ALIVE: usize = 7;
    pub const ENV_DONE: usize = 8;
    pub const TICK: usize = 9;
    pub const STATE_HASH: usize = 10;
    pub const EPISODE_START: usize = 11;
    pub const METRICS: usize = 12;
    pub const DT: usize = 13;
    pub const EVENTS: usize = 14;
    pub const FINAL_OBS: usize = 15;
}

/// Sizes of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Environments.
    pub envs: usize,
    /// Seats of one.
    pub agents: usize,
    /// Entries of an observation.
    pub obs: usize,
}

/// Type and shape that a kind of buffer must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// Type of its numbers.
    pub dtype: Dtype,
    /// Extents, the outermost first.
    pub shape: Vec<usize>,
}

impl Form {
    /// The form of a kind in a batch of these sizes; `None` where there is no such kind.
    #[must_use]
    pub fn of(kind: usize, sizes: &Sizes) -> Option<Self> {
        let rows = sizes.envs * sizes.agents;
        let (dtype, shape) = match kind {
            kind::ACTIONS => (Dtype::I32, vec![rows, HEADS]),
            kind::OBS | kind::FINAL_OBS => (Dtype::F32, vec![rows, sizes.obs]),
            kind::ACTION_MASK => (Dtype::U8, vec![rows, N_OPTIONS]),
            kind::REWARD => (Dtype::F32, vec![rows]),
            kind::REWARD_COMPONENTS => (Dtype::F32, vec![rows, N_REWARD_COMPONENTS]),
            kind::METRICS => (Dtype::F32, vec![rows, N_METRICS]),
            kind::TERMINATED | kind::TRUNCATED | kind::ALIVE | kind::EPISODE_START => (Dtype::U8, vec![rows]),
            kind::ENV_DONE => (Dtype::U8, vec![sizes.envs]),
            kind::TICK => (Dtype::I64, vec![sizes.envs]),
            kind::STATE_HASH | kind::EVENTS => (Dtype::U64, vec![sizes.envs]),
            kind::DT => (Dtype::U16, vec![sizes.envs]),
            _ => return None,
        };
        Some(Self { dtype, shape })
    }

    /// How many numbers there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// Bytes of all numbers.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.count() * self.dtype.size()
    }
}

/// An array as the caller describes it.
#[derive(Clone, Copy, Debug)]
pub struct Described<'a> {
    /// Where it begins.
    pub address: usize,
    /// Number of a `Dtype`.
    pub dtype: i32,
    /// Whether it may be written to.
    pub is_writable: bool,
    /// Extents, the outermost first.
    pub shape: &'a [i64],
    /// Bytes from an entry to the next, by extent; `None` where the entries follow one another.
    pub strides: Option<&'a [i64]>,
}

impl Described<'_> {
    /// Compares what is described with what a kind must look like.
    ///
    /// # Errors
    /// With the first thing that differs.
    pub fn check(&self, kind: usize, form: &Form) -> Result<(), Failure> {
        let expected = form.dtype;
        let refuse = |code, reason: String| Err(Failure::new(code, format!("buffer {kind} {reason}")));
        if self.dtype != expected as i32 {
            return refuse(Code::BadDtype, format!("has the type {}; it must be {}", self.dtype, expected as i32));
        }
        let is_same =
            self.shape.iter().map(|&extent| usize::try_from(extent).ok()).eq(form.shape.iter().copied().map(Some));
        if !is_same {
            return refuse(Code::BadShape, format!("has the shape {:?}; it must be {:?}", self.shape, form.shape));
        }
        if self.strides.is_some_and(|strides| strides != contiguous_strides(form)) {
            return refuse(Code::NotContiguous, "has gaps; its entries must follow one another".to_owned());
        }
        if !self.address.is_multiple_of(TB_ALIGNMENT) {
            return refuse(Code::Misaligned, format!("must begin at a multiple of {TB_ALIGNMENT} bytes"));
        }
        if kind != kind::ACTIONS && !self.is_writable {
            return refuse(Code::ReadOnly, "is read-only; the batch must write to it".to_owned());
        }
        Ok(())
    }
}

fn contiguous_strides(form: &Form) -> Vec<i64> {
    let mut stride = form.dtype.size();
    let mut strides: Vec<i64> = Vec::with_capacity(form.shape.len());
    for extent in form.shape.iter().rev() {
        strides.push(stride as i64);
        stride *= extent;
    }
    strides.reverse();
    strides
}
