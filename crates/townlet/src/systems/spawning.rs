//! Arrivals: replacements, the first population, and whoever an operator sends.

use kernel::numerics::clamp;

use crate::codes::{NOBODY, NOTHING, item, price};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::ledgers::Ticket;
use crate::state::town::{CustomName, Town};
use crate::systems::embedding::{allocate, has_free_slot};
use crate::systems::hiring::{begin_employment, scarcest_job};
use crate::systems::presence::stand_tile;

/// Days of rent a newcomer comes with.
pub const RENTS_IN_WALLET: f64 = 1.5;
const STAND_STRIDE: i64 = 3;

/// Who comes, as far as that is not left to the town: `None` means as for anybody else.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrival {
    /// Id and shown name; the next generated ones unless given.
    pub name: Option<CustomName>,
    /// Where it appears; at home unless given.
    pub tile: Option<i64>,
    /// Needs at the start.
    pub needs: Option<[f64; 3]>,
    /// Coins at the start.
    pub wallet: Option<f64>,
    /// Raw food at the start.
    pub food_raw: Option<i64>,
    /// Index of a job, -1 for none.
    pub job: Option<i64>,
    /// Index of a profile; drawn unless given.
    pub profile: Option<i64>,
    /// Zone to live in; that of the first free bed unless given.
    pub home: Option<i64>,
    /// Whether chance decides about a job, as for replacements.
    pub draws_job: bool,
    /// Number of the citizen who left, -1 for nobody.
    pub replaces: i64,
}

impl Default for Arrival {
    fn default() -> Self {
        Self {
            name: None,
            tile: None,
            needs: None,
            wallet: None,
            food_raw: None,
            job: None,
            profile: None,
            home: None,
            draws_job: false,
            replaces: NOBODY,
        }
    }
}

/// Lets replacements in that are due, in due order; who finds no place waits for the next tick.
pub fn spawn_replacements(town: &mut Town, setup: &Setup) {
    while let Some(place) = first_due(&town.lifecycle.tickets, town.tick) {
        let tile = free_spawn_tile(town, setup);
        if tile == NOTHING || free_seat(town) == NOTHING || free_bed(town, setup, None) == NOTHING {
            return;
        }
        if !has_free_slot(town) {
            tell_exhaustion(town);
            return;
        }
        let ticket = town.lifecycle.tickets.remove(place);
        let arrival = Arrival { tile: Some(tile), draws_job: true, replaces: ticket.replaces, ..Arrival::default() };
        spawn(town, setup, arrival, None);
    }
}

/// Lets the first population in, seat by seat: everybody at home, with jobs dealt out in order.
pub fn populate(town: &mut Town, setup: &Setup) {
    let jobs = setup.tables.jobs.len();
    for seat in 0..setup.config.world.population {
        let job = if jobs == 0 { NOTHING } else { (seat % jobs) as i64 };
        spawn(town, setup, Arrival::default(), Some(job));
    }
}

/// Lets a citizen in and returns its seat; there must be a free seat, a free bed and a free slot.
///
/// Draws from `world`: profile (unless given), three trait jitters, job (replacements), lifespan (if there is one).
pub fn spawn(town: &mut Town, setup: &Setup, arrival: Arrival, initial_job: Option<i64>) -> usize {
    let (seat, bed) = (free_seat(town), free_bed(town, setup, arrival.home));
    let number = town.next_number;
    town.next_number += 1;
    if let Some(name) = &arrival.name {
        town.custom_names.insert(number, name.clone());
    }
    let profile = draw_profile(town, setup, &arrival, number);
    let mut citizen = Citizen::new(number, seat, allocate(town, setup, number), profile);
    citizen.traits = draw_traits(town, setup, profile);
    citizen.home = setup.tables.objects[bed as usize].zone;
    citizen.bed = bed;
    citizen.spawn_tick = town.tick;
    citizen.needs = arrival.needs.unwrap_or(setup.config.world.initial_needs.values());
    citizen.wallet = arrival.wallet.unwrap_or(RENTS_IN_WALLET * town.economy.live[price::RENT]);
    citizen.inventory = vec![0; setup.tables.items.len()];
    citizen.inventory[item::FOOD_RAW] = arrival.food_raw.unwrap_or(1);
    citizen.job = draw_job(town, setup, &arrival, initial_job);
    citizen.decline.lifespan_days = draw_lifespan(town, setup);
    citizen.tile = arrival.tile.unwrap_or_else(|| stand_tile(setup, citizen.home, seat * STAND_STRIDE));
    settle_in(town, setup, citizen, arrival.replaces)
}

/// The lowest free seat, -1 for none; one that was left in the last tick is seen empty once before it is taken.
#[must_use]
pub fn free_seat(town: &Town) -> i64 {
    let is_free = |&seat: &usize| town.seats[seat].is_none() && town.tick - town.lifecycle.vacated[seat] > 1;
    (0..town.seats.len()).find(is_free).map_or(NOTHING, |seat| seat as i64)
}

/// The first bed without an owner, of a home if one is given; -1 for none.
#[must_use]
pub fn free_bed(town: &Town, setup: &Setup, home: Option<i64>) -> i64 {
    let is_free = |&&bed: &&i64| {
        let zone = setup.tables.objects[bed as usize].zone;
        town.objects[bed as usize].owner == NOBODY && home.is_none_or(|home| home == zone)
    };
    setup.tables.beds.iter().find(is_free).copied().unwrap_or(NOTHING)
}

/// The first spawn tile nobody stands on, -1 for none.
#[must_use]
pub fn free_spawn_tile(town: &Town, setup: &Setup) -> i64 {
    let tiles = &setup.tables.map.spawn_tiles;
    tiles.iter().find(|&&tile| town.occupancy[tile as usize] == 0).copied().unwrap_or(NOTHING)
}

/// Place of the ticket that is due first, of equal ones the oldest.
fn first_due(tickets: &[Ticket], tick: i64) -> Option<usize> {
    let due = (0..tickets.len()).filter(|&place| tickets[place].due_tick <= tick);
    due.min_by_key(|&place| tickets[place].due_tick)
}

fn tell_exhaustion(town: &mut Town) {
    if !town.lifecycle.pool_exhausted_told {
        town.lifecycle.pool_exhausted_told = true;
        town.record(EventKind::EmbeddingPoolExhausted, &[]);
    }
}

fn settle_in(town: &mut Town, setup: &Setup, citizen: Citizen, replaces: i64) -> usize {
    let seat = citizen.seat as usize;
    let number = citizen.number as f64;
    let (tile, profile, job) = (citizen.tile as f64, citizen.profile as f64, citizen.job as f64);
    let values = [number, number, tile, profile, job, citizen.slot as f64, replaces as f64];
    town.occupancy[citizen.at()] += 1;
    town.objects[citizen.bed as usize].owner = citizen.seat;
    town.seats[seat] = Some(Box::new(citizen));
    begin_employment(town, setup, seat);
    town.record(EventKind::AgentSpawn, &values);
    seat
}

fn draw_profile(town: &mut Town, setup: &Setup, arrival: &Arrival, number: i64) -> i64 {
    if let Some(profile) = arrival.profile {
        return profile;
    }
    let rule = &setup.config.personalities;
    let name =
        town.custom_names.get(&number).map_or_else(|| format!("citizen_{number:03}"), |name| name.agent_id.clone());
    if let Some(&profile) = rule.overrides.get(&name) {
        return profile;
    }
    let weights: Vec<f64> = rule.distribution.iter().map(|&(_, weight)| weight).collect();
    let chosen = town.streams.world.choice_weighted(&weights).expect("some profile has a weight");
    rule.distribution[chosen].0
}

fn draw_traits(town: &mut Town, setup: &Setup, profile: i64) -> [f64; 3] {
    let jitter = setup.config.personalities.trait_jitter;
    let mut traits = setup.tables.profiles[profile as usize].traits;
    for value in &mut traits {
        *value = clamp(*value + town.streams.world.uniform(-jitter, jitter), -1.0, 1.0);
    }
    traits
}

fn draw_job(town: &mut Town, setup: &Setup, arrival: &Arrival, initial_job: Option<i64>) -> i64 {
    if let Some(job) = arrival.job.or(initial_job) {
        return job;
    }
    if arrival.draws_job && town.streams.world.f64() >= setup.config.employment.job_preassign_prob {
        return NOTHING;
    }
    scarcest_job(town, setup)
}

fn draw_lifespan(town: &mut Town, setup: &Setup) -> i64 {
    let rule = &setup.config.lifecycle.age_out;
    if rule.enabled { town.streams.world.randint_inclusive(rule.min_days, rule.max_days) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::spawn_replacements;
    use crate::setup::Setup;
    use crate::state::ledgers::Ticket;
    use crate::systems::small_town::{small_setup, town_with};

    fn setup_with_beds() -> Setup {
        let mut setup = small_setup();
        setup.tables.beds = vec![0, 1];
        setup.tables.map.spawn_tiles = vec![8, 9, 10];
        setup
    }

    #[test]
    fn tickets_are_served_in_due_order_while_there_are_beds() {
        let setup = setup_with_beds();
        let mut town = town_with(&setup, &[]);
        let due_ticks = [7, 9, 5, 7];
        town.lifecycle.tickets =
            due_ticks.iter().zip(20..).map(|(&due_tick, replaces)| Ticket { due_tick, replaces }).collect();
        town.tick = 8;

        spawn_replacements(&mut town, &setup);

        let left: Vec<i64> = town.lifecycle.tickets.iter().map(|ticket| ticket.replaces).collect();
        assert_eq!(left, [21, 23]);
        let tiles: Vec<i64> = town.citizens().map(|citizen| citizen.tile).collect();
        assert_eq!(tiles, [8, 9]);
    }

    #[test]
    fn a_seat_is_seen_empty_once_before_somebody_takes_it() {
        let setup = setup_with_beds();
        let mut town = town_with(&setup, &[]);
        town.seats.truncate(1);
        town.lifecycle.vacated[0] = 4;
        town.lifecycle.tickets = vec![Ticket { due_tick: 5, replaces: 0 }];

        town.tick = 5;
        spawn_replacements(&mut town, &setup);
        assert!(town.seats[0].is_none());
        assert_eq!(town.streams.world.draws(), 0, "who cannot come yet draws nothing");

        town.tick = 6;
        spawn_replacements(&mut town, &setup);
        assert!(town.seats[0].is_some());
    }
}
