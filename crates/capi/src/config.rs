//! The configuration as C writes it.

use prospector::{Config, RewardProfile};

use crate::guard::status_of;
use crate::pointers::{place, shared};
use crate::status::Status;

/// `reward_profile` of the frozen profile of `prospector-v1`.
pub const ABP_REWARD_V1: u32 = 1;
/// `reward_profile` of the profit-aligned profile.
pub const ABP_REWARD_V2: u32 = 2;

/// `abp_config` of the header; the switches are 0 or 1.
#[allow(missing_docs, reason = "the names are those of the world's configuration")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct AbpConfig {
    pub time_max: f64,
    pub invalid_action_pen: f64,
    pub reward_profile: u32,
    pub pirates: u8,
    pub hazards: u8,
    pub fractures: u8,
    pub price_impact: u8,
    pub market_noise: u8,
    pub scan_noise: u8,
}

impl From<Config> for AbpConfig {
    fn from(config: Config) -> Self {
        Self {
            time_max: config.time_max,
            invalid_action_pen: config.invalid_action_pen,
            reward_profile: match config.reward_profile {
                RewardProfile::V1 => ABP_REWARD_V1,
                RewardProfile::V2 => ABP_REWARD_V2,
            },
            pirates: config.pirates.into(),
            hazards: config.hazards.into(),
            fractures: config.fractures.into(),
            price_impact: config.price_impact.into(),
            market_noise: config.market_noise.into(),
            scan_noise: config.scan_noise.into(),
        }
    }
}

impl TryFrom<AbpConfig> for Config {
    type Error = Status;

    fn try_from(given: AbpConfig) -> Result<Self, Status> {
        if !(given.time_max > 0.0 && given.time_max.is_finite()) {
            return Err(Status::BadTimeMax);
        }
        if !(given.invalid_action_pen >= 0.0 && given.invalid_action_pen.is_finite()) {
            return Err(Status::BadInvalidActionPen);
        }
        let config = Self {
            time_max: given.time_max,
            reward_profile: match given.reward_profile {
                ABP_REWARD_V1 => RewardProfile::V1,
                ABP_REWARD_V2 => RewardProfile::V2,
                _ => return Err(Status::BadRewardProfile),
            },
            invalid_action_pen: given.invalid_action_pen,
            pirates: switch(given.pirates)?,
            hazards: switch(given.hazards)?,
            fractures: switch(given.fractures)?,
            price_impact: switch(given.price_impact)?,
            market_noise: switch(given.market_noise)?,
            scan_noise: switch(given.scan_noise)?,
        };
        Ok(config)
    }
}

fn switch(value: u8) -> Result<bool, Status> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Status::BadSwitch),
    }
}

/// Writes the default configuration.
///
/// # Safety
/// `config_out` is NULL or points to room for an `abp_config`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_config_default(config_out: *mut AbpConfig) -> Status {
    status_of(|| {
        let config_out = place(config_out)?;
        // SAFETY: not NULL, and the caller vouches for the room.
        unsafe { config_out.write(Config::default().into()) };
        Ok(())
    })
}

/// Says what is wrong with a configuration, if anything is.
///
/// # Safety
/// `config` is NULL or points to an `abp_config`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn abp_config_check(config: *const AbpConfig) -> Status {
    // SAFETY: the caller vouches for the pointer.
    status_of(|| Config::try_from(*unsafe { shared(config) }?).map(drop))
}
