//! Step traces: one packed little-endian record per decision.

use std::io::{self, Write};

use prospector::Config;
use prospector::tables::{N_METRICS, OBS_DIM};

use crate::core::{Core, StepResult};

/// Bytes of one record.
pub const ABP_TRACE_RECORD_SIZE: usize = 4 + 2 + 1 + 1 + 2 + 4 + 8 + 8 + OBS_DIM * 4 + N_METRICS * 8;

/// Plays the actions from the episode of `seed` on and writes a record for each.
///
/// Whenever an episode ends, the next one is opened with `seed` plus the number of episodes that have ended.
///
/// # Errors
/// When writing fails.
pub fn write_trace(config: Config, seed: u64, actions: &[u8], out: &mut impl Write) -> io::Result<()> {
    let mut core = Core::new(config, seed);
    let mut episodes_ended: u64 = 0;
    for (t, &action) in (0..).zip(actions) {
        if core.is_over() {
            episodes_ended += 1;
            core.reset(seed.wrapping_add(episodes_ended));
        }
        let result =
            core.step(i32::from(action)).map_err(|status| io::Error::other(status.text().to_string_lossy()))?;
        write_record(t, &result, out)?;
    }
    Ok(())
}

fn write_record(t: u32, result: &StepResult, out: &mut impl Write) -> io::Result<()> {
    let mut record = Vec::with_capacity(ABP_TRACE_RECORD_SIZE);
    record.extend(t.to_le_bytes());
    record.extend((result.action_received as i16).to_le_bytes());
    record.extend([result.action, result.flags]);
    record.extend(result.dt.to_le_bytes());
    record.extend(result.event_bits.to_le_bytes());
    record.extend(result.rng_draws.to_le_bytes());
    record.extend(result.reward.to_le_bytes());
    record.extend(result.obs.iter().flat_map(|entry| entry.to_le_bytes()));
    record.extend(result.metrics.iter().flat_map(|metric| metric.to_le_bytes()));
    out.write_all(&record)
}
