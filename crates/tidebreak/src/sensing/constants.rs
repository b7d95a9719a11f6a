//! Every number of sensing. Lengths in meters, levels in decibels, times in ticks.

/// Pairs farther apart than this are skipped.
pub const PAIR_RANGE_MAX_M: f64 = 30_000.0;
/// Where a path is sampled, as shares of its length.
pub const PATH_SAMPLES: [f64; 3] = [0.25, 0.5, 0.75];

// Penalties of an excess
/// Of sensors that are gone.
pub const SENSORS_PENALTY_DB: f64 = 6.0;
/// Of power that is gone.
pub const POWER_PENALTY_DB: f64 = 4.0;
/// Of full interference.
pub const INTERFERENCE_DB: f64 = 20.0;
/// Of full jamming.
pub const ECM_DB: f64 = 25.0;
/// Standard deviation of an excess.
pub const EXCESS_NOISE_DB: f64 = 3.0;
/// More than the luck of any tick can add: the bell ends at 3.464 deviations.
pub const LUCK_MAX_DB: f64 = 10.5;

// Acoustics
/// What two equal sources gain over one.
pub const DB_SUM_GAIN: f64 = 3.0;
/// Difference from which the weaker source adds nothing.
pub const DB_SUM_SPAN: f64 = 10.0;
/// Largest share of the class speed that counts.
pub const SPEED_SHARE_MAX: f64 = 1.2;
/// Share of the class speed from which propellers cavitate.
pub const CAVITATION_FROM: f64 = 0.7;
/// Further share over which cavitation reaches `CAVITATION_DB`.
pub const CAVITATION_SPAN: f64 = 0.3;
/// Of cavitation.
pub const CAVITATION_DB: f64 = 8.0;
/// Of a flooded hull.
pub const FLOOD_NOISE_DB: f64 = 10.0;
/// Of a burning hull.
pub const FIRE_NOISE_DB: f64 = 4.0;
/// Of a submarine at the surface.
pub const SURFACED_SUBMARINE_DB: f64 = 18.0;
/// Of a change of layer.
pub const TRANSIT_DB: f64 = 20.0;
/// Of a pop-up.
pub const POP_UP_DB: f64 = 14.0;
/// What silence saves.
pub const SILENT_DB: f64 = 2.0;
/// Of the water along a hull at rest.
pub const FLOW_NOISE_DB: f64 = 42.0;
/// What full speed adds to it.
pub const FLOW_NOISE_SPEED_DB: f64 = 28.0;
/// The NOISE field counts from here.
pub const FIELD_NOISE_FLOOR_DB: f64 = 40.0;
/// Loss in full sediment.
pub const SEDIMENT_DB: f64 = 8.0;
/// Loss behind land or an obstacle.
pub const BLOCKED_DB: f64 = 25.0;
/// Loss through a full thermocline.
pub const THERMOCLINE_DB: f64 = 12.0;
/// Loss between SUBMERGED and ABYSSAL.
pub const SUBMERGED_ABYSSAL_DB: f64 = 14.0;
/// Loss between SURFACE and ABYSSAL.
pub const SURFACE_ABYSSAL_DB: f64 = 24.0;
/// Contrast between the layers at which the map's thermocline holds.
pub const THERMOCLINE_CONTRAST_C: f64 = 8.0;
/// Further contrast that makes a full thermocline of none.
pub const THERMOCLINE_SPAN_C: f64 = 20.0;

// Sight, radar and sonar
/// No excess is computed for less.
pub const NEAREST_M: f64 = 1.0;
/// Visibility that leaves the eye its whole range.
pub const VISIBILITY_FULL_KM: f64 = 20.0;
/// Least share of the eye's range.
pub const VISIBILITY_LEAST: f64 = 0.02;
/// Of a radar's range, per sea state.
pub const RADAR_SEA_LOSS: f64 = 0.05;
/// Of a radar's range, by precipitation.
pub const RADAR_RAIN_LOSS: [f64; 4] = [0.0, 0.03, 0.10, 0.20];
/// Least share of a radar's range.
pub const RADAR_LEAST: f64 = 0.2;
/// The eye's range for a visual index of 1.
pub const VISUAL_RANGE_M: f64 = 9_000.0;
/// Share of the eye's range that full smoke takes.
pub const SMOKE_SHARE: f64 = 0.8;
/// Radar index that is seen at a radar's nominal range.
pub const RADAR_INDEX_UNIT: f64 = 100.0;
/// On both indices in transit.
pub const TRANSIT_INDEX_FACTOR: f64 = 2.0;
/// On the radar index in a pop-up.
pub const POP_UP_RADAR_FACTOR: f64 = 0.3;
/// Range of a receiver over that of the radar it hears.
pub const ESM_FACTOR: f64 = 1.5;
/// Range at which a link is heard.
pub const ESM_LINK_RANGE_M: f64 = 3_000.0;
/// Of a listening sonar.
pub const PASSIVE_THRESHOLD_DB: f64 = 12.0;
/// Of a ping.
pub const ACTIVE_THRESHOLD_DB: f64 = 14.0;
/// What the abyss takes from a listener.
pub const ABYSSAL_OBSERVER_DB: f64 = 6.0;
/// Between two pings.
pub const PING_PERIOD_TICKS: i64 = 10;

// Measurements
/// Excess from which the eye gives fire control.
pub const VISUAL_Q2_DB: f64 = 3.0;
/// Excess from which a radar gives fire control.
pub const RADAR_Q2_DB: f64 = 6.0;
/// Excess from which a ping gives fire control.
pub const ACTIVE_Q2_DB: f64 = 6.0;
/// Excess from which listening gives fire control.
pub const PASSIVE_Q2_DB: f64 = 12.0;
/// Updates of the track that it needs besides.
pub const PASSIVE_Q2_HITS: i64 = 10;
/// Excess from which listening gives a range.
pub const PASSIVE_Q1_DB: f64 = 5.0;
/// Updates of the track that it needs besides.
pub const PASSIVE_Q1_HITS: i64 = 5;
/// Standard error: meters, and per meter of range, as are the next five.
pub const VISUAL_SIGMA: (f64, f64) = (10.0, 0.010);
/// Of a radar.
pub const RADAR_SIGMA: (f64, f64) = (15.0, 0.005);
/// Of a ping.
pub const ACTIVE_SIGMA: (f64, f64) = (12.0, 0.010);
/// Of listening at Q2.
pub const PASSIVE_Q2_SIGMA: (f64, f64) = (40.0, 0.030);
/// Of listening at Q1.
pub const PASSIVE_Q1_SIGMA: (f64, f64) = (60.0, 0.060);
/// Of a ping that was heard.
pub const COUNTER_SIGMA: (f64, f64) = (60.0, 0.030);
/// Standard error of a bearing.
pub const BEARING_NOISE_RAD: f64 = 0.03;
/// Standard error of a place that only a bearing gives, as a share of the assumed range.
pub const BEARING_SIGMA_SHARE: f64 = 0.5;
/// Range given to what a receiver hears first.
pub const ESM_ASSUMED_RANGE_M: f64 = 8_000.0;
/// Range given to what a sonar hears first.
pub const SONAR_ASSUMED_RANGE_M: f64 = 4_000.0;

// Track filter
/// Variance that a tick adds.
pub const PROCESS_NOISE: f64 = 9.0;
/// What it adds more for every tick without an update.
pub const PROCESS_NOISE_PER_AGE: f64 = 4.0;
/// Fastest that a contact is believed to go.
pub const TRACK_SPEED_MAX_MS: f64 = 30.0;
/// Share of the assumed range below which a bearing never brings the error: it does not tell the range.
pub const BEARING_FLOOR_SHARE: f64 = 0.25;
/// Updates from which a velocity means anything.
pub const VELOCITY_KNOWN_HITS: i64 = 4;
/// Age beyond which a track is coarse.
pub const COARSE_AGE: i64 = 3;
/// Error beyond which a track is coarse.
pub const COARSE_SIGMA_M: f64 = 120.0;
/// Age beyond which a track is a cue.
pub const CUE_AGE: i64 = 10;
/// Error beyond which a track is a cue.
pub const CUE_SIGMA_M: f64 = 600.0;
/// Age beyond which a track is dropped.
pub const DROP_AGE: i64 = 60;
/// Error beyond which a track is dropped.
pub const DROP_SIGMA_M: f64 = 4_000.0;

// Identification
/// Confidence that a measurement adds, by modality.
pub const CONFIDENCE_GAIN: [f64; 5] = [0.08, 0.02, 0.02, 0.015, 0.03];
/// How much more one at fire control adds.
pub const FIRE_CONTROL_GAIN: f64 = 2.0;
/// Confidence from which category, size and class are known.
pub const CLASS_LEVELS: [f64; 3] = [0.2, 0.5, 0.8];
/// Confidence from which a decoy is known for one.
pub const UNMASKED_AT: f64 = 0.8;
/// Confidence from which a side is taken of a contact.
pub const SUSPECT_FROM: f64 = 0.3;
/// Confidence from which its side is known.
pub const DECLARED_FROM: f64 = 0.6;
/// Chance that an enemy is suspected.
pub const ENEMY_SUSPECT_CHANCE: f64 = 0.85;
/// Chance that anybody else is.
pub const NEUTRAL_SUSPECT_CHANCE: f64 = 0.05;
/// How long harm is remembered.
pub const AGGRESSION_TICKS: i64 = 60;

// Data mesh
/// Farthest that a link reaches.
pub const LINK_RANGE_M: f64 = 20_000.0;
/// Between two publications, by tier.
pub const LINK_PERIODS: [i64; 4] = [5, 2, 1, 1];
/// Tiers that full jamming takes.
pub const ECM_TIERS: f64 = 2.0;
/// Standard error of a team-mate's place.
pub const MATE_SIGMA_M: f64 = 10.0;

// Clutter
/// Sea state from which waves look like contacts.
pub const CLUTTER_SEA_STATE: f64 = 4.0;
/// Chance of a false contact, per sea state.
pub const CLUTTER_CHANCE: f64 = 0.002;
