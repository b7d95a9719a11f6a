//! Step traces of a battle: one packed little-endian record per tick.

use std::io::Write;

use ::tidebreak::contract::HEADS;

use crate::tb::batch::TbBatch;
use crate::tb::buffers::{Described, Dtype, TB_ALIGNMENT, kind};
use crate::tb::code::{Code, Failure};
use crate::tb::config::Plan;

/// Bytes of one record: tick, state hash, event kinds, and whether the battle ended.
pub const TB_TRACE_RECORD_SIZE: usize = 8 + 8 + 8 + 8;

/// Numbers of one environment that the trace shows, on a boundary that buffers must begin at.
#[repr(C, align(64))]
#[derive(Default)]
struct Aligned<T>(T);

const _: () = assert!(align_of::<Aligned<u64>>() == TB_ALIGNMENT);

/// Fights a package with the actions of a file and writes the opening and then a record for each tick.
///
/// # Errors
/// When the package or an action is wrong, or writing fails.
pub fn write_trace(
    plan: Plan,
    package: &[u8],
    seed: u64,
    actions: &[i32],
    out: &mut impl Write,
) -> Result<(), Failure> {
    let agents = plan.seats.seats;
    let mut batch = TbBatch::new(plan)?;
    batch.add_template(package)?;
    let mut sent: Vec<Aligned<[i32; 16]>> = Vec::new();
    sent.resize_with((agents * HEADS).div_ceil(16), Aligned::default);
    let (mut tick, mut hash, mut events, mut done) = (Aligned(0_i64), Aligned(0_u64), Aligned(0_u64), Aligned(0_u8));
    let first = sent.as_mut_ptr().cast::<i32>();
    register(&mut batch, kind::ACTIONS, first.cast(), Dtype::I32, &[agents as i64, HEADS as i64])?;
    let [tick_at, hash_at, events_at, done_at]: [*mut u8; 4] =
        [(&raw mut tick).cast(), (&raw mut hash).cast(), (&raw mut events).cast(), (&raw mut done).cast()];
    register(&mut batch, kind::TICK, tick_at, Dtype::I64, &[1])?;
    register(&mut batch, kind::STATE_HASH, hash_at, Dtype::U64, &[1])?;
    register(&mut batch, kind::EVENTS, events_at, Dtype::U64, &[1])?;
    register(&mut batch, kind::ENV_DONE, done_at, Dtype::U8, &[1])?;
    let mut record = || {
        // SAFETY: the batch wrote these and is not at work now.
        let (tick, hash, events, done) = unsafe {
            (tick_at.cast::<i64>().read(), hash_at.cast::<u64>().read(), events_at.cast::<u64>().read(), done_at.read())
        };
        let words = [tick as u64, hash, events, u64::from(done)];
        out.write_all(words.map(u64::to_le_bytes).as_flattened())
            .map_err(|error| Failure::new(Code::Capacity, format!("cannot write: {error}")))
    };
    // SAFETY: everything that was registered lives until the end of this function.
    unsafe { batch.reset(None, Some(&[seed])) }?;
    record()?;
    for decisions in actions.chunks_exact(agents * HEADS) {
        // SAFETY: there is room for as many options, and the batch is not at work now.
        unsafe { first.copy_from_nonoverlapping(decisions.as_ptr(), decisions.len()) };
        // SAFETY: everything that was registered lives until the end of this function.
        unsafe { batch.step(1) }?;
        record()?;
    }
    Ok(())
}

fn register(batch: &mut TbBatch, kind: usize, first: *mut u8, dtype: Dtype, shape: &[i64]) -> Result<(), Failure> {
    let described = Described { address: first.addr(), dtype: dtype as i32, is_writable: true, shape, strides: None };
    batch.register(kind as i32, first, &described)
}
