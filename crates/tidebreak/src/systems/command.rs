//! Orders of agents and scripts become outputs; helm, emissions, focus and designation are carried out here.

use crate::codes::unit_kind;
use crate::draws::{Stream, uniform};
use crate::orders::Order;
use crate::outputs::{
    Board, Designate, Emitter, FireGroup, LaunchDecoy, LayerOrder, Outputs, Scuttle, SetEmissions, SetFocus, SetHelm,
};
use crate::state::Battle;

/// Emits what the unit's latched order or script says; nothing tells the two apart.
pub fn control(battle: &Battle, unit: usize, emit: &mut Emitter<'_>) {
    let own = &battle.units[unit];
    if !own.is_effective() || own.identity.kind == unit_kind::SQUADRON {
        return;
    }
    let Some(order) = order_of(battle, unit) else { return };
    let source = own.id();
    if let Some(code) = order.emissions {
        emit.emit(SetEmissions { source, code });
    }
    if let Some(code) = order.focus {
        emit.emit(SetFocus { source, code });
    }
    emit.emit(SetHelm { source, throttle: order.throttle, rudder: order.rudder });
    let track_id = if order.track_id != 0 { order.track_id } else { own.memory.designated_track };
    if order.track_id != 0 {
        emit.emit(Designate { source, track_id });
    }
    if let Some(direction) = order.layer {
        emit.emit(LayerOrder { source, direction });
    }
    for &group in order.groups.as_slice() {
        emit.emit(FireGroup { source, group, track_id, target: 0 });
    }
    if order.decoy {
        emit.emit(LaunchDecoy { source });
    }
    if order.board_id != 0 {
        emit.emit(Board { source, target: order.board_id });
    }
    if order.scuttle {
        emit.emit(Scuttle { source });
    }
}

/// Order of a starting unit: squadrons have neither controller nor orders.
fn order_of(battle: &Battle, unit: usize) -> Option<Order> {
    let controller = &battle.controllers[unit];
    let Some(script) = controller.script else { return battle.latched[unit] };
    if !is_heard(battle, unit, controller.skill) {
        return Some(Order::default());
    }
    Some(script.order(battle, unit))
}

fn is_heard(battle: &Battle, unit: usize, skill: f64) -> bool {
    skill >= 1.0 || uniform(battle, Stream::Scripts, battle.units[unit].id(), 0, 1) < skill
}

/// Sets emissions, focus, helm and designation; whoever cannot fight on lets go of the helm.
pub fn resolve_command(battle: &mut Battle, outputs: &mut Outputs) {
    let postures = outputs.take::<SetEmissions>();
    for (_, posture) in &postures {
        battle.unit_mut(posture.source).posture.emissions = posture.code;
    }
    outputs.put_back(postures);
    let foci = outputs.take::<SetFocus>();
    for (_, focus) in &foci {
        battle.unit_mut(focus.source).posture.dc_focus = focus.code;
    }
    outputs.put_back(foci);
    let helms = outputs.take::<SetHelm>();
    for (_, helm) in &helms {
        let motion = &mut battle.unit_mut(helm.source).motion;
        (motion.cmd_throttle, motion.cmd_rudder) = (helm.throttle, helm.rudder);
    }
    outputs.put_back(helms);
    let designations = outputs.take::<Designate>();
    for (_, designation) in &designations {
        battle.unit_mut(designation.source).memory.designated_track = designation.track_id;
    }
    outputs.put_back(designations);
    for unit in battle.units.iter_mut().filter(|unit| !unit.is_effective()) {
        (unit.motion.cmd_throttle, unit.motion.cmd_rudder) = (0.0, 0.0);
    }
    for (unit, order) in battle.units.iter_mut().zip(&battle.latched) {
        for _ in 0..order.map_or(0, |order| order.invalid) {
            unit.note_invalid();
        }
    }
}
