//! Lifecycle: who leaves town, for what reason, and what holds an exit back.

use crate::codes::{exit_block, exit_reason, price};
use crate::config::features::Switch;
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::town::Town;
use crate::systems::collapse::{has_collapsed, rescue};
use crate::systems::departures::{lived_days, remove_citizen};
use crate::systems::exit_queue::work_exit_queue;

const NOT_DEFERRED: i64 = -1;

/// Marks everybody who leaves this tick, in the order of reasons, then seats; `facts.exit_reason` says why.
pub fn evaluate_exits(town: &mut Town, setup: &Setup) {
    if !concerns_anybody(town, setup) {
        return; // as in most ticks
    }
    for seat in town.living() {
        if town.citizen(seat).decline.kill_requested {
            leave(town, seat, exit_reason::KILLED);
        }
    }
    if !allows_exits(town, setup) {
        for seat in town.living() {
            let citizen = town.citizen(seat);
            if has_collapsed(town, citizen) && citizen.facts.exit_reason < 0 {
                rescue(town, setup, seat);
            }
        }
        return;
    }
    let mut deferred = 0;
    consider_all(town, setup, &mut deferred, exit_reason::FAINT, has_collapsed);
    consider_all(town, setup, &mut deferred, exit_reason::EVICTION, |_, citizen| citizen.decline.is_evicted);
    if setup.config.employment.enforce_job_loop {
        work_exit_queue(town, setup, &mut |town, seat, is_approved| {
            consider(town, setup, &mut deferred, seat, exit_reason::UNEMPLOYMENT, is_approved)
        });
    }
    consider_all(town, setup, &mut deferred, exit_reason::UNEMPLOYMENT, |_, citizen| citizen.decline.is_unemployed);
    consider_all(town, setup, &mut deferred, exit_reason::NEGLECT, |_, citizen| citizen.decline.is_neglected);
    consider_all(town, setup, &mut deferred, exit_reason::AGE_OUT, has_aged_out);
    for citizen in town.citizens_mut() {
        if deferred & 1 << citizen.seat == 0 {
            citizen.decline.deferred_reason = NOT_DEFERRED;
        }
    }
}

/// Removes everybody who leaves, in the order in which they were marked.
pub fn remove_exited(town: &mut Town, setup: &Setup) {
    for place in 0..town.report.exits.len() {
        let (seat, reason) = town.report.exits[place];
        remove_citizen(town, setup, seat, reason);
    }
}

/// At midnight, after rent: finds out who is evicted and who counts as unemployed.
pub fn judge_day(town: &mut Town, setup: &Setup) {
    let (rule, day) = (&setup.config.lifecycle, town.day());
    let half_rent = 0.5 * town.economy.live[price::RENT];
    for citizen in town.citizens_mut() {
        let decline = &mut citizen.decline;
        if decline.rent_arrears == 0 {
            decline.notice_day = -1;
        } else if decline.rent_arrears >= rule.eviction.days_unpaid && decline.notice_day < 0 {
            decline.notice_day = day;
        }
        let has_notice = decline.notice_day >= 0 && day - decline.notice_day >= rule.eviction.recovery_days;
        decline.is_evicted = has_notice && citizen.wallet < half_rent;
        decline.is_unemployed = !setup.tables.jobs.is_empty() && citizen.shift.wageless_days >= rule.unemployment_days;
    }
    town.lifecycle.exits_today = 0;
}

/// Whether there is anybody whom a rule of this file could do anything with.
fn concerns_anybody(town: &Town, setup: &Setup) -> bool {
    let most_absences = setup.config.employment.max_absent_shifts;
    let is_concerned = |citizen: &Citizen| {
        let decline = &citizen.decline;
        decline.kill_requested
            || decline.is_evicted
            || decline.is_unemployed
            || decline.is_neglected
            || decline.lifespan_days > 0
            || decline.deferred_reason != NOT_DEFERRED
            || has_collapsed(town, citizen)
            || citizen.shift.absent_shifts_7d() >= most_absences
    };
    let ledger = &town.employment;
    !ledger.queue.is_empty() || !ledger.approvals.is_empty() || town.citizens().any(is_concerned)
}

fn allows_exits(town: &Town, setup: &Setup) -> bool {
    town.rules.mortality && setup.config.features.systems.lifecycle == Switch::On
}

fn has_aged_out(town: &Town, citizen: &Citizen) -> bool {
    let lifespan = citizen.decline.lifespan_days;
    lifespan > 0 && lifespan as f64 <= lived_days(town, citizen.seat as usize)
}

fn consider_all(
    town: &mut Town,
    setup: &Setup,
    deferred: &mut u64,
    reason: i64,
    is_due: impl Fn(&Town, &Citizen) -> bool,
) {
    for seat in town.living() {
        if is_due(town, town.citizen(seat)) {
            consider(town, setup, deferred, seat, reason, false);
        }
    }
}

/// Lets a citizen leave unless something holds it back; the first reason that holds is the one that counts.
fn consider(town: &mut Town, setup: &Setup, deferred: &mut u64, seat: usize, reason: i64, is_approved: bool) -> bool {
    if town.citizen(seat).facts.exit_reason >= 0 || *deferred & 1 << seat != 0 {
        return false;
    }
    let block = if is_approved { None } else { block_of(town, setup, reason) };
    if let Some(block) = block {
        *deferred |= 1 << seat;
        defer(town, seat, reason, block);
        return false;
    }
    leave(town, seat, reason);
    true
}

fn leave(town: &mut Town, seat: usize, reason: i64) {
    town.citizen_mut(seat).facts.exit_reason = reason;
    town.report.exits.push((seat, reason));
    town.lifecycle.exits_today += 1;
    town.lifecycle.last_exit_tick = town.tick;
}

fn block_of(town: &Town, setup: &Setup, reason: i64) -> Option<i64> {
    if town.lifecycle.exits_today >= town.rules.max_exits_per_day {
        return Some(exit_block::DAILY_CAP);
    }
    if town.tick - town.lifecycle.last_exit_tick < setup.config.lifecycle.exit_cooldown_ticks {
        return Some(exit_block::COOLDOWN);
    }
    is_suppressed(town, setup, reason).then_some(exit_block::CITY_EVENT)
}

fn is_suppressed(town: &Town, setup: &Setup, reason: i64) -> bool {
    if !setup.config.lifecycle.suppress_during_city_events {
        return false;
    }
    let grace = setup.config.perturbations.grace_window_ticks;
    match reason {
        exit_reason::FAINT | exit_reason::NEGLECT => town.tick - town.perturbations.utility_tick <= grace,
        exit_reason::EVICTION => town.tick - town.perturbations.price_tick <= grace,
        _ => false,
    }
}

fn defer(town: &mut Town, seat: usize, reason: i64, block: i64) {
    let tick = town.tick;
    let citizen = town.citizen_mut(seat);
    citizen.decline.deferred_tick = tick;
    if citizen.decline.deferred_reason != reason {
        citizen.decline.deferred_reason = reason;
        let number = citizen.number as f64;
        town.record(EventKind::ExitDeferred, &[number, reason as f64, block as f64]);
    }
}

#[cfg(test)]
mod tests {
    use super::evaluate_exits;
    use crate::codes::exit_reason;
    use crate::events::EventKind;
    use crate::systems::small_town::{small_setup, town_with};

    #[test]
    fn the_first_reason_counts_and_the_cap_holds_the_next_one_back() {
        let setup = small_setup();
        let mut town = town_with(&setup, &[8, 9, 10]);
        town.rules.max_exits_per_day = 1;
        town.citizen_mut(0).decline.is_evicted = true;
        town.citizen_mut(2).decline.collapse_streak = town.rules.collapse_ticks;
        town.citizen_mut(2).decline.is_evicted = true;

        evaluate_exits(&mut town, &setup);
        evaluate_exits(&mut town, &setup);

        assert_eq!(town.report.exits, [(2, exit_reason::FAINT)]);
        assert_eq!(town.citizen(0).decline.deferred_reason, exit_reason::EVICTION);
        let told = town.events.entries().iter().filter(|event| event.kind == EventKind::ExitDeferred).count();
        assert_eq!(told, 1, "a streak is told once");
    }

    #[test]
    fn an_exit_that_is_held_back_stays_at_the_head_of_the_queue() {
        let mut setup = small_setup();
        setup.config.employment.max_absent_shifts = 2;
        let mut town = town_with(&setup, &[8, 9]);
        town.rules.max_exits_per_day = 0;
        town.rules.daily_exit_cap = 5;
        town.citizen_mut(1).shift.absences = vec![0, 0];

        evaluate_exits(&mut town, &setup);
        assert!(town.citizen(1).decline.is_exit_pending);
        assert_eq!(town.employment.queue[0].seat, 1);

        town.rules.max_exits_per_day = 1;
        town.tick += 1;
        evaluate_exits(&mut town, &setup);
        assert_eq!(town.report.exits, [(1, exit_reason::UNEMPLOYMENT)]);
        assert!(town.employment.queue.is_empty());
    }
}
