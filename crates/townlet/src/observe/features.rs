//! The 128 features of a citizen, in the order of the layout.

use kernel::numerics::{clamp, fmin, ln};

use crate::codes::{NOTHING, OPTIONS, PRIMITIVES, item, shift_state};
use crate::decisions::primitives::object_in_reach;
use crate::observe::landmarks::Compass;
use crate::observe::layout::{FEATURES, place};
use crate::observe::maps::Surroundings;
use crate::observe::moment::Moment;
use crate::observe::social::SocialView;
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::town::Town;
use crate::systems::affordances::running;
use crate::systems::appointments::has_appointment;
use crate::systems::conflicts::avoids;
use crate::systems::presence::own_fridge;

const LATE_OFTEN: f64 = 10.0;
const MUCH_WITHHELD: f64 = 5.0;
const LONG_ACTION: f64 = 60.0;
const LONG_LIFE_DAYS: i64 = 10;
const PANTRY: f64 = 4.0;
const LONG_ARREARS: f64 = 2.0;
const LONG_QUEUE: f64 = 8.0;
const FULL_WALLET: f64 = 21.0;
const HINT_ORDER: [i64; 4] = [0, 2, 1, 3]; // north, south, east, west as places among the directions

/// Writes features; holds what never changes about them.
#[derive(Debug)]
pub struct FeatureWriter {
    compass: Compass,
    social: SocialView,
    ln_full_wallet: f64,
    window: usize,
}

impl FeatureWriter {
    /// Prepares what never changes, for a window of this side.
    #[must_use]
    pub fn new(setup: &Setup, window: usize) -> Self {
        Self { compass: Compass::new(setup), social: SocialView::new(setup), ln_full_wallet: ln(FULL_WALLET), window }
    }

    /// Writes all features of a citizen.
    pub fn write(
        &self,
        town: &Town,
        setup: &Setup,
        citizen: &Citizen,
        moment: &Moment,
        seen: Surroundings,
        out: &mut [f32; FEATURES],
    ) {
        self.write_person(town, setup, citizen, out);
        write_work(town, setup, citizen, out);
        write_doing(town, setup, citizen, out);
        self.write_surroundings(seen, out);
        write_home(town, setup, citizen, moment, out);
        let (before, rest) = out.split_at_mut(place::SOCIAL);
        let (block, _) = rest.split_first_chunk_mut().expect("the social block is part of the features");
        let rivalries = before[place::RIVALRIES..].first_chunk_mut().expect("rivalries are part of the features");
        self.social.look(town, setup, citizen, rivalries, block);
        self.compass.point(town, setup, citizen, &mut out[place::LANDMARKS..place::TRAITS]);
    }

    fn write_person(&self, town: &Town, setup: &Setup, citizen: &Citizen, out: &mut [f32; FEATURES]) {
        let lived = town.tick - citizen.spawn_tick;
        for need in 0..citizen.needs.len() {
            out[place::NEEDS + need] = citizen.needs[need] as f32;
        }
        out[place::WALLET] = capped(ln(1.0 + citizen.wallet) / self.ln_full_wallet);
        out[place::SLOT] = (citizen.slot as f64 / setup.config.embedding_allocator.max_slots as f64) as f32;
        out[place::CTX_RESET] = flag(citizen.ctx_reset);
        out[place::PROGRESS] = capped(lived as f64 / (LONG_LIFE_DAYS * town.ticks_per_day) as f64);
        let is_shown = setup.config.features.observations.personality_channels;
        for part in 0..citizen.traits.len() {
            out[place::TRAITS + part] = if is_shown { citizen.traits[part] as f32 } else { 0.0 };
        }
        out[place::ARREARS] = capped(citizen.decline.rent_arrears as f64 / LONG_ARREARS);
        out[place::EXIT_PENDING] = flag(citizen.decline.is_exit_pending);
        out[place::APPOINTMENT] = flag(has_appointment(town, citizen));
    }

    fn write_surroundings(&self, seen: Surroundings, out: &mut [f32; FEATURES]) {
        let area = (self.window * self.window) as f64;
        let diagonal = (self.window / 2) as f64 * 2.0_f64.sqrt();
        let nearest =
            if seen.nearest_square < 0 { 1.0 } else { capped(f64::from(seen.nearest_square).sqrt() / diagonal) };
        out[place::SURROUNDINGS] = (f64::from(seen.crowded) / (area - 1.0)) as f32;
        out[place::SURROUNDINGS + 1] = (f64::from(seen.objects) / area) as f32;
        out[place::SURROUNDINGS + 2] = (f64::from(seen.reserved) / area) as f32;
        out[place::SURROUNDINGS + 3] = nearest;
    }
}

fn write_work(town: &Town, setup: &Setup, citizen: &Citizen, out: &mut [f32; FEATURES]) {
    let (shift, tally) = (&citizen.shift, &citizen.tally);
    out[place::LATENESS] = capped(tally.lateness_counter as f64 / LATE_OFTEN);
    out[place::ON_SHIFT] = flag(shift.is_on_shift);
    out[place::ATTENDANCE] = shift.attendance_ratio() as f32;
    out[place::WITHHELD] = capped(tally.wages_withheld / MUCH_WITHHELD);
    out[place::SHIFT..place::SLOT].fill(0.0);
    let shown = match shift.state {
        shift_state::PRE_SHIFT | shift_state::AWAIT_START => Some(0),
        shift_state::ON_TIME => Some(1),
        shift_state::LATE => Some(2),
        shift_state::ABSENT => Some(3),
        shift_state::POST_SHIFT => Some(4),
        _ => None,
    };
    if let Some(state) = shown {
        out[place::SHIFT + state] = 1.0;
    }
    out[place::TICKS_TO_SHIFT] = ticks_to_shift(town, setup, citizen);
}

fn write_doing(town: &Town, setup: &Setup, citizen: &Citizen, out: &mut [f32; FEATURES]) {
    out[place::LAST_ACTION] = (citizen.last_primitive as f64 / (PRIMITIVES - 1) as f64) as f32;
    out[place::LAST_ACTION + 1] = flag(citizen.last_success);
    out[place::LAST_ACTION + 2] = capped(citizen.last_duration as f64 / LONG_ACTION);
    out[place::HOLDING] = flag(citizen.holding != NOTHING);
    out[place::QUEUED] = flag(citizen.queued != NOTHING);
    out[place::OPTION..place::OPTION + OPTIONS].fill(0.0);
    out[place::OPTION + citizen.plan.option as usize] = 1.0;
    out[place::AFFORDANCE] = progress(town, setup, citizen);
    out[place::QUEUE_PLACE] = queue_place(town, citizen);
    out[place::COMMITMENT] = commitment(town, setup, citizen);
    out[place::RIVAL_AT_HAND] = flag(is_rival_at_hand(town, setup, citizen));
    let hints = path_hints(setup, citizen);
    out[place::PATH_HINTS..place::PATH_HINTS + hints.len()].copy_from_slice(&hints);
}

fn write_home(town: &Town, setup: &Setup, citizen: &Citizen, moment: &Moment, out: &mut [f32; FEATURES]) {
    let fridge = own_fridge(town, setup, citizen.seat as usize);
    let meals = if fridge == NOTHING { 0 } else { town.objects[fridge as usize].stock[item::MEALS] };
    out[place::TIME..place::TIME + 2].copy_from_slice(&moment.time);
    out[place::UTILITIES..place::UTILITIES + 2].copy_from_slice(&moment.utilities);
    out[place::PRICES..place::PRICES + 2].copy_from_slice(&moment.prices);
    out[place::SUPPLIES] = capped(meals as f64 / PANTRY);
    out[place::SUPPLIES + 1] = capped(citizen.inventory[item::FOOD_RAW] as f64 / PANTRY);
    out[place::CITY_EVENT] = moment.city_event;
}

fn path_hints(setup: &Setup, citizen: &Citizen) -> [f32; 4] {
    if citizen.plan.goal == NOTHING {
        return [0.0; 4];
    }
    let (paths, tile) = (&setup.tables.paths, citizen.tile);
    let field = paths.field(citizen.plan.goal);
    let here = field[tile as usize];
    HINT_ORDER.map(|way| {
        let neighbor = paths.neighbor(tile, way);
        flag(neighbor != NOTHING && field[neighbor as usize] < here)
    })
}

fn progress(town: &Town, setup: &Setup, citizen: &Citizen) -> f32 {
    if !citizen.is_running {
        return 0.0;
    }
    let object = citizen.holding as usize;
    running(town, setup, object)
        .map_or(0.0, |row| (1.0 - town.objects[object].remaining as f64 / row.duration as f64) as f32)
}

fn queue_place(town: &Town, citizen: &Citizen) -> f32 {
    if citizen.queued == NOTHING {
        return 0.0;
    }
    let place = town.objects[citizen.queued as usize].place_of(citizen.seat as usize);
    capped((place + 1) as f64 / LONG_QUEUE)
}

fn commitment(town: &Town, setup: &Setup, citizen: &Citizen) -> f32 {
    let (length, plan) = (setup.config.policy_runtime.option_commit_ticks, &citizen.plan);
    if length == 0 || plan.has_ended {
        return 0.0;
    }
    clamp((plan.commit_until - town.tick) as f64 / length as f64, 0.0, 1.0) as f32
}

fn is_rival_at_hand(town: &Town, setup: &Setup, citizen: &Citizen) -> bool {
    if citizen.ties.is_empty() || !setup.config.features.observes_relationships() {
        return false;
    }
    let index = object_in_reach(setup, citizen);
    if index == NOTHING {
        return false;
    }
    let (state, seat) = (&town.objects[index as usize], citizen.seat as usize);
    let avoids = |other: i64| other >= 0 && avoids(town, setup, seat, other as usize);
    avoids(state.holder) || state.queue.iter().any(|entry| avoids(entry.seat))
}

fn ticks_to_shift(town: &Town, setup: &Setup, citizen: &Citizen) -> f32 {
    if citizen.job == NOTHING {
        return 0.0;
    }
    let (job, tod) = (&setup.tables.jobs[citizen.job as usize], town.tod());
    let ticks = if tod < job.end { job.start - tod } else { job.start + town.ticks_per_day - tod };
    (ticks as f64 / town.ticks_per_day as f64) as f32
}

#[inline]
fn flag(is_set: bool) -> f32 {
    f32::from(u8::from(is_set))
}

#[inline]
fn capped(share: f64) -> f32 {
    fmin(share, 1.0) as f32
}
