//! The first state of a battle.

use std::sync::Arc;

use kernel::numerics::sincos;
use morphospace::FieldSpace;

use crate::components::{
    Boarding, Compartment, ContactMemory, Crew, Hull, Identity, LayerState, Memory, Morale, Motion, Mount, Objective,
    Posture, Scratch, Stores, Storm, Tally, Tracks, Transform,
};
use crate::events::{EventKind, EventLog, Keeping, News};
use crate::orders::Controller;
use crate::records::{ResolvedBattle, ResolvedStorm, ResolvedUnit};
use crate::state::{Battle, Outcome, Unit};
use crate::systems::currents::still_layers;

/// Sets up a battle at tick 0, before anybody has sensed anything.
///
/// `fields` are the battle's empty fields, from `static_fields::open_fields`; `seed` is that of every draw, and
/// `controllers` has one entry per unit.
#[must_use]
pub fn open_battle(
    spec: Arc<ResolvedBattle>,
    fields: FieldSpace,
    seed: u64,
    controllers: Vec<Controller>,
    keeping: Keeping,
) -> Battle {
    let mut battle = Battle {
        tick: 0,
        seed,
        next_entity_id: spec.units.len() as i64 + 1,
        units: spec.units.iter().map(|unit| open_unit(Arc::clone(unit))).collect(),
        munitions: Vec::new(),
        storms: spec.map.storms.iter().map(open_storm).collect(),
        fields,
        still_layers: still_layers(&spec.map),
        log: EventLog::new(keeping),
        outcome: Outcome::OPEN,
        latched: vec![None; spec.units.len()],
        controllers,
        shown: Vec::new(),
        stamps: Vec::new(),
        initial_hash: 0,
        spec,
    };
    battle.record(News::of(EventKind::BattleStart));
    battle
}

/// A unit as it enters the battle.
#[must_use]
pub fn open_unit(spec: Arc<ResolvedUnit>) -> Unit {
    let (hull, start, crew) = (&spec.hull, &spec.start, &spec.crew);
    let (sine, cosine) = sincos(start.heading);
    Unit {
        identity: Identity {
            id: spec.id,
            kind: hull.kind,
            class_code: hull.class_code,
            team: spec.team,
            status: 0,
            size: hull.size,
            tier: hull.damage_tier,
        },
        transform: Transform { x: start.x, y: start.y, heading: start.heading },
        motion: Motion {
            vx: start.speed_ms * cosine,
            vy: start.speed_ms * sine,
            omega: 0.0,
            throttle: 0.0,
            rudder: 0.0,
            cmd_throttle: 0.0,
            cmd_rudder: 0.0,
        },
        layer: LayerState::steady(start.layer),
        posture: Posture::default(),
        hull: Hull {
            hp: start.hp,
            systems: start.systems,
            ceilings: start.ceilings,
            fire: start.fire,
            flood: start.flood,
        },
        crew: Crew {
            alive: crew.crew_start,
            running_loss: 0.0,
            killed: 0,
            wounded: 0,
            marines: crew.marines as f64,
            security: crew.security as f64,
            gunnery: crew.gunnery,
            engineering: crew.engineering,
            fatigue: crew.fatigue,
            command: crew.command,
        },
        morale: Morale { morale: crew.morale, morale_start: crew.morale },
        stores: Stores { fuel: start.fuel_s, decoys: start.decoys, decoy_ready_at: 0 },
        mounts: spec.mounts.iter().map(|mount| Mount { ready_at: 0, ammo: mount.ammo }).collect(),
        compartments: start
            .compartments
            .iter()
            .map(|part| Compartment {
                integrity: part.integrity,
                fire: part.fire,
                flood: part.flood,
                breached: part.breached,
                crew: part.crew,
            })
            .collect(),
        contact_memory: ContactMemory::default(),
        boarding: Boarding::default(),
        objective: spec
            .objective
            .as_ref()
            .map_or_else(Objective::default, |task| Objective { r#type: task.r#type, ..Objective::default() }),
        tally: Tally::default(),
        tracks: Tracks::default(),
        memory: Memory::default(),
        scratch: Scratch::default(),
        spec,
    }
}

fn open_storm(storm: &ResolvedStorm) -> Storm {
    Storm {
        x: storm.x,
        y: storm.y,
        vx: storm.vx,
        vy: storm.vy,
        radius: storm.radius_m,
        intensity: storm.intensity,
        profile: storm.profile,
        ends_at_tick: storm.ends_at_tick,
    }
}
