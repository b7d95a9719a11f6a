//! A decision of several ticks is the same decision taken again by hand, as far as it is held and allowed.

use std::sync::Arc;

use kernel::record::StepRecord;
use kernel::rows::Rows;
use kernel::simulation::{Progress, Simulation};
use kernel::state_hash::{WordWriter, hash_words};
use tidebreak::contract::{
    HEAD_OFFSETS, HEAD_SIZES, HEADS, HELD_OPTIONS, N_METRICS, N_OPTIONS, N_REWARD_COMPONENTS, NOOPS, head,
    support_order, weapon_order,
};
use tidebreak::decisions::check_decision;
use tidebreak::generation::episodes::EpisodePlan;
use tidebreak::generation::seats::SeatRules;
use tidebreak::layout::OBS_WIDTH;
use tidebreak::masks::{action_mask, is_allowed};
use tidebreak::records::ResolvedBattle;
use tidebreak::reward::RewardRule;
use tidebreak::scripts::controller_named;
use tidebreak::simulation::{Settings, Tidebreak};

/// Two ships and a submarine, resolved by a released version.
const PACKAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/upgrade/artifacts/0.1.0/battles/resolved.json");
const SEATS: usize = 3;
const TICKS: u16 = 7;
const LIMIT_TICKS: i64 = 100; // no multiple of TICKS, so that the battle ends inside of a decision

fn opened(decision_ticks: u16) -> Tidebreak {
    let document = std::fs::read(PACKAGE).expect("the battle is recorded");
    let mut battle: ResolvedBattle = serde_json::from_slice(&document).expect("it is a resolved package");
    battle.rules.time_limit_ticks = LIMIT_TICKS;
    let auto = controller_named("script:auto").expect("the script exists");
    let seats = SeatRules {
        seats: SEATS,
        plays_all: true,
        side: None,
        ships: Vec::new(),
        scripted: Vec::new(),
        teammates: auto.clone(),
        opponents: Some(auto),
    };
    let mut simulation = Tidebreak::new(Arc::new(Settings {
        plan: EpisodePlan::of_battle(seats, Arc::new(battle)).expect("the battle can be fought"),
        seats: SEATS,
        is_compact: false,
        rule: RewardRule { weights: [1.0; N_REWARD_COMPONENTS], team_share: 0.3, discount: Some(0.99) },
        credit_dead: true,
        decision_ticks,
    }));
    simulation.reset(3);
    simulation
}

/// The arrays that one copy writes.
struct Outputs {
    obs: Vec<f32>,
    masks: Vec<u8>,
    rewards: [f32; SEATS],
    flags: [[u8; SEATS]; 4],
    metrics: [f32; SEATS * N_METRICS],
    dt: [u16; 1],
    events: [u64; 1],
    final_obs: Vec<f32>,
}

impl Outputs {
    fn new() -> Self {
        Self {
            obs: vec![0.0; SEATS * OBS_WIDTH],
            masks: vec![0; SEATS * N_OPTIONS],
            rewards: [0.0; SEATS],
            flags: [[0; SEATS]; 4],
            metrics: [0.0; SEATS * N_METRICS],
            dt: [0],
            events: [0],
            final_obs: vec![0.0; SEATS * OBS_WIDTH],
        }
    }

    fn rows(&mut self) -> Rows<'_> {
        let [terminated, truncated, alive, episode_start] = &mut self.flags;
        Rows {
            obs: &mut self.obs,
            obs_u8: &mut [],
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated,
            truncated,
            alive,
            episode_start,
            metrics: &mut self.metrics,
            dt: &mut self.dt,
            events: &mut self.events,
            final_obs: &mut self.final_obs,
            final_obs_u8: &mut [],
        }
    }
}

/// Valid options for every seat, chosen by a small generator.
fn chosen(masks: &[u8], state: &mut u64) -> Vec<i32> {
    let mut actions = Vec::new();
    for mask in masks.chunks_exact(N_OPTIONS) {
        for (&offset, &size) in HEAD_OFFSETS.iter().zip(&HEAD_SIZES) {
            let valid: Vec<usize> = (0..size).filter(|option| mask[offset + option] == 1).collect();
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            actions.push(valid[(*state >> 33) as usize % valid.len()] as i32);
        }
    }
    actions
}

/// What is left of a decision under the masks of a later tick, said once more from the rules.
fn by_hand(actions: &[i32], masks: &[u8]) -> Vec<i32> {
    let held = |place: usize, option: usize| match place {
        head::THROTTLE | head::RUDDER => true,
        head::WEAPON => option == weapon_order::FREE,
        head::SUPPORT => [support_order::BOARD, support_order::SCUTTLE].contains(&option),
        _ => false,
    };
    let of_seat = |(options, mask): (&[i32], &[u8])| -> Vec<i32> {
        let left = options.iter().enumerate().map(|(place, &option)| {
            let is_left = held(place, option as usize) && mask[HEAD_OFFSETS[place] + option as usize] == 1;
            if is_left { option } else { NOOPS[place] }
        });
        left.collect()
    };
    actions.chunks_exact(HEADS).zip(masks.chunks_exact(N_OPTIONS)).flat_map(of_seat).collect()
}

fn hash(simulation: &Tidebreak) -> u64 {
    let mut words = WordWriter::default();
    simulation.write_words(&mut words);
    hash_words(words.as_slice())
}

fn add(sum: &mut Vec<f64>, record: &StepRecord) {
    if sum.is_empty() {
        sum.clone_from(&record.rewards);
    } else {
        sum.iter_mut().zip(&record.rewards).for_each(|(total, reward)| *total += reward);
    }
}

#[test]
fn a_repeated_decision_is_the_same_one_taken_tick_by_tick() {
    let (mut repeating, mut single) = (opened(TICKS), opened(1));
    let (mut outputs, mut hand) = (Outputs::new(), Outputs::new());
    let (mut state, mut passed) = (1, 0);
    repeating.observe(&mut outputs.rows());
    single.observe(&mut hand.rows());
    loop {
        let actions = chosen(&outputs.masks, &mut state);
        let progress = repeating.step(&actions, &mut outputs.rows());
        let (mut rewards, mut events, mut ticks) = (Vec::new(), 0, 0);
        while ticks < outputs.dt[0] {
            let taken = if ticks == 0 { actions.clone() } else { by_hand(&actions, &hand.masks) };
            single.step(&taken, &mut hand.rows());
            single.observe(&mut hand.rows());
            add(&mut rewards, &single.step_record());
            events |= hand.events[0];
            ticks += 1;
        }
        repeating.observe(&mut outputs.rows());

        assert_eq!(repeating.step_record().rewards, rewards);
        assert_eq!(outputs.events[0], events);
        assert_eq!(hash(&repeating), hash(&single));
        assert_eq!((&outputs.obs, &outputs.masks), (&hand.obs, &hand.masks));
        assert_eq!((outputs.metrics, outputs.flags), (hand.metrics, hand.flags));
        passed += i64::from(ticks);
        if matches!(progress, Progress::Over) {
            break;
        }
        assert_eq!(outputs.dt[0], TICKS);
    }

    assert!(single.is_over());
    assert_eq!((passed, outputs.final_obs), (single.battle().tick, hand.final_obs));
}

#[test]
fn an_option_is_allowed_where_the_mask_says_so() {
    let mut simulation = opened(1);
    let mut outputs = Outputs::new();
    let mut state = 5;
    for _ in 0..40 {
        simulation.observe(&mut outputs.rows());
        simulation.step(&chosen(&outputs.masks, &mut state), &mut outputs.rows());
        let battle = simulation.battle();
        for unit in (0..battle.units.len()).filter(|&unit| battle.units[unit].is_effective()) {
            let mut mask = [0; N_OPTIONS];
            action_mask(battle, unit, &mut mask);
            for (place, &size) in HEAD_SIZES.iter().enumerate() {
                for option in 0..size {
                    let allowed = mask[HEAD_OFFSETS[place] + option] == 1;
                    assert_eq!(is_allowed(battle, unit, place, option), allowed, "head {place}, option {option}");
                }
            }
        }
    }
}

#[test]
fn held_options_exist_and_are_no_orders_to_do_nothing_but_at_the_helm() {
    for (place, held) in HELD_OPTIONS.iter().enumerate() {
        let mut options = NOOPS;
        for &option in *held {
            options[place] = option as i32;
            assert!(check_decision(&options).is_ok());
            assert!(place <= head::RUDDER || option as i32 != NOOPS[place]);
        }
    }
}
