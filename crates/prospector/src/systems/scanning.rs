//! Selecting and scanning: the nearer they look, the more they tell, the longer they take and the louder they are.

use kernel::numerics::normalise6;

use crate::bounds::clamp;
use crate::constants::{N_COMMODITIES, SCAN_CONF_OFFSET, SELECT_TICKS};
use crate::events::{Deed, Event, Happenings, ScanMode};
use crate::rules::Rules;
use crate::state::State;

/// What a scan reads: the share of each commodity, then the stability.
const READINGS: usize = N_COMMODITIES + 1;

/// What a mode of scanning costs and yields.
struct Scan {
    ticks: u8,
    fuel: f64,
    alert: f64,
    blend: f64,
    confidence_gain: f64,
    noise_factor: f64,
}

const WIDE: Scan = Scan { ticks: 3, fuel: 5.0, alert: 4.0, blend: 0.22, confidence_gain: 0.10, noise_factor: 1.35 };
const FOCUSED: Scan = Scan { ticks: 2, fuel: 4.0, alert: 3.0, blend: 0.42, confidence_gain: 0.20, noise_factor: 1.00 };
const DEEP: Scan = Scan { ticks: 4, fuel: 8.0, alert: 6.0, blend: 0.80, confidence_gain: 0.45, noise_factor: 0.55 };

/// Selects the asteroid in `slot`.
pub(crate) fn select(state: &mut State, slot: u8, happenings: &mut Happenings) -> u8 {
    state.ship.selection = Some(slot);
    happenings.note(Event::Select);
    happenings.deed = Deed::Select { asteroid: slot };
    SELECT_TICKS
}

/// Scans every asteroid of the node.
pub(crate) fn scan_all(state: &mut State, rules: &Rules, happenings: &mut Happenings) -> u8 {
    let asteroids = state.belt.fields[usize::from(state.ship.node)].asteroid_count;
    pay(state, &WIDE, Deed::Scan { mode: ScanMode::Wide, asteroids }, happenings);
    // Two at a time, since an odd number of errors would leave half a vector unused.
    for pair in 0..asteroids / 2 {
        let errors = state.rng.standard_normals::<{ 2 * READINGS }>();
        let (each, _) = errors.as_chunks::<READINGS>();
        scan_slot(state, rules, &WIDE, 2 * pair, &each[0]);
        scan_slot(state, rules, &WIDE, 2 * pair + 1, &each[1]);
    }
    if asteroids % 2 == 1 {
        let errors = state.rng.standard_normals();
        scan_slot(state, rules, &WIDE, asteroids - 1, &errors);
    }
    WIDE.ticks
}

/// Scans the asteroid in `slot`.
pub(crate) fn scan_one(state: &mut State, rules: &Rules, mode: ScanMode, slot: u8, happenings: &mut Happenings) -> u8 {
    let scan = if mode == ScanMode::Deep { &DEEP } else { &FOCUSED };
    pay(state, scan, Deed::Scan { mode, asteroids: 1 }, happenings);
    let errors = state.rng.standard_normals();
    scan_slot(state, rules, scan, slot, &errors);
    scan.ticks
}

fn pay(state: &mut State, scan: &Scan, deed: Deed, happenings: &mut Happenings) {
    state.ship.fuel -= scan.fuel;
    state.ship.alert += scan.alert;
    state.counters.scan_count += 1;
    happenings.note(Event::Scan);
    happenings.deed = deed;
}

/// Blends a noisy look at an asteroid into what the pilot believes; `errors` are standard normal.
fn scan_slot(state: &mut State, rules: &Rules, scan: &Scan, slot: u8, errors: &[f64; READINGS]) {
    let inc = state.rng.inc();
    let (makeup, beliefs) = state.belt.asteroid(usize::from(state.ship.node), usize::from(slot), inc);
    let sigma = makeup.noise * (1.0 - beliefs.scan_conf + SCAN_CONF_OFFSET) * scan.noise_factor;
    // Zero times a finite draw leaves what it is added to as it is, so no noise needs no branch.
    let sigma = if rules.config.scan_noise { sigma } else { 0.0 };
    let mut reading = makeup.true_comp;
    for c in 0..N_COMMODITIES {
        reading[c] += sigma * errors[c];
    }
    let reading = normalise6(reading);
    let mut blended = beliefs.comp_est;
    for c in 0..N_COMMODITIES {
        blended[c] = (1.0 - scan.blend) * blended[c] + scan.blend * reading[c];
    }
    beliefs.comp_est = normalise6(blended);
    let stability = clamp(makeup.stability + sigma * errors[N_COMMODITIES], 0.0, 1.0);
    beliefs.stability_est = clamp((1.0 - scan.blend) * beliefs.stability_est + scan.blend * stability, 0.0, 1.0);
    beliefs.scan_conf = clamp(beliefs.scan_conf + scan.confidence_gain, 0.0, 1.0);
}
