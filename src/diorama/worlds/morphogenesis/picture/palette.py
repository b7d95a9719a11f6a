"""Colors of the picture; those of the stages are the web client's."""

from typing import Final

from diorama.worlds.drawing import Color

PAPER: Final[Color] = (16, 21, 31)
PANEL: Final[Color] = (26, 33, 47)
GRID: Final[Color] = (52, 62, 82)
TEXT: Final[Color] = (232, 238, 247)
FAINT: Final[Color] = (147, 160, 181)
HOST: Final[Color] = (90, 162, 255)
CONTROL: Final[Color] = (133, 147, 163)
AHEAD: Final[Color] = (53, 194, 122)
BEHIND: Final[Color] = (229, 72, 77)
STAGES: Final[dict[str, Color]] = {
    "DORMANT": (60, 70, 88),
    "GERMINATED": (90, 162, 255),
    "TRAINING": (47, 199, 216),
    "BLENDING": (240, 180, 41),
    "HOLDING": (199, 125, 255),
    "FOSSILIZED": (53, 194, 122),
    "PRUNED": (229, 72, 77),
    "EMBARGOED": (255, 122, 122),
    "RESETTING": (152, 162, 179),
}
