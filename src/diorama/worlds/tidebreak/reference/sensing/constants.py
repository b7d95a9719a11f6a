"""Every number of sensing. Lengths in meters, levels in decibels, times in ticks."""

from typing import Final

from diorama.worlds.tidebreak.codes import Modality

PAIR_RANGE_MAX_M: Final = 30_000.0
PATH_SAMPLES: Final = (0.25, 0.5, 0.75)

# Penalties of an excess
SENSORS_PENALTY_DB: Final = 6.0
POWER_PENALTY_DB: Final = 4.0
INTERFERENCE_DB: Final = 20.0
ECM_DB: Final = 25.0
EXCESS_NOISE_DB: Final = 3.0

# Acoustics
DB_SUM_GAIN: Final = 3.0
DB_SUM_SPAN: Final = 10.0
SPEED_SHARE_MAX: Final = 1.2
CAVITATION_FROM: Final = 0.7
CAVITATION_SPAN: Final = 0.3
CAVITATION_DB: Final = 8.0
FLOOD_NOISE_DB: Final = 10.0
FIRE_NOISE_DB: Final = 4.0
SURFACED_SUBMARINE_DB: Final = 18.0
TRANSIT_DB: Final = 20.0
POP_UP_DB: Final = 14.0
SILENT_DB: Final = 2.0
FLOW_NOISE_DB: Final = 42.0
FLOW_NOISE_SPEED_DB: Final = 28.0
FIELD_NOISE_FLOOR_DB: Final = 40.0  # the NOISE field counts from here
SEDIMENT_DB: Final = 8.0
BLOCKED_DB: Final = 25.0
THERMOCLINE_DB: Final = 12.0
SUBMERGED_ABYSSAL_DB: Final = 14.0
SURFACE_ABYSSAL_DB: Final = 24.0
THERMOCLINE_CONTRAST_C: Final = 8.0  # between the layers, at which the map's value holds
THERMOCLINE_SPAN_C: Final = 20.0

# Sight, radar and sonar
NEAREST_M: Final = 1.0  # no excess is computed for less
VISIBILITY_FULL_KM: Final = 20.0
VISIBILITY_LEAST: Final = 0.02
RADAR_SEA_LOSS: Final = 0.05  # of range, per sea state
RADAR_RAIN_LOSS: Final = (0.0, 0.03, 0.10, 0.20)  # by precipitation
RADAR_LEAST: Final = 0.2
VISUAL_RANGE_M: Final = 9_000.0
SMOKE_SHARE: Final = 0.8
RADAR_INDEX_UNIT: Final = 100.0
TRANSIT_INDEX_FACTOR: Final = 2.0
POP_UP_RADAR_FACTOR: Final = 0.3
ESM_FACTOR: Final = 1.5
ESM_LINK_RANGE_M: Final = 3_000.0
PASSIVE_THRESHOLD_DB: Final = 12.0
ACTIVE_THRESHOLD_DB: Final = 14.0
ABYSSAL_OBSERVER_DB: Final = 6.0
PING_PERIOD_TICKS: Final = 10

# Measurements
VISUAL_Q2_DB: Final = 3.0
RADAR_Q2_DB: Final = 6.0
ACTIVE_Q2_DB: Final = 6.0
PASSIVE_Q2_DB: Final = 12.0
PASSIVE_Q2_HITS: Final = 10
PASSIVE_Q1_DB: Final = 5.0
PASSIVE_Q1_HITS: Final = 5
VISUAL_SIGMA: Final = (10.0, 0.010)  # meters, and per meter of range
RADAR_SIGMA: Final = (15.0, 0.005)
ACTIVE_SIGMA: Final = (12.0, 0.010)
PASSIVE_Q2_SIGMA: Final = (40.0, 0.030)
PASSIVE_Q1_SIGMA: Final = (60.0, 0.060)
COUNTER_SIGMA: Final = (60.0, 0.030)
BEARING_NOISE_RAD: Final = 0.03
BEARING_SIGMA_SHARE: Final = 0.5  # of the assumed range
ESM_ASSUMED_RANGE_M: Final = 8_000.0
SONAR_ASSUMED_RANGE_M: Final = 4_000.0

# Track filter
PROCESS_NOISE: Final = 9.0
PROCESS_NOISE_PER_AGE: Final = 4.0
TRACK_SPEED_MAX_MS: Final = 30.0
BEARING_FLOOR_SHARE: Final = 0.25  # of the assumed range: a bearing never tells the range
VELOCITY_KNOWN_HITS: Final = 4
COARSE_AGE: Final = 3
COARSE_SIGMA_M: Final = 120.0
CUE_AGE: Final = 10
CUE_SIGMA_M: Final = 600.0
DROP_AGE: Final = 60
DROP_SIGMA_M: Final = 4_000.0

# Identification
CONFIDENCE_GAIN: Final = {
    Modality.VISUAL: 0.08,
    Modality.RADAR: 0.02,
    Modality.ESM: 0.02,
    Modality.PASSIVE_SONAR: 0.015,
    Modality.ACTIVE_SONAR: 0.03,
}
FIRE_CONTROL_GAIN: Final = 2.0
CLASS_LEVELS: Final = (0.2, 0.5, 0.8)  # confidence from which category, size and class are known
UNMASKED_AT: Final = 0.8  # confidence from which a decoy is known for one
SUSPECT_FROM: Final = 0.3
DECLARED_FROM: Final = 0.6
ENEMY_SUSPECT_CHANCE: Final = 0.85
NEUTRAL_SUSPECT_CHANCE: Final = 0.05
AGGRESSION_TICKS: Final = 60

# Data mesh
LINK_RANGE_M: Final = 20_000.0
LINK_PERIODS: Final = (5, 2, 1, 1)  # by tier
ECM_TIERS: Final = 2.0
MATE_SIGMA_M: Final = 10.0

# Clutter
CLUTTER_SEA_STATE: Final = 4.0
CLUTTER_CHANCE: Final = 0.002
