//! Single worlds and arrays of them, through the C functions.

mod handles;

use std::ptr::{null, null_mut};

use diorama_capi::config::{ABP_REWARD_V2, AbpConfig, abp_config_check, abp_config_default};
use diorama_capi::core::{ABP_FLAG_INVALID_ACTION, ABP_FLAG_TERMINATED, ABP_FLAG_TRUNCATED, Core, StepResult};
use diorama_capi::core_calls::{
    abp_core_create, abp_core_destroy, abp_core_init, abp_core_mask, abp_core_observe, abp_core_reset,
    abp_core_reset_many, abp_core_step, abp_core_step_many,
};
use diorama_capi::status::Status;
use handles::{UNTOUCHED, World, config_of, default_config};
use prospector::Config;
use prospector::tables::{OBS_DIM, act};

const HOLD: i32 = act::HOLD_DRIFT as i32;
const CASH_OUT: i32 = act::CASH_OUT_END_EPISODE as i32;

fn check(config: &AbpConfig) -> Status {
    // SAFETY: the pointer is to a live value.
    unsafe { abp_config_check(config) }
}

#[test]
fn the_default_configuration_is_that_of_the_world() {
    assert_eq!(Config::try_from(default_config()), Ok(Config::default()));
}

#[test]
fn every_wrong_setting_has_a_status_and_makes_no_world() {
    let good = default_config();
    let cases = [
        (AbpConfig { time_max: 0.0, ..good }, Status::BadTimeMax),
        (AbpConfig { time_max: f64::INFINITY, ..good }, Status::BadTimeMax),
        (AbpConfig { time_max: f64::NAN, ..good }, Status::BadTimeMax),
        (AbpConfig { invalid_action_pen: -0.1, ..good }, Status::BadInvalidActionPen),
        (AbpConfig { invalid_action_pen: f64::NAN, ..good }, Status::BadInvalidActionPen),
        (AbpConfig { reward_profile: 0, ..good }, Status::BadRewardProfile),
        (AbpConfig { reward_profile: 3, ..good }, Status::BadRewardProfile),
        (AbpConfig { pirates: 2, ..good }, Status::BadSwitch),
        (AbpConfig { scan_noise: 255, ..good }, Status::BadSwitch),
    ];
    for (config, status) in cases {
        assert_eq!(check(&config), status);
        assert!(World::create(&config, 1).is_none());
        assert!(Config::try_from(config).is_err());
    }
    assert_eq!(check(&AbpConfig { reward_profile: ABP_REWARD_V2, pirates: 0, ..good }), Status::Ok);
}

#[test]
fn what_the_interface_refuses_the_world_refuses_and_the_other_way_round() {
    for time_max in [-1.0, 0.0, f64::MIN_POSITIVE, 1e300, f64::INFINITY, f64::NAN] {
        for invalid_action_pen in [-f64::MIN_POSITIVE, -0.0, 0.0, 1e300, f64::INFINITY, f64::NAN] {
            let given = Config { time_max, invalid_action_pen, ..Config::default() };

            assert_eq!(check(&given.into()) == Status::Ok, given.validate().is_ok(), "{given:?}");
        }
    }
}

#[test]
fn a_new_world_has_opened_its_episode() {
    let mut fresh = World::new(42);
    let (opening, hash) = (fresh.observe(), fresh.state_hash());

    fresh.step(HOLD);

    assert_ne!(fresh.state_hash(), hash);
    assert_eq!((fresh.reset(42), fresh.state_hash()), (opening, hash));
}

#[test]
fn the_initial_mask_of_seed_42_is_the_known_one() {
    let valid: Vec<usize> = (0..).zip(World::new(42).mask()).filter(|(_, bit)| *bit == 1).map(|(a, _)| a).collect();

    assert_eq!(valid, [0, 1, 2, 3, 4, 6, 7, 11, 33, 42, 68]);
}

#[test]
fn any_integer_may_be_sent_and_an_invalid_one_holds() {
    for action in [-1, 69, 255, i32::MIN, i32::MAX, i32::from(act::WIDE_SCAN)] {
        let (mut world, mut holding) = (World::new(5), World::new(5));

        let (invalid, hold) = (world.step(action), holding.step(HOLD));

        assert_eq!((invalid.flags, hold.flags), (ABP_FLAG_INVALID_ACTION, 0));
        assert_eq!((invalid.action_received, invalid.action), (action, act::HOLD_DRIFT));
        assert_eq!(invalid.event_bits, 1);
        assert_eq!((invalid.obs, invalid.metrics, invalid.rng_draws), (hold.obs, hold.metrics, hold.rng_draws));
        assert_eq!(world.state_hash(), holding.state_hash());
    }
}

#[test]
fn a_step_after_the_end_is_refused_and_changes_nothing() {
    let mut world = World::new(3);
    let last = world.step(CASH_OUT);
    let hash = world.state_hash();

    let (status, result) = world.try_step(HOLD);

    assert_eq!(last.flags, ABP_FLAG_TERMINATED);
    assert_eq!((status, result), (Status::EpisodeOver, UNTOUCHED));
    assert_eq!((world.state_hash(), world.observe()), (hash, last.obs));
    world.reset(4);
    assert_eq!(world.step(HOLD), World::new(4).step(HOLD));
}

#[test]
fn time_runs_out_after_time_max_ticks() {
    let mut world = World::create(&config_of(3.0), 1).expect("the configuration is valid");

    let flags: Vec<u8> = (0..3).map(|_| world.step(HOLD).flags).collect();

    assert_eq!(flags, [0, 0, ABP_FLAG_TRUNCATED]);
}

#[test]
fn init_makes_a_handle_what_create_would_have_returned() {
    let mut world = World::new(1);
    world.step(CASH_OUT);

    assert_eq!(world.init(&config_of(2.0), 9), Status::Ok);

    let fresh = World::create(&config_of(2.0), 9).expect("the configuration is valid");
    assert_eq!(world.snapshot(), fresh.snapshot());
    assert_eq!(world.init(&config_of(-1.0), 8), Status::BadTimeMax);
    assert_eq!(world.snapshot(), fresh.snapshot());
}

#[test]
fn many_worlds_do_what_each_does_alone() {
    let worlds = [World::new(0), World::new(0), World::new(0)];
    let cores: Vec<*mut Core> = worlds.iter().map(|world| world.0).collect();
    let (seeds, actions) = ([11, 12, 13], [HOLD, -4, 0]);
    let (mut obs, mut results) = ([[0.0; OBS_DIM]; 3], [UNTOUCHED; 3]);

    // SAFETY: all arrays have three entries and the handles are live and ours.
    let statuses = unsafe {
        (
            abp_core_reset_many(cores.as_ptr(), seeds.as_ptr(), 3, obs.as_mut_ptr()),
            abp_core_step_many(cores.as_ptr(), actions.as_ptr(), 3, results.as_mut_ptr()),
        )
    };

    assert_eq!(statuses, (Status::Ok, Status::Ok));
    for place in 0..3 {
        let mut alone = World::new(0);
        assert_eq!(obs[place], alone.reset(seeds[place]));
        assert_eq!(results[place], alone.step(actions[place]));
    }
}

#[test]
fn one_world_that_is_over_or_missing_stops_all_of_many() {
    let mut worlds = [World::new(1), World::new(2)];
    worlds[1].step(CASH_OUT);
    let cores = [worlds[0].0, worlds[1].0];
    let with_null = [worlds[0].0, null_mut()];
    let hash = worlds[0].state_hash();
    let (mut obs, mut results) = ([[0.0; OBS_DIM]; 2], [UNTOUCHED; 2]);

    // SAFETY: all arrays have two entries, and the handles that are not NULL are live and ours.
    let statuses = unsafe {
        [
            abp_core_step_many(cores.as_ptr(), [HOLD; 2].as_ptr(), 2, results.as_mut_ptr()),
            abp_core_step_many(with_null.as_ptr(), [HOLD; 2].as_ptr(), 2, results.as_mut_ptr()),
            abp_core_reset_many(with_null.as_ptr(), [7; 2].as_ptr(), 2, obs.as_mut_ptr()),
            abp_core_step_many(cores.as_ptr(), [HOLD; 2].as_ptr(), usize::MAX, results.as_mut_ptr()),
        ]
    };

    assert_eq!(statuses, [Status::EpisodeOver, Status::NullPointer, Status::NullPointer, Status::BadCount]);
    assert_eq!((worlds[0].state_hash(), results), (hash, [UNTOUCHED; 2]));
}

#[test]
fn null_is_answered_with_a_status_everywhere() {
    let world = World::new(1);
    let (core, config) = (world.0, default_config());
    let (mut obs, mut result) = ([0.0; OBS_DIM], UNTOUCHED);
    let (seeds, actions, cores) = ([1_u64], [HOLD], [core]);

    // SAFETY: every pointer is NULL or to a live value of its type.
    let statuses = unsafe {
        abp_core_destroy(null_mut());
        assert!(abp_core_create(null(), 1).is_null());
        [
            abp_config_default(null_mut()),
            abp_config_check(null()),
            abp_core_init(null_mut(), &config, 1),
            abp_core_init(core, null(), 1),
            abp_core_reset(null_mut(), 1, &mut obs),
            abp_core_reset(core, 1, null_mut()),
            abp_core_step(null_mut(), HOLD, &mut result),
            abp_core_step(core, HOLD, null_mut::<StepResult>()),
            abp_core_observe(null(), &mut obs),
            abp_core_observe(core, null_mut()),
            abp_core_mask(null(), &mut [0; 69]),
            abp_core_mask(core, null_mut()),
            abp_core_reset_many(null(), seeds.as_ptr(), 1, &mut obs),
            abp_core_reset_many(cores.as_ptr(), null(), 1, &mut obs),
            abp_core_reset_many(cores.as_ptr(), seeds.as_ptr(), 1, null_mut()),
            abp_core_step_many(null(), actions.as_ptr(), 1, &mut result),
            abp_core_step_many(cores.as_ptr(), null(), 1, &mut result),
            abp_core_step_many(cores.as_ptr(), actions.as_ptr(), 1, null_mut()),
        ]
    };

    assert_eq!(statuses, [Status::NullPointer; 18]);
    assert_eq!(world.state_hash(), World::new(1).state_hash());
}
