//! Traces in the fields: wakes, fires, pings, transits, and whatever exploded or sank in this tick.

use morphospace::Effect;

use crate::codes::layer;
use crate::components::IN_TRANSIT;
use crate::events::{EventKind, News};
use crate::outputs::{Emitter, Outputs, StampField};
use crate::sensing::pairs::is_pinging;
use crate::state::Battle;

/// What a unit leaves behind it by being there.
pub fn stamp_sources(battle: &Battle, unit: usize, emit: &mut Emitter<'_>) {
    if !battle.rules().fields {
        return;
    }
    let own = &battle.units[unit];
    let (source, at, own_layer) = (own.id(), [own.x(), own.y()], own.layer.layer);
    let mut stamp = |effect| emit.emit(StampField { source, effect, at });
    let (hull_radius_m, speed_ms) = (own.spec.hull.radius_m, own.speed());
    stamp(Effect::Wake { layer: own_layer as usize, hull_radius_m, speed_ms });
    if own.hull.fire > 0.0 && own_layer == layer::SURFACE {
        stamp(Effect::Fire { share: own.hull.fire });
    }
    if is_pinging(battle, unit) {
        stamp(Effect::SonarPing { layer: own_layer as usize });
    }
    if own.layer.mode == IN_TRANSIT {
        stamp(Effect::Transit { layers: own.layers_mask() as usize });
    }
}

/// Keeps the stamps of a phase until the fields are due.
pub fn keep_stamps(battle: &mut Battle, outputs: &mut Outputs) {
    let stamps = outputs.take::<StampField>();
    battle.stamps.extend(stamps.iter().map(|(_, stamp)| *stamp));
    outputs.put_back(stamps);
}

/// Applies the stamps of this tick by source and sequence, then lets the fields spread when it is time.
///
/// # Panics
/// When a stamp or the wind is not finite, which no battle comes to.
pub fn resolve_fields(battle: &mut Battle, outputs: &mut Outputs) {
    if !battle.rules().fields {
        battle.stamps.clear();
        return;
    }
    let was_saturated = battle.fields.is_saturated();
    keep_stamps(battle, outputs);
    battle.stamps.sort_by_key(|stamp| stamp.source);
    for stamp in &battle.stamps {
        battle.fields.stamp_effect(stamp.effect, stamp.at).expect("effects of a battle are finite");
    }
    if (battle.tick + 1) % battle.rules().field_period == 0 {
        let wind = battle.map().weather;
        battle.fields.propagate([wind.wind_x, wind.wind_y]).expect("the wind is finite");
    }
    if battle.fields.is_saturated() && !was_saturated {
        battle.record(News::of(EventKind::FieldSaturated));
    }
    battle.stamps.clear();
}
