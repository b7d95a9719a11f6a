//! KPIs: how the town does over a day, counted tick by tick.

use std::mem::take;

use crate::codes::need;
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::kpis::{KpiRow, KpiWindow};
use crate::state::town::Town;
use crate::systems::ties::rivalry_now;

/// Need above which a citizen is well.
pub const WELL_NEED: f64 = 0.3;
/// Share of ticks for which a citizen must be well to count as self-sufficient.
pub const WELL_SHARE: f64 = 0.9;
/// How much a tie must mean to count.
pub const MEANINGFUL_TIE: f64 = 0.3;
/// Rows that stay on record.
pub const ROWS_KEPT: usize = 50;

/// Counts this tick: the end of stage 5, when those who left are gone.
pub fn count_tick(town: &mut Town, setup: &Setup) {
    let (window, rule) = (&mut town.kpis, &setup.config.stability.starvation);
    for citizen in town.seats.iter().flatten() {
        let seat = citizen.seat as usize;
        window.lived_ticks[seat] += 1;
        if citizen.needs.iter().all(|&value| value > WELL_NEED) {
            window.well_ticks[seat] += 1;
        }
        if citizen.needs[need::HUNGER] <= rule.hunger_threshold {
            window.hungry_streaks[seat] += 1;
            if window.hungry_streaks[seat] == rule.min_duration_ticks {
                window.incidents += 1;
            }
        } else {
            window.hungry_streaks[seat] = 0;
        }
        window.option_starts += citizen.facts.option_starts;
        window.premature_switches += citizen.facts.premature_switches;
    }
}

/// The numbers of the open window so far.
#[must_use]
pub fn kpi_row(town: &Town, setup: &Setup) -> KpiRow {
    let window = &town.kpis;
    let (mut population, mut well, mut bound) = (0, 0, 0);
    let (mut employed, mut attendance) = (0, 0.0);
    for citizen in town.citizens() {
        let seat = citizen.seat as usize;
        population += 1;
        well += i64::from(window.well_ticks[seat] as f64 >= WELL_SHARE * window.lived_ticks[seat] as f64);
        bound += i64::from(has_meaningful_tie(town, setup, citizen));
        if !citizen.shift.attendance.is_empty() {
            employed += 1;
            attendance += citizen.shift.attendance_ratio();
        }
    }
    let (quarrels, feuds) = count_conflicts(town);
    KpiRow {
        start_tick: window.start_tick,
        self_sufficiency: share(well, population),
        starvation_incidents: window.incidents as f64,
        attendance: if employed != 0 { attendance / employed as f64 } else { 0.0 },
        lateness: share(window.late, window.shifts),
        relationship_coverage: share(bound, population),
        conflict_escalation: share(feuds, quarrels),
        option_thrash: share(window.premature_switches, window.option_starts),
        exits_per_day: window.exits as f64,
    }
}

/// The numbers of the open window; those of the last day at midnight, when nothing has been counted yet.
#[must_use]
pub fn latest_row(town: &Town, setup: &Setup) -> KpiRow {
    let window = &town.kpis;
    match window.rows.last() {
        Some(row) if window.start_tick == town.tick => row.clone(),
        _ => kpi_row(town, setup),
    }
}

/// Keeps the row of the day that has ended and begins the next.
pub fn close_window(town: &mut Town, setup: &Setup) {
    let row = kpi_row(town, setup);
    let mut rows = take(&mut town.kpis.rows);
    rows.push(row);
    rows.drain(..rows.len().saturating_sub(ROWS_KEPT));
    let hungry_streaks = take(&mut town.kpis.hungry_streaks);
    town.kpis = KpiWindow { hungry_streaks, rows, ..open_window(town.seats.len(), town.tick) };
}

/// A window without any counts.
#[must_use]
pub fn open_window(seats: usize, tick: i64) -> KpiWindow {
    KpiWindow {
        start_tick: tick,
        well_ticks: vec![0; seats],
        lived_ticks: vec![0; seats],
        hungry_streaks: vec![0; seats],
        conflict_pairs: vec![0; seats * seats],
        ..KpiWindow::default()
    }
}

/// Pairs with a conflict, and those with one that led to avoidance; nobody who has left is among them.
fn count_conflicts(town: &Town) -> (i64, i64) {
    let (mut quarrels, mut feuds) = (0, 0);
    let mut further = town.living();
    while let Some(seat) = further.next() {
        for other in further {
            let level = town.kpis.conflict_pairs[town.pair(seat, other)];
            quarrels += i64::from(level > 0);
            feuds += i64::from(level > 1);
        }
    }
    (quarrels, feuds)
}

fn has_meaningful_tie(town: &Town, setup: &Setup, citizen: &Citizen) -> bool {
    citizen.ties.iter().any(|tie| {
        tie.trust.abs() > MEANINGFUL_TIE
            || tie.familiarity.abs() > MEANINGFUL_TIE
            || rivalry_now(town, setup, tie) > MEANINGFUL_TIE
    })
}

fn share(part: i64, whole: i64) -> f64 {
    if whole != 0 { part as f64 / whole as f64 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::{close_window, count_tick};
    use crate::codes::need;
    use crate::systems::small_town::{small_setup, town_with};

    #[test]
    fn hunger_outlasts_a_window_and_counts_once() {
        let mut setup = small_setup();
        setup.config.stability.starvation.hunger_threshold = 0.05;
        setup.config.stability.starvation.min_duration_ticks = 3;
        let mut town = town_with(&setup, &[8, 9]);
        town.citizen_mut(1).needs[need::HUNGER] = 0.05;
        for _ in 0..2 {
            count_tick(&mut town, &setup);
        }
        close_window(&mut town, &setup);
        for _ in 0..2 {
            count_tick(&mut town, &setup);
        }
        close_window(&mut town, &setup);

        let rows: Vec<_> = town.kpis.rows.iter().map(|row| (row.starvation_incidents, row.self_sufficiency)).collect();
        assert_eq!(rows, [(0.0, 0.5), (1.0, 0.5)]);
    }
}
