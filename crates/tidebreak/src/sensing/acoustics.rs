//! Sound in the sea: how loud things are, how much of it arrives, and what it drowns in.

use kernel::numerics::{clamp, fmax, fmin, log10, log10_bounds};

use super::constants::{
    BLOCKED_DB, CAVITATION_DB, CAVITATION_FROM, CAVITATION_SPAN, DB_SUM_GAIN, DB_SUM_SPAN, FIELD_NOISE_FLOOR_DB,
    FIRE_NOISE_DB, FLOOD_NOISE_DB, FLOW_NOISE_DB, FLOW_NOISE_SPEED_DB, SEDIMENT_DB, SPEED_SHARE_MAX,
    SUBMERGED_ABYSSAL_DB, SURFACE_ABYSSAL_DB, THERMOCLINE_CONTRAST_C, THERMOCLINE_DB, THERMOCLINE_SPAN_C,
};

const LAYERS: usize = 3;

/// Level of two sources together, piecewise linear: 3 dB over equal ones, nothing from 10 dB apart.
#[inline]
#[must_use]
pub fn db_sum(a: f64, b: f64) -> f64 {
    fmax(a, b) + DB_SUM_GAIN * fmax(0.0, 1.0 - (a - b).abs() / DB_SUM_SPAN)
}

/// Speed as a share of the class speed, 0 for a hull that has none.
#[inline]
#[must_use]
pub fn speed_share(speed_ms: f64, class_speed_ms: f64) -> f64 {
    if class_speed_ms > 0.0 { fmin(speed_ms / class_speed_ms, SPEED_SHARE_MAX) } else { 0.0 }
}

/// Level a hull radiates, before what its posture and its layer add.
#[inline]
#[must_use]
pub fn hull_source_level(sl0_db: f64, slk_db: f64, share: f64, flood: f64, fire: f64) -> f64 {
    let cavitation = CAVITATION_DB * fmax(0.0, (share - CAVITATION_FROM) / CAVITATION_SPAN);
    sl0_db + slk_db * (share * share) + cavitation + FLOOD_NOISE_DB * flood + FIRE_NOISE_DB * fire
}

/// Level an observer listens through: the sea, its own flow and what the field carries.
#[inline]
#[must_use]
pub fn noise_level(ambient_db: f64, share: f64, noise_field_db: f64) -> f64 {
    let flow = FLOW_NOISE_DB + FLOW_NOISE_SPEED_DB * (share * share);
    db_sum(db_sum(ambient_db, flow), FIELD_NOISE_FLOOR_DB + noise_field_db)
}

/// Strength of the thermocline where the layers have these temperatures.
#[inline]
#[must_use]
pub fn thermocline_with_fields(map_value: f64, surface_c: f64, submerged_c: f64) -> f64 {
    clamp(map_value + (surface_c - submerged_c - THERMOCLINE_CONTRAST_C) / THERMOCLINE_SPAN_C, 0.0, 1.0)
}

/// Loss between layers; the least over all pairs of two masks.
#[must_use]
pub fn crossing_loss(first_layers: i64, second_layers: i64, thermocline: f64) -> f64 {
    let mut least = -1.0;
    for first in 0..LAYERS {
        for second in 0..LAYERS {
            if first_layers >> first & 1 != 0 && second_layers >> second & 1 != 0 {
                let loss = loss_between(first, second, thermocline);
                if least < 0.0 || loss < least {
                    least = loss;
                }
            }
        }
    }
    least
}

fn loss_between(first: usize, second: usize, thermocline: f64) -> f64 {
    match (first.min(second), first.max(second)) {
        (0, 1) => THERMOCLINE_DB * thermocline,
        (1, 2) => SUBMERGED_ABYSSAL_DB,
        (0, 2) => SURFACE_ABYSSAL_DB,
        _ => 0.0,
    }
}

/// Loss along a path through clear water.
#[inline]
#[must_use]
pub fn clear_loss(range_m: f64, crossing_db: f64) -> f64 {
    let spreading = 20.0 * log10(fmax(range_m, 1.0)) + range_m / 1000.0;
    spreading + crossing_db
}

/// What is lost over a range at the least, whatever lies on the way.
#[inline]
#[must_use]
pub fn least_loss(range_m: f64) -> f64 {
    let (decades, _) = log10_bounds(fmax(range_m, 1.0));
    20.0 * decades + range_m / 1000.0
}

/// Loss along a path, with the mean sediment on it.
#[inline]
#[must_use]
pub fn transmission_loss(clear_loss_db: f64, sediment: f64, is_blocked: bool) -> f64 {
    clear_loss_db + SEDIMENT_DB * sediment + if is_blocked { BLOCKED_DB } else { 0.0 }
}
