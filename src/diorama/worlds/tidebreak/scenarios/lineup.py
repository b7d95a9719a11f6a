"""Two sides on an axis through the center, each in line abreast."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diorama.numerics import PI, TWO_PI, norm2pi, sincos
from diorama.worlds.tidebreak.codes import Layer
from diorama.worlds.tidebreak.content import Content
from diorama.worlds.tidebreak.packages.ships import CrewSnapshot, ShipSnapshot, ShipState
from diorama.worlds.tidebreak.scenarios.draws import Draws, Purpose

TEAM_IDS: Final = ("blue", "red")
ABREAST_M: Final = 400.0
_SEPARATION_M: Final = (6000.0, 12000.0)
_HEADING_ERROR_RAD: Final = 0.5
_SKILL: Final = (0.4, 0.6)
_MORALE: Final = 0.7
_UNITS_PER_SIDE: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """The line the sides meet on; side 0 starts against `direction_rad`, side 1 with it."""

    direction_rad: float
    separation_m: float

    @classmethod
    def drawn(cls, draws: Draws) -> "Axis":
        """Draw a direction and a distance."""
        return cls(
            direction_rad=draws.between(0.0, TWO_PI, Purpose.AXIS),
            separation_m=draws.between(*_SEPARATION_M, Purpose.SEPARATION),
        )

    def point(self, along_m: float, left_m: float) -> tuple[float, float]:
        """Position so far along the axis from the center, and so far to the left of it."""
        sine, cosine = sincos(self.direction_rad)
        return along_m * cosine - left_m * sine, along_m * sine + left_m * cosine


def line_up(draws: Draws, axis: Axis, side: int, classes: Sequence[str], content: Content) -> list[ShipSnapshot]:
    """Place the ships of a side, pointed roughly at the other, at half speed; submarines start submerged."""
    sign = -1.0 if side == 0 else 1.0
    facing = axis.direction_rad if side == 0 else axis.direction_rad + PI
    ships = []
    for index, name in enumerate(classes):
        key = side * _UNITS_PER_SIDE + index
        x, y = axis.point(sign * axis.separation_m / 2.0, (index - (len(classes) - 1) / 2.0) * ABREAST_M)
        heading = facing + draws.between(-_HEADING_ERROR_RAD, _HEADING_ERROR_RAD, Purpose.HEADING, key)
        speeds = content.classes[name].speed
        layer = Layer.SURFACE if speeds.submerged is None else Layer.SUBMERGED
        full = speeds.surface if speeds.submerged is None else speeds.submerged
        ships.append(
            ShipSnapshot(
                ship_id=f"{TEAM_IDS[side]}-{index + 1:02d}-{name}",
                team_id=TEAM_IDS[side],
                class_id=name,
                crew=CrewSnapshot(
                    gunnery=draws.between(*_SKILL, Purpose.GUNNERY, key),
                    engineering=draws.between(*_SKILL, Purpose.ENGINEERING, key),
                    morale=_MORALE,
                ),
                initial_state=ShipState(x=x, y=y, heading=norm2pi(heading), speed=full * 0.5, layer=layer),
            )
        )
    return ships
