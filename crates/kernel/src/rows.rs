//! The caller's buffers, cut into the rows of single copies without copying.

/// How many numbers one copy of a world reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Seats per copy.
    pub agents: usize,
    /// Choices per decision.
    pub heads: usize,
    /// Options of all heads together.
    pub options: usize,
    /// Float entries of an observation row.
    pub obs: usize,
    /// Byte entries of an observation row.
    pub obs_u8: usize,
    /// Metrics per row.
    pub metrics: usize,
}

/// Mutable views of the output buffers for a run of copies; a row is copy × seat.
#[derive(Debug)]
pub struct Rows<'a> {
    /// Observation for the next decision, rows × `Shape::obs`.
    pub obs: &'a mut [f32],
    /// Byte observation, rows × `Shape::obs_u8`.
    pub obs_u8: &'a mut [u8],
    /// Valid options for the next decision, rows × `Shape::options`.
    pub masks: &'a mut [u8],
    /// Reward of each row.
    pub rewards: &'a mut [f32],
    /// 1 where the row's episode ended by the rules.
    pub terminated: &'a mut [u8],
    /// 1 where the row's episode was cut off.
    pub truncated: &'a mut [u8],
    /// 1 where the row takes the next decision.
    pub alive: &'a mut [u8],
    /// 1 where `obs` opens an episode.
    pub episode_start: &'a mut [u8],
    /// Metrics after the step, rows × `Shape::metrics`.
    pub metrics: &'a mut [f32],
    /// Ticks of each copy's step.
    pub dt: &'a mut [u16],
    /// Event bits of each copy's step.
    pub events: &'a mut [u64],
    /// Last observation of rows that ended.
    pub final_obs: &'a mut [f32],
    /// Last byte observation of rows that ended.
    pub final_obs_u8: &'a mut [u8],
}

impl<'a> Rows<'a> {
    /// Clears what a step says, for copies that have taken none.
    pub fn clear_step(&mut self) {
        self.rewards.fill(0.0);
        self.terminated.fill(0);
        self.truncated.fill(0);
        self.episode_start.fill(0);
        self.dt.fill(0);
        self.events.fill(0);
    }

    /// Says which buffer does not hold exactly `copies` copies, if one does not.
    pub fn check(&self, copies: usize, shape: &Shape) -> Result<(), String> {
        let rows = copies * shape.agents;
        let expected = [
            ("obs", self.obs.len(), rows * shape.obs),
            ("obs_u8", self.obs_u8.len(), rows * shape.obs_u8),
            ("masks", self.masks.len(), rows * shape.options),
            ("rewards", self.rewards.len(), rows),
            ("terminated", self.terminated.len(), rows),
            ("truncated", self.truncated.len(), rows),
            ("alive", self.alive.len(), rows),
            ("episode_start", self.episode_start.len(), rows),
            ("metrics", self.metrics.len(), rows * shape.metrics),
            ("dt", self.dt.len(), copies),
            ("events", self.events.len(), copies),
            ("final_obs", self.final_obs.len(), rows * shape.obs),
            ("final_obs_u8", self.final_obs_u8.len(), rows * shape.obs_u8),
        ];
        match expected.iter().find(|(_, found, right)| found != right) {
            None => Ok(()),
            Some((name, found, right)) => Err(format!("buffer '{name}' holds {found} numbers; it must hold {right}")),
        }
    }

    /// Cuts the first `copies` copies off; the rest comes second.
    #[inline(always)] // called for every copy of every step
    pub fn split_at(self, copies: usize, shape: &Shape) -> (Rows<'a>, Rows<'a>) {
        let rows = copies * shape.agents;
        let (obs, obs_rest) = self.obs.split_at_mut(rows * shape.obs);
        let (obs_u8, obs_u8_rest) = self.obs_u8.split_at_mut(rows * shape.obs_u8);
        let (masks, masks_rest) = self.masks.split_at_mut(rows * shape.options);
        let (rewards, rewards_rest) = self.rewards.split_at_mut(rows);
        let (terminated, terminated_rest) = self.terminated.split_at_mut(rows);
        let (truncated, truncated_rest) = self.truncated.split_at_mut(rows);
        let (alive, alive_rest) = self.alive.split_at_mut(rows);
        let (episode_start, episode_start_rest) = self.episode_start.split_at_mut(rows);
        let (metrics, metrics_rest) = self.metrics.split_at_mut(rows * shape.metrics);
        let (dt, dt_rest) = self.dt.split_at_mut(copies);
        let (events, events_rest) = self.events.split_at_mut(copies);
        let (final_obs, final_obs_rest) = self.final_obs.split_at_mut(rows * shape.obs);
        let (final_obs_u8, final_obs_u8_rest) = self.final_obs_u8.split_at_mut(rows * shape.obs_u8);
        let first = Rows {
            obs,
            obs_u8,
            masks,
            rewards,
            terminated,
            truncated,
            alive,
            episode_start,
            metrics,
            dt,
            events,
            final_obs,
            final_obs_u8,
        };
        let rest = Rows {
            obs: obs_rest,
            obs_u8: obs_u8_rest,
            masks: masks_rest,
            rewards: rewards_rest,
            terminated: terminated_rest,
            truncated: truncated_rest,
            alive: alive_rest,
            episode_start: episode_start_rest,
            metrics: metrics_rest,
            dt: dt_rest,
            events: events_rest,
            final_obs: final_obs_rest,
            final_obs_u8: final_obs_u8_rest,
        };
        (first, rest)
    }
}
