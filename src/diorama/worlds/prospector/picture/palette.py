"""Colors of the picture."""

from typing import Final

from diorama.worlds.drawing import Color
from diorama.worlds.prospector.contract import COMMODITIES

COMMODITY_COLORS: Final[dict[str, Color]] = dict(
    zip(
        COMMODITIES,
        ((156, 163, 175), (203, 213, 225), (103, 232, 249), (250, 204, 21), (192, 132, 252), (134, 239, 172)),
        strict=True,
    )
)
COMMODITY_TITLES: Final = ("Iron", "Nickel", "Water ice", "PGE", "Isotopes", "Volatiles")

SKY_TOP: Final[Color] = (5, 8, 22)
SKY_BOTTOM: Final[Color] = (16, 20, 46)
HAZARD_SKY_TOP: Final[Color] = (20, 8, 18)
HAZARD_SKY_BOTTOM: Final[Color] = (46, 22, 22)
STAR: Final[Color] = (214, 224, 255)
PLANETS: Final[tuple[tuple[Color, Color], ...]] = (
    ((64, 84, 140), (20, 26, 54)),
    ((124, 82, 74), (36, 22, 30)),
    ((70, 110, 104), (18, 34, 40)),
    ((98, 80, 130), (30, 22, 46)),
)

PANEL: Final[Color] = (12, 16, 34)
PANEL_EDGE: Final[Color] = (42, 52, 88)
TRACK: Final[Color] = (30, 37, 66)
TEXT: Final[Color] = (226, 232, 246)
MUTED: Final[Color] = (134, 146, 180)

GOOD: Final[Color] = (74, 222, 128)
FAIR: Final[Color] = (251, 191, 36)
BAD: Final[Color] = (248, 84, 84)
SHIELD: Final[Color] = (96, 165, 250)
BEAM: Final[Color] = (255, 168, 76)
SCAN: Final[Color] = (94, 234, 212)
FLAME: Final[Color] = (255, 140, 60)
HULL: Final[Color] = (222, 228, 240)
HULL_SHADE: Final[Color] = (120, 132, 160)
CABIN: Final[Color] = (86, 196, 255)
STEEL: Final[Color] = (92, 104, 136)
STEEL_LIGHT: Final[Color] = (150, 164, 198)
STEEL_DARK: Final[Color] = (48, 56, 82)


def shade(color: Color, factor: float) -> Color:
    """Return a darker or lighter tone."""
    red, green, blue = (max(0, min(255, round(channel * factor))) for channel in color)
    return red, green, blue
