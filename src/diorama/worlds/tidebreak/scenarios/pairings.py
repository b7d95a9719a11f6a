"""The pairings that hold the balance: equal costs, 12 km apart, a moderate sea."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diorama.numerics import PI
from diorama.worlds.tidebreak.codes import Layer
from diorama.worlds.tidebreak.content import Content, shipped_content
from diorama.worlds.tidebreak.packages.bathymetry import UniformDepth
from diorama.worlds.tidebreak.packages.map import Bounds, MapDefinition
from diorama.worlds.tidebreak.packages.package import BattlePackage
from diorama.worlds.tidebreak.packages.rules import Rules
from diorama.worlds.tidebreak.packages.ships import ShipSnapshot, ShipState
from diorama.worlds.tidebreak.packages.teams import Team
from diorama.worlds.tidebreak.packages.weather import Weather
from diorama.worlds.tidebreak.scenarios.lineup import ABREAST_M, TEAM_IDS
from diorama.worlds.tidebreak.scenarios.seeds import battle_seed
from diorama.worlds.tidebreak.scenarios.waters import DEPTH_M, HALF_SIDE_M

_HALF_SEPARATION_M: Final = 6000.0
_TIME_LIMIT_S: Final = 1800.0
_SEA_STATE: Final = 2.0

_Side = tuple[tuple[str, int], ...]
_Outcome = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Two sides, and how the full rules let scripts fight it out between them.

    Attributes:
        name: Unique.
        left: Classes and how many of each.
        right: The other side.
        outcome: Percent of battles that the left side won, lost and left undecided; frozen, the balance test holds it.
        length_s: Mean length of a battle.
        prototype: The same of an early prototype without fields and terrain, if it was fought there.
    """

    name: str
    left: _Side
    right: _Side
    outcome: _Outcome
    length_s: int
    prototype: _Outcome | None = None

    @property
    def is_mirror(self) -> bool:
        """Whether both sides are the same."""
        return self.left == self.right


def _pairing(
    name: str, left: _Side, right: _Side, outcome: _Outcome, length_s: int, prototype: _Outcome | None
) -> Pairing:
    return Pairing(name=name, left=left, right=right, outcome=outcome, length_s=length_s, prototype=prototype)


PAIRINGS: Final = (
    _pairing("corvette-mirror", (("corvette", 1),), (("corvette", 1),), (52, 48, 0), 414, (47, 47, 5)),
    _pairing("frigate-mirror", (("frigate", 1),), (("frigate", 1),), (53, 47, 0), 324, (42, 55, 2)),
    _pairing("skimmers-corvette", (("skimmer", 5),), (("corvette", 1),), (27, 57, 17), 703, (42, 42, 15)),
    _pairing("skimmers-frigate", (("skimmer", 12),), (("frigate", 1),), (70, 15, 15), 676, (77, 5, 17)),
    _pairing("cutters-corvettes", (("cutter", 5),), (("corvette", 3),), (100, 0, 0), 396, (12, 87, 0)),
    _pairing("cutters-frigate", (("cutter", 5),), (("frigate", 1),), (10, 90, 0), 341, (10, 90, 0)),
    _pairing("corvettes-frigates", (("corvette", 6),), (("frigate", 2),), (52, 48, 0), 440, (82, 17, 0)),
    _pairing("frigates-dreadnought", (("frigate", 5),), (("dreadnought", 1),), (78, 22, 0), 291, (60, 40, 0)),
    _pairing("corvettes-dreadnought", (("corvette", 14),), (("dreadnought", 1),), (0, 100, 0), 468, (0, 100, 0)),
    _pairing("cutters-dreadnought", (("cutter", 25),), (("dreadnought", 1),), (88, 12, 0), 651, (65, 32, 2)),
    _pairing(
        "dreadnought-screen", (("dreadnought", 1),), (("corvette", 5), ("frigate", 3)), (30, 70, 0), 425, (90, 10, 0)
    ),
    _pairing("subs-dreadnought", (("attack_sub", 7),), (("dreadnought", 1),), (70, 0, 30), 1152, (100, 0, 0)),
    _pairing("subs-frigates", (("attack_sub", 6),), (("frigate", 4),), (0, 3, 97), 1798, (45, 15, 40)),
    _pairing("subs-corvettes", (("attack_sub", 3),), (("corvette", 6),), (0, 63, 37), 1566, (15, 80, 5)),
    _pairing("sub-corvettes", (("attack_sub", 1),), (("corvette", 2),), (3, 57, 40), 1363, (40, 60, 0)),
)


def pairing_package(pairing: Pairing, seed: int) -> BattlePackage:
    """Set up a pairing: left in the west, right in the east, in line abreast and bow to bow at half speed."""
    tables = shipped_content()
    return BattlePackage(
        schema_version="arena.v1",
        battle_id=f"pairing-{pairing.name}",
        seed=battle_seed(seed),
        time_limit_s=_TIME_LIMIT_S,
        rules=Rules(fields=True),
        teams=tuple(Team(team_id=team_id, name=team_id.capitalize()) for team_id in TEAM_IDS),
        map=MapDefinition(
            bounds=Bounds(min_x=-HALF_SIDE_M, min_y=-HALF_SIDE_M, max_x=HALF_SIDE_M, max_y=HALF_SIDE_M),
            bathymetry=UniformDepth(depth_m=DEPTH_M),
            weather=Weather(sea_state=_SEA_STATE),
        ),
        ships=(*_side(0, pairing.left, tables), *_side(1, pairing.right, tables)),
    )


def _side(side: int, forces: _Side, content: Content) -> Sequence[ShipSnapshot]:
    names = [name for name, count in forces for _ in range(count)]
    ships = []
    for index, name in enumerate(names):
        speed = content.classes[name].speed
        is_submarine = speed.submerged is not None
        full = speed.surface if speed.submerged is None else speed.submerged
        state = ShipState(
            x=-_HALF_SEPARATION_M if side == 0 else _HALF_SEPARATION_M,
            y=(index - (len(names) - 1) / 2.0) * ABREAST_M,
            heading=0.0 if side == 0 else PI,
            speed=full * 0.5,
            layer=Layer.SUBMERGED if is_submarine else Layer.SURFACE,
        )
        ship_id = f"{TEAM_IDS[side]}-{index + 1:02d}-{name}"
        ships.append(ShipSnapshot(ship_id=ship_id, team_id=TEAM_IDS[side], class_id=name, initial_state=state))
    return ships
