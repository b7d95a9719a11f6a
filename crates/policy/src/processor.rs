//! Runs loops compiled for the processor at hand, chosen when the program runs.

pub use pulp::Simd;
use pulp::{Arch, WithSimd};

/// A computation that is compiled for several processors.
///
/// `run` and all it calls are marked to be inlined always: what is merely called stays compiled for any processor.
pub trait Work {
    /// Its result.
    type Output;

    /// Computes it with vectors of this width.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Whether fused multiply-adds are instructions here; without them this crate is right, but not worth its time.
#[must_use]
pub fn has_fused_multiply_add() -> bool {
    !matches!(Arch::new(), Arch::Scalar)
}

/// Numbers in the widest vectors the processor has.
#[must_use]
pub fn lanes() -> usize {
    struct Lanes;
    impl Work for Lanes {
        type Output = usize;

        fn run<S: Simd>(self, _simd: S) -> usize {
            S::F32_LANES
        }
    }
    vectorized(Lanes)
}

/// Runs work with the widest vectors the processor has.
#[inline]
pub fn vectorized<W: Work>(work: W) -> W::Output {
    Arch::new().dispatch(Widest(work))
}

struct Widest<W>(W);

impl<W: Work> WithSimd for Widest<W> {
    type Output = W::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> W::Output {
        self.0.run(simd)
    }
}
