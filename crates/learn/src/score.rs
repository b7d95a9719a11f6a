//! How likely given actions are, how undecided the policy is, and the gradient of both.

use crate::heads::Heads;
use crate::sample::mix_uniform;
use crate::weights::{add_products, weigh};

/// Log-probability reported for an option outside the mask.
pub const LOG_IMPOSSIBLE: f32 = -1e4;

/// What `score` writes: four arrays of rows × heads, and the probabilities the gradient needs.
#[derive(Debug)]
pub struct Scores<'a> {
    /// Log-probability of the given option.
    pub log_probs: &'a mut [f32],
    /// Entropy of the head, in nats.
    pub entropies: &'a mut [f32],
    /// Number of valid options.
    pub choices: &'a mut [f32],
    /// Logarithm of the sum of the exponentials of the valid logits.
    pub log_sums: &'a mut [f32],
    /// Rows × options.
    pub probabilities: &'a mut [f32],
}

/// Scores one option per head and row. Logits are finite, those of invalid options too.
///
/// # Errors
/// When an array does not have rows × its width entries, or an action is no option of its head.
#[inline(always)]
pub fn score(
    heads: &Heads,
    logits: &[f32],
    masks: Option<&[u8]>,
    actions: &[i32],
    out: Scores<'_>,
) -> Result<(), String> {
    let (options, count) = (heads.options(), heads.count());
    let rows = actions.len() / count;
    for (name, length) in [
        ("actions", actions.len()),
        ("log_probs", out.log_probs.len()),
        ("entropies", out.entropies.len()),
        ("choices", out.choices.len()),
        ("log_sums", out.log_sums.len()),
    ] {
        Heads::check(name, length, rows, count)?;
    }
    Heads::check("logits", logits.len(), rows, options)?;
    Heads::check("probabilities", out.probabilities.len(), rows, options)?;
    if let Some(masks) = masks {
        Heads::check("masks", masks.len(), rows, options)?;
    }
    for row in 0..rows {
        let row_logits = &logits[row * options..][..options];
        let row_probabilities = &mut out.probabilities[row * options..][..options];
        for (head, (columns, _, share)) in heads.iter().enumerate() {
            let place = row * count + head;
            let action = checked(actions[place], columns.len())?;
            let mask = masks.map(|masks| &masks[row * options..][columns.clone()]);
            let logits = &row_logits[columns.clone()];
            let p = &mut row_probabilities[columns];
            let Some(total) = weigh(logits, mask, p) else {
                out.log_probs[place] = 0.0;
                out.entropies[place] = 0.0;
                out.choices[place] = 0.0;
                out.log_sums[place] = 0.0;
                continue;
            };
            out.choices[place] = total.valid as f32;
            out.log_sums[place] = total.log_sum();
            let (log_prob, entropy) = if share > 0.0 {
                mix_uniform(p, total, share);
                (log(p[action]), -p.iter().map(|&p| p * log(p)).sum::<f32>())
            } else {
                let scale = 1.0 / total.sum;
                p.iter_mut().for_each(|weight| *weight *= scale);
                let log_sum = total.log_sum();
                let entropy = add_products(p, logits, |p, z| p * (log_sum - z));
                (if p[action] > 0.0 { logits[action] - log_sum } else { LOG_IMPOSSIBLE }, entropy)
            };
            out.log_probs[place] = log_prob;
            out.entropies[place] = entropy;
        }
    }
    Ok(())
}

/// What `score` was given and what it found, and the gradients that flow back into it.
#[derive(Clone, Copy, Debug)]
pub struct ScoreGradient<'a> {
    /// As `score` was given.
    pub logits: &'a [f32],
    /// As `score` was given.
    pub actions: &'a [i32],
    /// As `score` wrote.
    pub probabilities: &'a [f32],
    /// As `score` wrote.
    pub entropies: &'a [f32],
    /// As `score` wrote.
    pub choices: &'a [f32],
    /// As `score` wrote.
    pub log_sums: &'a [f32],
    /// Gradient of the loss with respect to the log-probabilities.
    pub of_log_probs: &'a [f32],
    /// Gradient of the loss with respect to the entropies.
    pub of_entropies: &'a [f32],
}

/// Writes the gradient of the loss with respect to the logits.
///
/// # Errors
/// When an array does not have rows × its width entries, or an action is no option of its head.
#[inline(always)]
pub fn score_backward(heads: &Heads, given: &ScoreGradient<'_>, of_logits: &mut [f32]) -> Result<(), String> {
    let (options, count) = (heads.options(), heads.count());
    let rows = given.actions.len() / count;
    for (name, length) in [
        ("actions", given.actions.len()),
        ("entropies", given.entropies.len()),
        ("choices", given.choices.len()),
        ("log_sums", given.log_sums.len()),
        ("of_log_probs", given.of_log_probs.len()),
        ("of_entropies", given.of_entropies.len()),
    ] {
        Heads::check(name, length, rows, count)?;
    }
    Heads::check("logits", given.logits.len(), rows, options)?;
    Heads::check("probabilities", given.probabilities.len(), rows, options)?;
    Heads::check("of_logits", of_logits.len(), rows, options)?;
    for row in 0..rows {
        for (head, (columns, _, share)) in heads.iter().enumerate() {
            let place = row * count + head;
            let columns = row * options + columns.start..row * options + columns.end;
            let action = checked(given.actions[place], columns.len())?;
            let p = &given.probabilities[columns.clone()];
            let gradient = &mut of_logits[columns.clone()];
            // An impossible action has no gradient: no change of the logits makes it possible.
            let of_log_prob = if p[action] > 0.0 { given.of_log_probs[place] } else { 0.0 };
            let of_entropy = given.of_entropies[place];
            if share > 0.0 {
                mixed_backward(p, share, given.choices[place], action, of_log_prob, of_entropy, gradient);
            } else {
                let pull = of_log_prob + of_entropy * (given.entropies[place] - given.log_sums[place]);
                plain_backward(p, &given.logits[columns], pull, of_entropy, gradient);
                gradient[action] += of_log_prob;
            }
        }
    }
    Ok(())
}

/// The gradient of a softmax: every valid option is pulled down by its probability.
#[inline(always)]
fn plain_backward(p: &[f32], logits: &[f32], pull: f32, of_entropy: f32, gradient: &mut [f32]) {
    for ((out, p), z) in gradient.iter_mut().zip(p).zip(logits) {
        *out = -p * (pull + of_entropy * z);
    }
}

/// The gradient where a share of uniform choice is mixed in: only the softmax part reaches the logits.
#[inline(always)]
fn mixed_backward(
    p: &[f32],
    share: f32,
    choices: f32,
    action: usize,
    of_log_prob: f32,
    of_entropy: f32,
    gradient: &mut [f32],
) {
    let uniform = share / choices;
    let softmax = |p: f32| if p > 0.0 { p - uniform } else { 0.0 }; // times 1 − share
    let mut mean = 0.0;
    for (place, (out, &p)) in gradient.iter_mut().zip(p).enumerate() {
        let own = if place == action && p > 0.0 { of_log_prob / p } else { 0.0 };
        *out = if p > 0.0 { own - of_entropy * (log(p) + 1.0) } else { 0.0 };
        mean += softmax(p) * *out;
    }
    let scale = if share < 1.0 { 1.0 / (1.0 - share) } else { 0.0 };
    for (out, &p) in gradient.iter_mut().zip(p) {
        *out = softmax(p) * (*out - mean * scale);
    }
}

fn log(p: f32) -> f32 {
    if p > 0.0 { kernel::numerics::ln(f64::from(p)) as f32 } else { LOG_IMPOSSIBLE }
}

fn checked(action: i32, options: usize) -> Result<usize, String> {
    usize::try_from(action)
        .ok()
        .filter(|&action| action < options)
        .ok_or_else(|| format!("action {action} is outside 0..{}", options.saturating_sub(1)))
}
