//! The track filter: what a tick of waiting and a measurement do to a track.

use kernel::numerics::{fmax, hyp};

use super::constants::{
    BEARING_FLOOR_SHARE, COARSE_AGE, COARSE_SIGMA_M, CUE_AGE, CUE_SIGMA_M, DROP_AGE, DROP_SIGMA_M, PROCESS_NOISE,
    PROCESS_NOISE_PER_AGE, TRACK_SPEED_MAX_MS, VELOCITY_KNOWN_HITS,
};
use super::measuring::Measure;
use crate::codes::{NO_LAYER, iff, track_quality};
use crate::components::Track;

/// Moves a track on by one tick; doubt grows faster the longer nothing is heard.
#[inline]
pub fn predict(track: &mut Track) {
    track.x += track.vx;
    track.y += track.vy;
    track.P += PROCESS_NOISE + PROCESS_NOISE_PER_AGE * track.age as f64;
    track.age += 1;
}

/// Brings a measurement into a predicted track.
pub fn update(track: &mut Track, measure: &Measure) {
    let variance = measure.sigma * measure.sigma;
    let gain = track.P / (track.P + variance);
    let (dx, dy) = (measure.x - track.x, measure.y - track.y);
    track.x += gain * dx;
    track.y += gain * dy;
    let speed_gain = gain * gain / (2.0 - gain);
    track.vx += speed_gain * dx;
    track.vy += speed_gain * dy;
    limit_speed(track);
    track.P *= 1.0 - gain;
    if measure.bearing_only && track.bearing_only {
        let floor = BEARING_FLOOR_SHARE * measure.assumed_range;
        track.P = fmax(track.P, floor * floor);
    } else {
        track.bearing_only = false;
    }
    track.age = 0;
    track.hits += 1;
    track.quality = measure.quality.max(track.quality - 1);
}

/// A track that has only this measurement; its id comes when it is put into a table.
#[must_use]
pub fn open_track(target_id: i64, measure: &Measure) -> Track {
    Track {
        track_id: 0,
        target_id,
        x: measure.x,
        y: measure.y,
        vx: 0.0,
        vy: 0.0,
        P: measure.sigma * measure.sigma,
        quality: measure.quality,
        age: 0,
        hits: 1,
        bearing_only: measure.bearing_only,
        layer_est: NO_LAYER,
        class_level: 0,
        id_conf: 0.0,
        iff: iff::UNKNOWN,
        is_munition: false,
        modalities: 0,
        shared: false,
    }
}

/// Takes quality from tracks that are old or err much.
#[inline]
pub fn cap_quality(track: &mut Track) {
    let sigma_m = track.P.sqrt();
    if track.age > CUE_AGE || sigma_m > CUE_SIGMA_M {
        track.quality = track_quality::Q0;
    } else if track.age > COARSE_AGE || sigma_m > COARSE_SIGMA_M {
        track.quality = track.quality.min(track_quality::Q1);
    }
}

/// Whether a track is too old or too vague to keep.
#[inline]
#[must_use]
pub fn is_stale(track: &Track) -> bool {
    track.age > DROP_AGE || track.P.sqrt() > DROP_SIGMA_M
}

/// Whether the velocity of a track means anything.
#[inline]
#[must_use]
pub const fn is_velocity_known(track: &Track) -> bool {
    track.hits >= VELOCITY_KNOWN_HITS && !track.bearing_only
}

fn limit_speed(track: &mut Track) {
    let speed = hyp(track.vx, track.vy);
    if speed > TRACK_SPEED_MAX_MS {
        let scale = TRACK_SPEED_MAX_MS / speed;
        track.vx *= scale;
        track.vy *= scale;
    }
}
