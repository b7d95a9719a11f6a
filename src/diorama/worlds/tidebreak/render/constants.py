"""What the parts of a frame share."""

from typing import Final

SCHEMA_VERSION: Final = 1
OMNISCIENT: Final = "omniscient"
DEPTH_NODES: Final = 33  # along a side of the drawn sea bed
DEPTH_SCALE_M: Final = 2000.0
LAND: Final = 0
DEEPEST: Final = 255
FIELD_LEVEL: Final = 2  # of detail: 32 x 32 samples
EVENTS_MAX: Final = 64
SIZE_KNOWN_AT: Final = 2  # class level of a track
CLASS_KNOWN_AT: Final = 3
