//! Fields of the water and air as small pictures, where there is anything to see.

use morphospace::constants::{DYNAMIC_RULES, FIRST_DYNAMIC, N_LAYERS, NOISE, SMOKE, SONAR_RETURN, TEMPERATURE, WAKE};

use super::{count, real};
use crate::result::json::Json;
use crate::state::Battle;

const SHOWN: [(usize, &str); 5] =
    [(NOISE, "NOISE"), (SMOKE, "SMOKE"), (TEMPERATURE, "TEMPERATURE"), (SONAR_RETURN, "SONAR_RETURN"), (WAKE, "WAKE")];
const LEVEL: usize = 2; // of detail: 32 x 32 samples
const WARMEST_C: f64 = 50.0; // above what is usual
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Each field in the layer where it is furthest from its default; what is at rest is left out.
pub fn field_pictures(battle: &Battle) -> Json {
    if !battle.rules().fields || battle.fields.brick_count() == 0 {
        return Json::object([]);
    }
    let shown = SHOWN.iter().filter_map(|&(field, name)| Some((name.to_owned(), field_picture(battle, field)?)));
    shown.collect()
}

fn field_picture(battle: &Battle, field: usize) -> Option<Json> {
    let rule = &DYNAMIC_RULES[field - FIRST_DYNAMIC];
    let usual = if field == TEMPERATURE { battle.map().temperature_c } else { rule.default };
    let mut strongest: Option<(usize, f32, Vec<f32>)> = None;
    for (layer, &rest) in usual.iter().enumerate().take(N_LAYERS) {
        let grid = battle.fields.grid(field, layer, LEVEL).expect("field, layer and level exist");
        let strength = grid.iter().fold(0.0_f32, |most, value| most.max((value - rest as f32).abs()));
        if strongest.as_ref().is_none_or(|&(_, most, _)| strength > most) {
            strongest = Some((layer, strength, grid));
        }
    }
    let (layer, _, grid) = strongest.filter(|&(_, strength, _)| strength >= rule.threshold)?;
    let (low, high) = if field == TEMPERATURE {
        (usual[layer], usual[layer] + WARMEST_C)
    } else {
        (f64::from(rule.low), f64::from(rule.high))
    };
    let byte = |value: &f32| {
        let share = ((f64::from(*value) - low) / (high - low)).clamp(0.0, 1.0);
        (share * f64::from(u8::MAX)).round_ties_even() as u8
    };
    let bytes: Vec<u8> = grid.iter().map(byte).collect();
    Some(Json::object([
        ("layer", count(layer)),
        ("low", real(low)),
        ("high", real(high)),
        ("data", base64(&bytes).as_str().into()),
    ]))
}

fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let letter = BASE64[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= group.len() { char::from(letter) } else { '=' });
        }
    }
    text
}
