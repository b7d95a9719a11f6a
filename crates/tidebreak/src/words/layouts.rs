//! The fields of every record, in the order of their words.

use kernel::bounded_records;

use crate::components::{
    Boarding, Compartment, ContactMemory, Crew, Hull, Identity, LayerState, MateFix, Memory, Morale, Motion, Mount,
    Munition, Objective, Posture, Stores, Storm, Tally, Track, Transform,
};
use crate::state::Outcome;

bounded_records! {
    Identity { id, kind, class_code, team, status, size, tier }
    Transform { x, y, heading }
    Motion { vx, vy, omega, throttle, rudder, cmd_throttle, cmd_rudder }
    LayerState { layer, mode, target_layer, elapsed, total, trans_damage, botches }
    Posture { emissions, dc_focus }
    Hull { hp, systems, ceilings, fire, flood }
    Crew { alive, running_loss, killed, wounded, marines, security, gunnery, engineering, fatigue, command }
    Morale { morale, morale_start }
    Stores { fuel, decoys, decoy_ready_at }
    Mount { ready_at, ammo }
    Compartment { integrity, fire, flood, breached, crew }
    ContactMemory { last_ping_tick, pinged_at, painted_at }
    Boarding { state, target_id, timer, transferred, progress, status, attached_ticks, damage_window }
    Objective { r#type, status, time_on, value_a, value_b, value_c, progress, reward_sum }
    Tally { damage_dealt, damage_taken, shots, hits, kills, transitions, hazard_damage, collisions }
    Track { track_id, target_id, x, y, vx, vy, P, quality, age, hits, bearing_only, layer_est, class_level, id_conf, iff, is_munition, modalities, shared }
    MateFix { unit_id, x, y, vx, vy, layer, tick }
    Memory { designated_track, contact_rows, mate_fixes, raised_ids, last_damage_by, last_damage_event, harmed_at, grounding_at, scuttle_ticks, was_effective, is_loss_paid, capture_method, captor_team, attacker_losses, defender_losses, breach_quality, entry_district, carrier_id, carrier_slot, has_struck, invalid_orders, contacts_sum }
    Munition { id, kind, weapon_code, owner_id, team, x, y, heading, speed, launch_layer, target_layers, aim_x, aim_y, lock_id, remaining, run, rounds, spread, damage, armed_at, search } [fired_event]
    Storm { x, y, vx, vy, radius, intensity, profile, ends_at_tick }
    Outcome { end_reason, winner }
}
