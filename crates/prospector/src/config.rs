//! What can be configured per batch; everything else belongs to the world's version.

/// Which reward formula is in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RewardProfile {
    /// The frozen profile of `prospector-v1`.
    #[default]
    V1,
    /// Profit-aligned, for training.
    V2,
}

/// Settings of one batch.
///
/// A switch that is off suppresses an effect but none of the draws before it, so streams stay aligned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Tick budget of an episode.
    pub time_max: f64,
    /// Which reward formula is in force.
    pub reward_profile: RewardProfile,
    /// Reward subtracted for an invalid action.
    pub invalid_action_pen: f64,
    /// Whether pirates attack.
    pub pirates: bool,
    /// Whether nodes and edges wear the ship.
    pub hazards: bool,
    /// Whether asteroids shatter under the drill.
    pub fractures: bool,
    /// Whether selling lowers prices.
    pub price_impact: bool,
    /// Whether prices jitter.
    pub market_noise: bool,
    /// Whether scans err.
    pub scan_noise: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            time_max: 20_000.0,
            reward_profile: RewardProfile::V1,
            invalid_action_pen: 0.01,
            pirates: true,
            hazards: true,
            fractures: true,
            price_impact: true,
            market_noise: true,
            scan_noise: true,
        }
    }
}

impl Config {
    /// Says which setting is wrong and what would be right, if one is.
    ///
    /// # Errors
    /// With the name and value of the first wrong setting.
    pub fn validate(&self) -> Result<(), String> {
        if !(self.time_max > 0.0 && self.time_max.is_finite()) {
            return Err(format!("time_max is {}; it must be a finite number of ticks above 0", self.time_max));
        }
        if !(self.invalid_action_pen >= 0.0 && self.invalid_action_pen.is_finite()) {
            return Err(format!(
                "invalid_action_pen is {}; it must be a finite number of 0 or more",
                self.invalid_action_pen
            ));
        }
        Ok(())
    }
}
