"""Where everybody starts: two lines abreast, twelve kilometers apart, moved off the rocks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diorama.numerics import PI, hyp, norm2pi, sincos
from diorama.worlds.tidebreak.campaign.battles.roster import Combatant
from diorama.worlds.tidebreak.campaign.battles.sea import HALF_SIDE_M, sea_bed
from diorama.worlds.tidebreak.campaign.fleets.strength import ship_class, ship_cost
from diorama.worlds.tidebreak.campaign.kinds import MapStyle
from diorama.worlds.tidebreak.codes import Layer
from diorama.worlds.tidebreak.packages.ships import ShipState
from diorama.worlds.tidebreak.resolve.depths import resolve_depth
from diorama.worlds.tidebreak.resolve.records import ResolvedDepth
from diorama.worlds.tidebreak.resolve.terrain import allows, depth_at

HALF_SEPARATION_M: Final = 6_000.0
ABREAST_M: Final = 400.0
_ROW: Final = 12  # ships side by side
_ROW_DEPTH_M: Final = 400.0
_AHEAD_M: Final = 1_000.0
_BEHIND_M: Final = 1_500.0
_BEFORE_CITY_M: Final = 600.0
_FREIGHTER_ROW_M: Final = 150.0
_STEP_M: Final = 250.0
_RINGS: Final = 30
_INSIDE_M: Final = HALF_SIDE_M - 60.0
_UNDER_KEEL_M: Final = 5.0
_BELOW_M: Final = 40.0  # water a submerged hull wants
_HALF_SPEED: Final = 0.5
_BOUNDS: Final = (-HALF_SIDE_M, -HALF_SIDE_M, HALF_SIDE_M, HALF_SIDE_M)


@dataclass(frozen=True, slots=True)
class _Place:
    x: float
    y: float
    radius_m: float
    layer: Layer


class Lineup:
    """Starts for both sides of one battle; each placed ship keeps its room."""

    def __init__(self, style: MapStyle, seed: int, axis_rad: float) -> None:
        """Prepare the sea; `axis_rad` points from the attacker to the defender."""
        self._bed: ResolvedDepth = resolve_depth(sea_bed(style), seed)
        self._sincos = sincos(axis_rad)
        self._axis_rad = axis_rad
        self._taken: list[_Place] = []

    def place(self, combatants: Sequence[Combatant], *, is_attacker: bool) -> dict[str, ShipState]:
        """Return where every ship of a side starts, by ship id."""
        sign = -1.0 if is_attacker else 1.0
        heading = norm2pi(self._axis_rad if is_attacker else self._axis_rad + PI)
        return {
            combatant.ship.id: self._start(combatant, sign * along, left, heading)
            for combatant, along, left in _formation(combatants)
        }

    def _start(self, combatant: Combatant, along: float, left: float, heading: float) -> ShipState:
        row = ship_class(combatant.ship.class_id)
        layer = Layer.SUBMERGED if combatant.is_submarine else Layer.SURFACE
        sine, cosine = self._sincos
        x, y, layer = self._free(along * cosine - left * sine, along * sine + left * cosine, layer, combatant)
        full = row.speed.surface if layer is Layer.SURFACE else (row.speed.submerged or 0.0)
        speed = 0.0 if combatant.is_fixed else full * _HALF_SPEED
        self._taken.append(_Place(x, y, row.hull.radius_m, layer))
        return ShipState(x=x, y=y, heading=heading, speed=speed, layer=layer)

    def _free(self, x: float, y: float, layer: Layer, combatant: Combatant) -> tuple[float, float, Layer]:
        """Nearest spot with enough water and room, searched in widening squares; a boat without depth surfaces."""
        row = ship_class(combatant.ship.class_id)
        draught = row.hull.draught_m or 0.0
        for wanted in (layer, Layer.SURFACE):
            need = _BELOW_M if wanted is Layer.SUBMERGED else draught + _UNDER_KEEL_M
            for ring in range(_RINGS):
                for dx, dy in _square(ring):
                    spot = (_inside(x + dx * _STEP_M), _inside(y + dy * _STEP_M))
                    if self._fits(*spot, row.hull.radius_m, wanted, need):
                        return (*spot, wanted)
        return _inside(x), _inside(y), Layer.SURFACE

    def _fits(self, x: float, y: float, radius_m: float, layer: Layer, need_m: float) -> bool:
        depth = depth_at(self._bed, _BOUNDS, x, y)
        if depth < need_m or not allows(depth, layer):
            return False
        return all(hyp(x - other.x, y - other.y) > radius_m + other.radius_m for other in self._taken)


def _formation(combatants: Sequence[Combatant]) -> list[tuple[Combatant, float, float]]:
    """Distance from the middle of the map along the axis, and to the left, for each; capital ships in the middle."""
    fixed = [c for c in combatants if c.is_fixed]
    boats = [c for c in combatants if c.is_submarine and not c.is_fixed]
    carriers = [c for c in combatants if c.keeps_behind]
    line = [c for c in combatants if c not in fixed and c not in boats and c not in carriers]
    front = HALF_SEPARATION_M - (_BEFORE_CITY_M if fixed else 0.0)
    return [
        *((c, HALF_SEPARATION_M, left) for c, left in zip(fixed, _abreast(len(fixed)), strict=True)),
        *_rows(line, front, _ROW_DEPTH_M),
        *_rows(boats, front - _AHEAD_M, _ROW_DEPTH_M),
        *_rows(carriers, front + _BEHIND_M, _FREIGHTER_ROW_M),
    ]


def _rows(combatants: list[Combatant], first_m: float, depth_m: float) -> list[tuple[Combatant, float, float]]:
    """Fill rows from the front; the costliest of a row stand in its middle."""
    ranked = sorted(combatants, key=lambda c: (-ship_cost(c.ship), c.ship.number))
    placed = []
    for start in range(0, len(ranked), _ROW):
        row = ranked[start : start + _ROW]
        offsets = sorted(_abreast(len(row)), key=lambda left: (abs(left), left))
        along = first_m + depth_m * (start // _ROW)
        placed += [(combatant, along, left) for combatant, left in zip(row, offsets, strict=True)]
    return placed


def _abreast(count: int) -> list[float]:
    return [(index - (count - 1) / 2.0) * ABREAST_M for index in range(count)]


def _square(ring: int) -> list[tuple[int, int]]:
    if ring == 0:
        return [(0, 0)]
    around = range(-ring, ring + 1)
    return [(dx, dy) for dx in around for dy in around if max(abs(dx), abs(dy)) == ring]


def _inside(value: float) -> float:
    return min(max(value, -_INSIDE_M), _INSIDE_M)
