//! Chooses one option per head and row from logits and masks.

use kernel::keyed;

use crate::heads::Heads;
use crate::weights::{Total, weigh};

const ACTIONS: u64 = 1; // the trainer's stream of action draws

/// What the draws of a block of rows belong to.
#[derive(Clone, Copy, Debug)]
pub struct DrawKey {
    /// Seed of the run.
    pub seed: u64,
    /// Number of the policy update.
    pub update: u64,
    /// Step within the rollout.
    pub step: u64,
    /// Number of the first row of the block.
    pub row: u64,
    /// Number of the first head of the block.
    pub head: u64,
}

impl DrawKey {
    fn uniform(&self, row: usize, head: usize) -> f64 {
        let (row, head) = (self.row + row as u64, self.head + head as u64);
        keyed::u01(keyed::draw(self.seed, ACTIONS, self.update, self.step, row, head))
    }
}

/// Chooses for every row: an option drawn with its probability, or with `key` None the likeliest one.
///
/// A head without a valid option chooses its no-op with log-probability 0.
///
/// # Errors
/// When an array does not have rows × its width entries.
///
/// # Returns
/// How many rows had a logit that is not a number.
#[inline(always)]
pub fn sample(
    heads: &Heads,
    logits: &[f32],
    masks: Option<&[u8]>,
    key: Option<DrawKey>,
    actions: &mut [i32],
    log_probs: &mut [f32],
) -> Result<usize, String> {
    let (options, count) = (heads.options(), heads.count());
    let rows = actions.len() / count;
    Heads::check("actions", actions.len(), rows, count)?;
    Heads::check("log_probs", log_probs.len(), rows, count)?;
    Heads::check("logits", logits.len(), rows, options)?;
    if let Some(masks) = masks {
        Heads::check("masks", masks.len(), rows, options)?;
    }
    let mut weights = vec![0.0; heads.widest()];
    let mut broken = 0;
    let outputs = actions.chunks_exact_mut(count).zip(log_probs.chunks_exact_mut(count));
    for ((row, row_logits), (row_actions, row_log_probs)) in logits.chunks_exact(options).enumerate().zip(outputs) {
        let mut is_finite = true;
        for (head, (columns, noop, share)) in heads.iter().enumerate() {
            let weights = &mut weights[..columns.len()];
            let mask = masks.map(|masks| &masks[row * options..][columns.clone()]);
            let total = weigh(&row_logits[columns], mask, weights);
            let u = key.map(|key| key.uniform(row, head));
            (row_actions[head], row_log_probs[head]) = match total {
                Some(total) if total.is_finite() => choose(weights, total, share, u),
                Some(_) => {
                    is_finite = false;
                    (noop, 0.0)
                }
                None => (noop, 0.0),
            };
        }
        broken += usize::from(!is_finite);
    }
    Ok(broken)
}

#[inline(always)]
fn choose(weights: &mut [f32], total: Total, share: f32, u: Option<f64>) -> (i32, f32) {
    if share > 0.0 {
        mix_uniform(weights, total, share);
        let place = pick(weights, 1.0, u);
        return (place as i32, kernel::numerics::ln(f64::from(weights[place])) as f32);
    }
    let place = pick(weights, f64::from(total.sum), u);
    let log_weight = kernel::numerics::ln(f64::from(weights[place]));
    (place as i32, log_weight as f32 - total.log_total())
}

/// Turns weights into probabilities with a share of uniform choice among the valid options.
#[inline(always)]
pub(crate) fn mix_uniform(weights: &mut [f32], total: Total, share: f32) {
    let uniform = share / total.valid as f32;
    let scale = (1.0 - share) / total.sum;
    for weight in weights {
        // Valid options have a positive weight: the exponential never rounds to zero.
        *weight = if *weight > 0.0 { *weight * scale + uniform } else { 0.0 };
    }
}

#[inline(always)]
fn pick(weights: &[f32], sum: f64, u: Option<f64>) -> usize {
    let Some(u) = u else {
        return (0..weights.len()).fold(0, |best, place| if weights[place] > weights[best] { place } else { best });
    };
    let threshold = u * sum;
    let mut reached = 0.0;
    let passed = weights.iter().take_while(|weight| {
        reached += f64::from(**weight);
        reached <= threshold
    });
    let place = passed.count();
    // Rounding may leave the threshold out of reach; the last valid option is then meant.
    if place < weights.len() { place } else { weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0) }
}
