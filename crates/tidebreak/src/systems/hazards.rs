//! What the sea does to ships: burning zones, heavy seas, lightning, the pressure of the abyss.

use crate::codes::{damage_type, layer, size_class, system, zone_effect};
use crate::draws::{Stream, uniform};
use crate::events::{EventKind, News};
use crate::outputs::{Damage, Emitter, Exposed, Exposure, Modify, Outputs, Place, Plugin};
use crate::state::Battle;
use crate::systems::weather::local_weather;
use crate::systems::zones::zone_intensity;

const ZONE_SHARE: f64 = 0.002; // of hp_max per tick
const SMALL_FROM: f64 = 6.0; // sea state from which S hulls suffer
const SMALL_SHARE: f64 = 0.004;
const MEDIUM_FROM: f64 = 8.0;
const MEDIUM_SHARE: f64 = 0.002;
const LIGHTNING_CHANCE: f64 = 0.002;
const LIGHTNING_LOSS: f64 = 0.25;

/// Zones and weather reach units on SURFACE only.
pub fn hazard(battle: &Battle, unit: usize, emit: &mut Emitter<'_>) {
    let unit = &battle.units[unit];
    if unit.layer.layer != layer::SURFACE {
        return;
    }
    let (source, hp_max) = (unit.id(), unit.spec.hull.hp_max);
    let intensity = zone_intensity(battle, zone_effect::HAZARD, unit.layers_mask(), unit.x(), unit.y());
    if intensity > 0.0 {
        emit.emit(Exposed { source, exposure: Exposure::Zone, amount: ZONE_SHARE * intensity * hp_max });
    }
    let weather = local_weather(battle, unit.x(), unit.y());
    let stress = hull_stress(unit.identity.size, hp_max, weather.sea_state);
    if stress > 0.0 {
        emit.emit(Exposed { source, exposure: Exposure::Sea, amount: stress });
    }
    let chance = LIGHTNING_CHANCE * weather.lightning;
    // Draws are keyed: one that cannot matter need not be made.
    if chance > 0.0 && uniform(battle, Stream::Weather, source, 0, 0) < chance {
        emit.emit(Exposed { source, exposure: Exposure::Lightning, amount: 0.0 });
    }
}

/// Damage per tick that this sea does to a hull of this size.
#[must_use]
pub fn hull_stress(size: i64, hp_max: f64, sea_state: f64) -> f64 {
    if size == size_class::S && sea_state > SMALL_FROM {
        let excess = sea_state - SMALL_FROM;
        return SMALL_SHARE * hp_max * (excess * excess);
    }
    if size == size_class::M && sea_state > MEDIUM_FROM {
        return MEDIUM_SHARE * hp_max * (sea_state - MEDIUM_FROM);
    }
    0.0
}

/// Notes what units are exposed to, and passes it on as damage.
pub fn resolve_hazards(battle: &mut Battle, outputs: &mut Outputs) {
    let exposures = outputs.take::<Exposed>();
    for (_, exposed) in &exposures {
        let id = exposed.source;
        let damage_type = match exposed.exposure {
            Exposure::Zone => damage_type::THERMAL,
            Exposure::Sea => damage_type::KINETIC,
            Exposure::Abyss => damage_type::PRESSURE,
            Exposure::Lightning => {
                let cause = battle.record(News { target: id, ..News::of(EventKind::Lightning) });
                let place = Place::HullSystem(system::SENSORS);
                let loss = Modify { source: id, target: id, place, delta: -LIGHTNING_LOSS, cause };
                outputs.emit(Plugin::Hazard, loss);
                continue;
            }
        };
        let (f0, i0) = (exposed.amount, exposed.exposure as i64);
        let cause = battle.record(News { target: id, f0, i0, ..News::of(EventKind::Hazard) });
        outputs.emit(
            Plugin::Hazard,
            Damage {
                ignores_armour: true,
                can_crit: false,
                is_hazard: true,
                cause,
                ..Damage::new(id, id, exposed.amount, damage_type, battle.unit(id).heading())
            },
        );
    }
    outputs.put_back(exposures);
}
