//! A handle with an owner, so that tests can call the C functions without repeating why that is sound.
#![allow(dead_code, reason = "each test file uses its own part")]

use diorama_capi::config::{AbpConfig, abp_config_default};
use diorama_capi::core::{Core, StepResult};
use diorama_capi::core_calls::{
    abp_core_create, abp_core_destroy, abp_core_init, abp_core_mask, abp_core_observe, abp_core_reset, abp_core_step,
};
use diorama_capi::snapshot_calls::{abp_core_restore, abp_core_snapshot, abp_core_state_hash};
use diorama_capi::status::Status;
use prospector::tables::{N_ACTIONS, N_METRICS, OBS_DIM};

/// A result that no step writes.
pub const UNTOUCHED: StepResult = StepResult {
    reward: 77.0,
    rng_draws: 77,
    metrics: [77.0; N_METRICS],
    obs: [77.0; OBS_DIM],
    event_bits: 77,
    action_received: 77,
    dt: 77,
    action: 77,
    flags: 77,
    reserved: [77; 4],
};

/// The default configuration, as C gets it.
pub fn default_config() -> AbpConfig {
    let mut config = AbpConfig::from(prospector::Config { time_max: 1.0, ..prospector::Config::default() });
    // SAFETY: the pointer is to a live value.
    assert_eq!(unsafe { abp_config_default(&mut config) }, Status::Ok);
    config
}

/// The default configuration with episodes of this many ticks.
pub fn config_of(time_max: f64) -> AbpConfig {
    AbpConfig { time_max, ..default_config() }
}

/// A world behind a handle.
pub struct World(pub *mut Core);

impl World {
    pub fn create(config: &AbpConfig, seed: u64) -> Option<Self> {
        // SAFETY: the pointer is to a live value.
        let core = unsafe { abp_core_create(config, seed) };
        (!core.is_null()).then_some(Self(core))
    }

    pub fn new(seed: u64) -> Self {
        Self::create(&default_config(), seed).expect("the default configuration is valid")
    }

    pub fn init(&mut self, config: &AbpConfig, seed: u64) -> Status {
        // SAFETY: the handle is live and ours; the configuration is live.
        unsafe { abp_core_init(self.0, config, seed) }
    }

    pub fn reset(&mut self, seed: u64) -> [f32; OBS_DIM] {
        let mut obs = [0.0; OBS_DIM];
        // SAFETY: the handle is live and ours; the observation has room.
        assert_eq!(unsafe { abp_core_reset(self.0, seed, &mut obs) }, Status::Ok);
        obs
    }

    pub fn try_step(&mut self, action: i32) -> (Status, StepResult) {
        let mut result = UNTOUCHED;
        // SAFETY: the handle is live and ours; the result has room.
        let status = unsafe { abp_core_step(self.0, action, &mut result) };
        (status, result)
    }

    pub fn step(&mut self, action: i32) -> StepResult {
        let (status, result) = self.try_step(action);
        assert_eq!(status, Status::Ok);
        result
    }

    pub fn observe(&self) -> [f32; OBS_DIM] {
        let mut obs = [0.0; OBS_DIM];
        // SAFETY: the handle is live and ours; the observation has room.
        assert_eq!(unsafe { abp_core_observe(self.0, &mut obs) }, Status::Ok);
        obs
    }

    pub fn mask(&self) -> [u8; N_ACTIONS] {
        let mut mask = [7; N_ACTIONS];
        // SAFETY: the handle is live and ours; the mask has room.
        assert_eq!(unsafe { abp_core_mask(self.0, &mut mask) }, Status::Ok);
        mask
    }

    pub fn state_hash(&self) -> u64 {
        let mut hash = 0;
        // SAFETY: the handle is live and ours; the hash has room.
        assert_eq!(unsafe { abp_core_state_hash(self.0, &mut hash) }, Status::Ok);
        hash
    }

    pub fn snapshot(&self) -> Vec<u8> {
        let mut size = 0;
        // SAFETY: the handle is live and ours; without a buffer only the size is written.
        assert_eq!(unsafe { abp_core_snapshot(self.0, std::ptr::null_mut(), 0, &mut size) }, Status::Ok);
        let mut data = vec![0; size];
        // SAFETY: the handle is live and ours; the buffer has the size that was asked for.
        assert_eq!(unsafe { abp_core_snapshot(self.0, data.as_mut_ptr(), size, &mut size) }, Status::Ok);
        assert_eq!(data.len(), size);
        data
    }

    pub fn restore(&mut self, data: &[u8]) -> Status {
        // SAFETY: the handle is live and ours; the bytes are live.
        unsafe { abp_core_restore(self.0, data.as_ptr(), data.len()) }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: the handle came from `abp_core_create` and is used no more.
        unsafe { abp_core_destroy(self.0) }
    }
}
