//! Fire orders: which mounts shoot at what, and what a shot costs.

use crate::codes::{system, weapon_group};
use crate::components::Track;
use crate::events::{EventKind, News};
use crate::outputs::{FireGroup, Outputs};
use crate::state::Battle;
use crate::systems::ballistics::{effective_gunnery, reload_ticks};
use crate::systems::compartments::usable;
use crate::systems::fire_conditions::{
    Refusal, aim_point, choose_track, mount_refusal, needs_no_track, refusal, weapon_at,
};
use crate::systems::launches::launch;
use crate::systems::point_defence::shoot_down;
use crate::systems::squadrons::launch_squadron;

/// Carries out orders to fire and the shots of point defense, by unit and then in the order they were given.
pub fn resolve_fire(battle: &mut Battle, outputs: &mut Outputs) {
    // Orders come sorted by unit, so that all of a unit's are seen before the next one's.
    let mut ordered: Option<usize> = None;
    let mut has_fired = false;
    let orders = outputs.take::<FireGroup>();
    for (_, order) in &orders {
        let unit = battle.place(order.source);
        if order.group == weapon_group::AUTOMATIC {
            shoot_down(battle, unit, order.track_id, order.target);
            continue;
        }
        if ordered != Some(unit) {
            note_silence(battle, ordered, has_fired);
            (ordered, has_fired) = (Some(unit), false);
        }
        let designated = battle.units[unit].tracks.get(order.track_id).copied();
        has_fired |= fire_group(battle, unit, order.group, designated.as_ref());
    }
    note_silence(battle, ordered, has_fired);
    outputs.put_back(orders);
}

/// Lets every mount of a group fire that can; says whether any did.
pub fn fire_group(battle: &mut Battle, unit: usize, group: i64, designated: Option<&Track>) -> bool {
    let mut has_fired = false;
    for place in 0..battle.units[unit].mounts.len() {
        if weapon_at(battle, unit, place).group == group {
            has_fired |= fire_mount(battle, unit, place, designated).is_none();
        }
    }
    has_fired
}

/// Fires one mount at the designated track, or at the first other one it can engage; says why it does not.
pub fn fire_mount(battle: &mut Battle, unit: usize, place: usize, designated: Option<&Track>) -> Option<Refusal> {
    if let Some(refused) = mount_refusal(battle, unit, place) {
        return Some(refused);
    }
    let weapon = weapon_at(battle, unit, place);
    let (code, is_air_wing) = (weapon.code, weapon.group == weapon_group::AIR);
    let track = choose_track(battle, unit, place, designated).copied();
    let refused = refusal(battle, unit, place, track.as_ref().or(designated));
    if refused == Some(Refusal::MunitionCap) {
        let source = battle.units[unit].id();
        battle.record(News { source, i0: code, ..News::of(EventKind::MunitionCap) });
    }
    if refused.is_some() {
        return refused;
    }
    match track {
        Some(track) if is_air_wing => launch_squadron(battle, unit, place, &track),
        _ => discharge(battle, unit, place, track.as_ref()),
    }
    None
}

/// Takes a round from the mount and begins to load the next.
pub fn spend_round(battle: &mut Battle, unit: usize, place: usize) {
    let firer = &battle.units[unit];
    let weapon = weapon_at(battle, unit, place);
    let group = weapon.group;
    let ready_at = battle.tick
        + reload_ticks(
            weapon,
            effective_gunnery(firer.crew.gunnery, firer.crew.fatigue),
            usable(firer, system::WEAPONS),
            usable(firer, system::POWER),
        );
    let firer = &mut battle.units[unit];
    let mount = &mut firer.mounts[place];
    mount.ready_at = ready_at;
    if mount.ammo > 0 {
        mount.ammo -= 1;
    }
    firer.tally.shots[group as usize - 1] += 1;
}

fn discharge(battle: &mut Battle, unit: usize, place: usize, track: Option<&Track>) {
    let firer = &battle.units[unit];
    let weapon = weapon_at(battle, unit, place);
    let (source, code) = (firer.id(), weapon.code);
    let (aim, target) = match track {
        Some(track) if !needs_no_track(weapon) => (aim_point(firer, weapon, track), track.target_id),
        _ => ((firer.x(), firer.y()), 0),
    };
    let news = News { source, target, f0: aim.0, f1: aim.1, i0: code, ..News::of(EventKind::WeaponFired) };
    let fired = battle.record(news);
    launch(battle, unit, code as usize, aim, fired);
    spend_round(battle, unit, place);
}

fn note_silence(battle: &mut Battle, ordered: Option<usize>, has_fired: bool) {
    if let Some(unit) = ordered.filter(|_| !has_fired) {
        battle.units[unit].note_invalid();
    }
}
