//! What is in a battle beside units: munitions and storms.

#![expect(missing_docs, reason = "what a field's name does not say is told with its record")]

/// A salvo, torpedo, missile, charge, mine or decoy; a salvo stays at (x, y), where it was fired.
///
/// `target_layers` has bit `1 << layer`, `remaining` is in seconds, `run` in meters. `fired_event` is not hashed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Munition {
    pub id: i64,
    pub kind: i64,
    pub weapon_code: i64,
    pub owner_id: i64,
    pub team: i64,
    pub x: f64,
    pub y: f64,
    pub heading: f64,
    pub speed: f64,
    pub launch_layer: i64,
    pub target_layers: i64,
    pub aim_x: f64,
    pub aim_y: f64,
    pub lock_id: i64,
    pub remaining: f64,
    pub run: f64,
    pub rounds: i64,
    pub spread: f64,
    pub damage: f64,
    pub armed_at: i64,
    pub search: bool,
    pub fired_event: i64,
}

/// A storm, as it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Storm {
    pub x: f64,
    pub y: f64,
    pub vx: f64,
    pub vy: f64,
    pub radius: f64,
    pub intensity: f64,
    pub profile: i64,
    pub ends_at_tick: i64,
}
