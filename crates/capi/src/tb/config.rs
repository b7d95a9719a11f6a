//! The configuration of a batch as C writes it.

use std::ffi::{CStr, c_char};

use ::tidebreak::contract::N_REWARD_COMPONENTS;
use ::tidebreak::generation::seats::SeatRules;
use ::tidebreak::limits::UNITS_MAX;
use ::tidebreak::reward::RewardRule;
use ::tidebreak::scripts::controller_named;

use crate::pointers::place;
use crate::tb::code::{Code, Failure};
use crate::tb::guard::code_of;

/// Most environments of a batch.
pub const TB_MAX_ENVS: u32 = 1 << 16;
/// Most threads of a batch.
pub const TB_MAX_THREADS: u32 = 1024;

const AUTO: &str = "script:auto";
const DUEL_WEIGHTS: [f64; N_REWARD_COMPONENTS] = [2.0, 0.5, 1.0, 0.5, 0.3, 0.5, 1.0, 0.02, 0.002, 0.05, 0.0005, 1.0];
const TEAM_SHARE: f64 = 0.3;

/// `tb_config` of the header; switches are 0 or 1, names may be NULL.
#[allow(missing_docs, reason = "the names are those of the world's configuration")]
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct TbConfig {
    pub seed: u64,
    pub envs: u32,
    pub agents_per_env: u32,
    pub threads: u32,
    pub compact_observation: u8,
    pub plays_all: u8,
    pub credit_dead: u8,
    pub collect_events: u8,
    pub weights: [f64; N_REWARD_COMPONENTS],
    pub team_share: f64,
    /// Discount of potential-based shaping; below 0 for none.
    pub shaping_discount: f64,
    /// Team of the seats; NULL for the first.
    pub side: *const c_char,
    /// Script of ships without a seat on a team that has one; NULL for `script:auto`.
    pub teammates: *const c_char,
    /// Script of the other teams; NULL for `script:auto`.
    pub opponents: *const c_char,
}

/// A configuration that has been read and checked.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Base of the seed sequences.
    pub seed: u64,
    /// How many environments there are.
    pub envs: usize,
    /// How many threads step them.
    pub threads: usize,
    /// Whether the compact observation is shown.
    pub is_compact: bool,
    /// Whether units that are out wait for the end.
    pub credit_dead: bool,
    /// Whether events are kept until they are asked for.
    pub collects_events: bool,
    /// Who sits where.
    pub seats: SeatRules,
    /// How parts become a reward.
    pub rule: RewardRule,
}

impl TbConfig {
    /// The configuration that `tb_config_default` writes.
    #[must_use]
    pub const fn usual() -> Self {
        Self {
            seed: 0,
            envs: 1,
            agents_per_env: 1,
            threads: 1,
            compact_observation: 0,
            plays_all: 0,
            credit_dead: 1,
            collect_events: 0,
            weights: DUEL_WEIGHTS,
            team_share: TEAM_SHARE,
            shaping_discount: -1.0,
            side: std::ptr::null(),
            teammates: std::ptr::null(),
            opponents: std::ptr::null(),
        }
    }

    /// Reads and checks the configuration.
    ///
    /// # Safety
    /// Every name is NULL or a text that ends with a zero.
    ///
    /// # Errors
    /// With what is out of range or unknown.
    pub unsafe fn plan(&self) -> Result<Plan, Failure> {
        within("envs", self.envs, TB_MAX_ENVS)?;
        within("agents_per_env", self.agents_per_env, UNITS_MAX as u32)?;
        within("threads", self.threads, TB_MAX_THREADS)?;
        let has_weights = self.weights.iter().all(|weight| weight.is_finite());
        need(has_weights, "every weight must be a finite number")?;
        need((0.0..=1.0).contains(&self.team_share), "team_share must be 0 to 1")?;
        need(self.shaping_discount <= 1.0, "shaping_discount must be 0 to 1, or below 0 for none")?;
        // SAFETY: the caller vouches for the names.
        let (side, teammates, opponents) = unsafe { (name(self.side)?, name(self.teammates)?, name(self.opponents)?) };
        let script = |given: Option<String>| {
            controller_named(given.as_deref().unwrap_or(AUTO)).map_err(|reason| Failure::new(Code::BadConfig, reason))
        };
        Ok(Plan {
            seed: self.seed,
            envs: self.envs as usize,
            threads: self.threads as usize,
            is_compact: switch(self.compact_observation)?,
            credit_dead: switch(self.credit_dead)?,
            collects_events: switch(self.collect_events)?,
            seats: SeatRules {
                seats: self.agents_per_env as usize,
                plays_all: switch(self.plays_all)?,
                side,
                ships: Vec::new(),
                scripted: Vec::new(),
                teammates: script(teammates)?,
                opponents: Some(script(opponents)?),
            },
            rule: RewardRule {
                weights: self.weights,
                team_share: self.team_share,
                discount: (self.shaping_discount >= 0.0).then_some(self.shaping_discount),
            },
        })
    }
}

/// Writes the default configuration: one environment with one seat, on one thread.
///
/// # Safety
/// `config_out` is NULL or points to room for a `tb_config`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_config_default(config_out: *mut TbConfig) -> Code {
    code_of(|| {
        let config_out = place(config_out)?;
        // SAFETY: not NULL, and the caller vouches for the room.
        unsafe { config_out.write(TbConfig::usual()) };
        Ok(())
    })
}

/// # Safety
/// `given` is NULL or a text that ends with a zero.
unsafe fn name(given: *const c_char) -> Result<Option<String>, Failure> {
    if given.is_null() {
        return Ok(None);
    }
    // SAFETY: not NULL, and the caller vouches for the zero.
    let text = unsafe { CStr::from_ptr(given) }.to_str();
    text.map(|text| Some(text.to_owned())).map_err(|_| Failure::new(Code::BadConfig, "a name is not UTF-8"))
}

fn within(name: &str, value: u32, most: u32) -> Result<(), Failure> {
    need((1..=most).contains(&value), &format!("{name} is {value}; it must be 1 to {most}"))
}

fn switch(value: u8) -> Result<bool, Failure> {
    need(value <= 1, "every switch must be 0 or 1")?;
    Ok(value == 1)
}

fn need(is_sound: bool, reason: &str) -> Result<(), Failure> {
    if is_sound { Ok(()) } else { Err(Failure::new(Code::BadConfig, reason)) }
}
