"""Sizes and limits of a battle."""

from typing import Final

TEAMS_MIN: Final = 2
TEAMS_MAX: Final = 4
UNITS_MIN: Final = 2
UNITS_MAX: Final = 64  # at the start, platforms included
SQUADRONS_MAX: Final = 32  # alive at once
MUNITIONS_MAX: Final = 512  # alive at once
MOUNTS_MAX: Final = 12
TRACKS_MAX: Final = 64
OBSTACLES_MAX: Final = 128
POLYGON_VERTICES_MIN: Final = 3
POLYGON_VERTICES_MAX: Final = 16
STORMS_MAX: Final = 8
ZONES_MAX: Final = 32
BRICKS_DEFAULT: Final = 192
BRICKS_MAX: Final = 768

SEED_MAX: Final = 2**53 - 1
TIME_STEPS_S: Final = (0.05, 0.1, 0.2, 0.25, 0.5)
TIME_LIMIT_MIN_S: Final = 10.0
TIME_LIMIT_MAX_S: Final = 7200.0
FIELD_PERIOD_MAX_TICKS: Final = 10

SIDE_MIN_M: Final = 2000.0
SIDE_MAX_M: Final = 32768.0
FIELD_DOMAINS_M: Final = (2048.0, 4096.0, 8192.0, 16384.0, 32768.0)

DEPTH_NODES_MIN: Final = 2
DEPTH_NODES_MAX: Final = 129
PROCEDURAL_NODES: Final = 65
CURRENT_NODES: Final = 17
CURRENT_MAX_MS: Final = 5.0  # per component
