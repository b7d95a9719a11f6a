"""Colors of the picture."""

from typing import Final

from diorama.worlds.drawing import Color

TEAMS: Final[tuple[Color, ...]] = ((104, 176, 255), (255, 118, 98), (250, 204, 96), (150, 220, 140))
LAND: Final[Color] = (122, 112, 84)
SHALLOW: Final[Color] = (62, 132, 146)
DEEP: Final[Color] = (10, 30, 58)
OBSTACLE: Final[Color] = (96, 90, 76)
SOFT: Final[Color] = (120, 130, 120)
ZONE: Final[Color] = (196, 140, 220)
HAZARD: Final[Color] = (240, 120, 60)
STORM: Final[Color] = (190, 200, 220)
WRECK: Final[Color] = (70, 76, 88)
FIRE: Final[Color] = (255, 150, 50)
WATER: Final[Color] = (90, 200, 255)
MUNITION: Final[Color] = (255, 240, 170)
BLAST: Final[Color] = (255, 220, 130)
TEXT: Final[Color] = (230, 238, 246)
MUTED: Final[Color] = (150, 166, 184)
PANEL: Final[Color] = (8, 16, 30)
GOOD: Final[Color] = (96, 220, 130)
BAD: Final[Color] = (244, 92, 84)
