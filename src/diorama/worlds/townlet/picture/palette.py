"""Colors of the picture."""

from typing import Final

from diorama.worlds.drawing import Color

GRASS: Final[Color] = (127, 181, 101)
PARK: Final[Color] = (150, 204, 124)
PATH: Final[Color] = (217, 195, 154)
CURB: Final[Color] = (183, 159, 115)
FLOOR: Final[Color] = (222, 200, 166)
WALL: Final[Color] = (243, 230, 207)
WINDOW: Final[Color] = (143, 199, 230)
SHADOW: Final[Color] = (96, 140, 76)
DOOR: Final[Color] = (122, 78, 50)
ROOFS: Final[tuple[Color, ...]] = (
    (200, 85, 61),
    (79, 124, 172),
    (91, 142, 125),
    (181, 131, 141),
    (224, 159, 62),
    (109, 89, 122),
    (61, 90, 128),
    (138, 90, 68),
)
CLOTHES: Final[tuple[Color, ...]] = (
    (228, 87, 46),
    (46, 134, 222),
    (67, 170, 91),
    (242, 177, 52),
    (155, 93, 229),
    (23, 162, 162),
    (231, 90, 155),
    (122, 139, 153),
)
SKIN: Final[Color] = (240, 205, 170)
INK: Final[Color] = (34, 31, 46)
OBJECTS: Final[dict[str, Color]] = {
    "fridge": (233, 241, 247),
    "stove": (72, 78, 98),
    "bed": (91, 141, 239),
    "shower": (160, 220, 236),
    "till": (176, 122, 69),
    "bench": (183, 123, 69),
}
THING: Final[Color] = (199, 154, 99)
NIGHT: Final[Color] = (87, 102, 168)
DAY: Final[Color] = (255, 255, 255)
TEXT: Final[Color] = (255, 255, 255)
PANEL: Final[Color] = (21, 26, 40)
WARNING: Final[Color] = (255, 209, 102)
GOOD: Final[Color] = (74, 222, 128)
BAD: Final[Color] = (248, 113, 113)
