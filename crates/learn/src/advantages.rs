//! Generalized advantages over the columns of a rollout, with the V-trace correction where it is asked for.

/// A rollout, time-major: every array is steps × rows, `values` has one step more.
#[derive(Clone, Copy, Debug)]
pub struct Rollout<'a> {
    /// Reward of each decision.
    pub rewards: &'a [f32],
    /// Value of each observation, the one after the last decision included.
    pub values: &'a [f32],
    /// 1 where the decision ended the episode by the rules.
    pub terminated: &'a [u8],
    /// 1 where the episode was cut off after the decision.
    pub truncated: &'a [u8],
    /// Value of the last observation of episodes that were cut off; read nowhere else.
    pub bootstrap: &'a [f32],
    /// Discount of what follows each decision, where decisions last differently long; else `Decay::gamma` everywhere.
    pub discounts: Option<&'a [f32]>,
}

/// How far later rewards reach back.
#[derive(Clone, Copy, Debug)]
pub struct Decay {
    /// Discount per decision.
    pub gamma: f32,
    /// Decay of advantages.
    pub lambda: f32,
}

/// How likely the decisions are now against when they were taken, and how much of that counts.
#[derive(Clone, Copy, Debug)]
pub struct Correction<'a> {
    /// Probability ratios, steps × rows.
    pub ratios: &'a [f32],
    /// Largest weight of a temporal difference.
    pub rho_clip: f32,
    /// Largest weight with which later differences reach back.
    pub c_clip: f32,
}

/// Writes the advantage of every decision.
///
/// # Errors
/// When the arrays do not have the same number of steps and rows.
pub fn advantages(
    rollout: &Rollout<'_>,
    rows: usize,
    decay: Decay,
    correction: Option<Correction<'_>>,
    out: &mut [f32],
) -> Result<(), String> {
    let cells = out.len();
    let lengths = [rollout.rewards.len(), rollout.terminated.len(), rollout.truncated.len(), rollout.bootstrap.len()];
    let ratios = correction.map_or(cells, |correction| correction.ratios.len());
    let discounts = rollout.discounts.map_or(cells, <[f32]>::len);
    let fits = ratios == cells && discounts == cells && lengths.iter().all(|&length| length == cells);
    if rows == 0 || !cells.is_multiple_of(rows) || !fits {
        return Err(format!(
            "a rollout of {cells} decisions in {rows} rows has arrays of {lengths:?}, {ratios} and {discounts}"
        ));
    }
    if rollout.values.len() != cells + rows {
        return Err(format!("{} values; {} are needed", rollout.values.len(), cells + rows));
    }
    let mut carried = vec![0.0_f32; rows];
    for start in (0..cells).step_by(rows).rev() {
        let now = start..start + rows;
        let (values, next_values) = rollout.values[start..start + 2 * rows].split_at(rows);
        let ended = rollout.terminated[now.clone()].iter().zip(&rollout.truncated[now.clone()]);
        let rewards = rollout.rewards[now.clone()].iter().zip(&rollout.bootstrap[now.clone()]);
        let estimates = values.iter().zip(next_values);
        let columns = carried.iter_mut().zip(&mut out[now.clone()]).zip(ended).zip(rewards).zip(estimates);
        for (row, cell) in columns.enumerate() {
            let ((((carried, out), (terminated, truncated)), (reward, bootstrap)), (value, next_value)) = cell;
            let going_on = *terminated == 0 && *truncated == 0;
            let next = if *terminated != 0 {
                0.0
            } else if *truncated != 0 {
                *bootstrap
            } else {
                *next_value
            };
            let (rho, c) = correction.map_or((1.0, 1.0), |correction| {
                let ratio = correction.ratios[start + row];
                (ratio.min(correction.rho_clip), ratio.min(correction.c_clip))
            });
            let gamma = rollout.discounts.map_or(decay.gamma, |discounts| discounts[start + row]);
            let difference = rho * (reward + gamma * next - value);
            let later = if going_on { gamma * decay.lambda * c * *carried } else { 0.0 };
            *carried = difference + later;
            *out = *carried;
        }
    }
    Ok(())
}
