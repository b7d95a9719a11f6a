//! Batches with auto-reset, through the C functions.

mod handles;

use std::ptr::{null, null_mut};

use diorama_capi::config::AbpConfig;
use diorama_capi::status::Status;
use diorama_capi::vec_calls::{VecBuffers, abp_vec_create, abp_vec_destroy, abp_vec_reset, abp_vec_step};
use diorama_capi::vector::{ABP_MAX_COPIES, ABP_MAX_THREADS, Vector};
use handles::{World, config_of, default_config};
use kernel::seeds::episode_seed;
use prospector::tables::{N_ACTIONS, N_METRICS, OBS_DIM};

const COPIES: usize = 24;
const STEPS: usize = 60;

/// What a caller owns.
#[derive(Clone, Debug, PartialEq)]
struct Arrays {
    obs: Vec<f32>,
    rewards: Vec<f32>,
    terminals: Vec<u8>,
    truncations: Vec<u8>,
    action_masks: Vec<u8>,
    dt: Vec<u16>,
    metrics: Vec<f32>,
    event_bits: Vec<u32>,
    final_obs: Vec<f32>,
}

impl Arrays {
    fn new() -> Self {
        Self {
            obs: vec![0.0; COPIES * OBS_DIM],
            rewards: vec![0.0; COPIES],
            terminals: vec![0; COPIES],
            truncations: vec![0; COPIES],
            action_masks: vec![0; COPIES * N_ACTIONS],
            dt: vec![0; COPIES],
            metrics: vec![0.0; COPIES * N_METRICS],
            event_bits: vec![0; COPIES],
            final_obs: vec![0.0; COPIES * OBS_DIM],
        }
    }

    fn buffers(&mut self) -> VecBuffers {
        VecBuffers {
            obs: self.obs.as_mut_ptr(),
            rewards: self.rewards.as_mut_ptr(),
            terminals: self.terminals.as_mut_ptr(),
            truncations: self.truncations.as_mut_ptr(),
            action_masks: self.action_masks.as_mut_ptr(),
            dt: self.dt.as_mut_ptr(),
            metrics: self.metrics.as_mut_ptr(),
            event_bits: self.event_bits.as_mut_ptr(),
            final_obs: self.final_obs.as_mut_ptr(),
        }
    }
}

/// A batch behind a handle, with buffers for `COPIES` copies.
struct Vec24 {
    vec: *mut Vector,
    arrays: Arrays,
}

impl Vec24 {
    fn new(config: &AbpConfig, seed: u64, threads: usize) -> Self {
        // SAFETY: the configuration is live.
        let vec = unsafe { abp_vec_create(config, COPIES, seed, threads) };
        assert!(!vec.is_null());
        Self { vec, arrays: Arrays::new() }
    }

    fn reset(&mut self, seeds: Option<&[u64; COPIES]>) {
        let seeds = seeds.map_or(null(), |seeds| seeds.as_ptr());
        // SAFETY: the handle is live and ours; every array has room for all copies.
        assert_eq!(unsafe { abp_vec_reset(self.vec, seeds, &self.arrays.buffers()) }, Status::Ok);
    }

    fn step(&mut self, actions: &[i32; COPIES]) -> Status {
        // SAFETY: the handle is live and ours; every array has room for all copies.
        unsafe { abp_vec_step(self.vec, actions.as_ptr(), &self.arrays.buffers()) }
    }
}

impl Drop for Vec24 {
    fn drop(&mut self) {
        // SAFETY: the handle came from `abp_vec_create` and is used no more.
        unsafe { abp_vec_destroy(self.vec) }
    }
}

/// Actions that end some episodes early and send some that are invalid.
fn script(step: usize) -> [i32; COPIES] {
    std::array::from_fn(|copy| ((step * 13 + copy * 7) % 75) as i32 - 3)
}

#[test]
fn each_copy_does_what_a_single_world_does_with_the_same_seeds() {
    let config = config_of(30.0);
    let base = 5;
    let mut batch = Vec24::new(&config, base, 1);
    let mut worlds: Vec<World> = (0..COPIES as u64)
        .map(|copy| World::create(&config, episode_seed(base, copy, 1)).expect("the configuration is valid"))
        .collect();
    let mut episodes = [1; COPIES];

    batch.reset(None);

    for step in 0..STEPS {
        let actions = script(step);
        assert_eq!(batch.step(&actions), Status::Ok);
        for (copy, world) in worlds.iter_mut().enumerate() {
            let Arrays { obs, rewards, terminals, truncations, action_masks, dt, metrics, event_bits, final_obs } =
                &batch.arrays;
            let result = world.step(actions[copy]);
            assert_eq!(rewards[copy], result.reward as f32);
            assert_eq!(terminals[copy] | truncations[copy] << 1, result.flags & 3);
            assert_eq!((dt[copy], event_bits[copy]), (result.dt, result.event_bits));
            assert_eq!(metrics[copy * N_METRICS..][..N_METRICS], result.metrics.map(|metric| metric as f32));
            if result.flags & 3 != 0 {
                assert_eq!(final_obs[copy * OBS_DIM..][..OBS_DIM], result.obs);
                episodes[copy] += 1;
                world.reset(episode_seed(base, copy as u64, episodes[copy]));
            }
            assert_eq!(obs[copy * OBS_DIM..][..OBS_DIM], world.observe());
            assert_eq!(action_masks[copy * N_ACTIONS..][..N_ACTIONS], world.mask());
        }
    }
    assert!(episodes.iter().sum::<u64>() > 2 * COPIES as u64, "too few episodes ended to prove anything");
}

#[test]
fn results_do_not_depend_on_threads() {
    let mut alone = Vec24::new(&default_config(), 3, 1);
    let mut threaded = Vec24::new(&default_config(), 3, 3);
    alone.reset(None);
    threaded.reset(None);

    for step in 0..STEPS {
        assert_eq!((alone.step(&script(step)), threaded.step(&script(step))), (Status::Ok, Status::Ok));

        assert!(alone.arrays == threaded.arrays, "step {step}");
    }
}

#[test]
fn given_seeds_open_their_own_episodes() {
    let seeds: [u64; COPIES] = std::array::from_fn(|copy| 1000 + copy as u64);
    let mut batch = Vec24::new(&default_config(), 0, 1);

    batch.reset(Some(&seeds));

    for (row, seed) in batch.arrays.obs.chunks_exact(OBS_DIM).zip(seeds) {
        assert_eq!(row, World::new(seed).observe());
    }
    assert_eq!(batch.arrays.event_bits, [0; COPIES]);
}

#[test]
fn a_batch_must_be_reset_before_it_is_stepped() {
    let mut batch = Vec24::new(&default_config(), 0, 1);

    assert_eq!(batch.step(&[6; COPIES]), Status::NotReset);
    assert_eq!(batch.arrays, Arrays::new());
}

#[test]
fn counts_out_of_range_make_no_batch() {
    let config = default_config();
    for (copies, threads) in [(0, 1), (ABP_MAX_COPIES + 1, 1), (1, 0), (1, ABP_MAX_THREADS + 1)] {
        // SAFETY: the configuration is live.
        assert!(unsafe { abp_vec_create(&config, copies, 0, threads) }.is_null(), "{copies} copies, {threads} threads");
    }
    // SAFETY: the configuration is live.
    assert!(unsafe { abp_vec_create(&config_of(0.0), 1, 0, 1) }.is_null());
}

#[test]
fn null_is_answered_with_a_status_everywhere() {
    let mut batch = Vec24::new(&default_config(), 0, 1);
    batch.reset(None);
    let (vec, good) = (batch.vec, batch.arrays.buffers());
    let actions = [6; COPIES];
    let missing = [
        VecBuffers { obs: null_mut(), ..good },
        VecBuffers { rewards: null_mut(), ..good },
        VecBuffers { terminals: null_mut(), ..good },
        VecBuffers { truncations: null_mut(), ..good },
        VecBuffers { action_masks: null_mut(), ..good },
        VecBuffers { dt: null_mut(), ..good },
        VecBuffers { metrics: null_mut(), ..good },
        VecBuffers { event_bits: null_mut(), ..good },
        VecBuffers { final_obs: null_mut(), ..good },
    ];

    // SAFETY: every pointer is NULL or to live values, and the handle is ours.
    unsafe {
        abp_vec_destroy(null_mut());
        assert!(abp_vec_create(null(), 1, 0, 1).is_null());
        assert_eq!(abp_vec_reset(null_mut(), null(), &good), Status::NullPointer);
        assert_eq!(abp_vec_reset(vec, null(), null()), Status::NullPointer);
        assert_eq!(abp_vec_step(null_mut(), actions.as_ptr(), &good), Status::NullPointer);
        assert_eq!(abp_vec_step(vec, null(), &good), Status::NullPointer);
        assert_eq!(abp_vec_step(vec, actions.as_ptr(), null()), Status::NullPointer);
        for buffers in missing {
            assert_eq!(abp_vec_reset(vec, null(), &buffers), Status::NullPointer);
            assert_eq!(abp_vec_step(vec, actions.as_ptr(), &buffers), Status::NullPointer);
        }
    }
}
