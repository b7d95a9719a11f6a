"""Orders of one tick to one unit, and who gives them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from diorama.worlds.tidebreak.codes import DcFocus, Emissions, WeaponGroup
from diorama.worlds.tidebreak.reference.outputs import LayerDirection

if TYPE_CHECKING:
    from diorama.worlds.tidebreak.reference.state import Battle, Unit

FREE_FIRE: Final = (WeaponGroup.GUN, WeaponGroup.MISSILE, WeaponGroup.TORPEDO, WeaponGroup.ASW)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a unit is told for one tick; None and empty mean no change and nothing.

    Attributes:
        throttle: -0.4 to 1.
        rudder: -1 to 1, positive turns left.
        layer: Change of depth.
        emissions: New posture.
        groups: Weapon groups to fire, in this order.
        track_id: Track to designate first; 0 keeps the one designated last.
        focus: New work of damage control.
        decoy: Launch one.
        board_id: Unit to board, 0 for none.
        scuttle: Go on with scuttling.
        invalid: Parts of the action this order was made from that name nothing, such as an empty contact row.
    """

    throttle: float
    rudder: float
    layer: LayerDirection | None = None
    emissions: Emissions | None = None
    groups: tuple[WeaponGroup, ...] = ()
    track_id: int = 0
    focus: DcFocus | None = None
    decoy: bool = False
    board_id: int = 0
    scuttle: bool = False
    invalid: int = 0


Script = Callable[["Battle", "Unit"], Order]


@dataclass(frozen=True, slots=True)
class Controller:
    """Who gives a unit its orders: a script, or None for an agent whose orders are latched.

    Attributes:
        name: As `set_controller` and replays write it: `agent`, `script:auto`, `script:aggressor@0.6`.
        script: Called once per tick in COMMAND.
        skill: Share of ticks on which the script is heard; on the others only the helm of `idle` is.
    """

    name: str
    script: Script | None = None
    skill: float = 1.0
