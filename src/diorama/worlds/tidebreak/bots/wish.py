"""What a captain wants, and the decision that comes nearest to it."""

from dataclasses import dataclass
from typing import Final

from diorama.contracts.records import Decision
from diorama.numerics import PI, clamp, wrap
from diorama.worlds.tidebreak.bots.view import HALF_MAP_M, Sighting, View
from diorama.worlds.tidebreak.codes import Emissions
from diorama.worlds.tidebreak.contract import (
    KEEP_TARGET,
    RUDDERS,
    THROTTLES,
    EmissionsOrder,
    Head,
    LayerOrder,
    SupportOrder,
    WeaponOrder,
    nearest_step,
)
from diorama.worlds.tidebreak.layout import Env, Own
from diorama.worlds.tidebreak.reference.scripts.course import (
    DODGE_M,
    DODGE_SUBMARINE_M,
    EDGE_M,
    RUDDER_SPAN,
    WORTH_A_FOCUS,
)
from diorama.worlds.tidebreak.reference.scripts.targeting import TORPEDO_SHARE

_SPARING: Final = (WeaponOrder.GUN, WeaponOrder.MISSILE, WeaponOrder.ASW)  # free fire without torpedoes


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A course off the bow, positive to port, and what goes with it.

    Attributes:
        bearing: Where to steer.
        throttle: 0 to 1.
        emissions: Wanted posture, None for whatever it is.
        layer: Order to change the layer.
        holds_fire: Whether weapons stay silent.
        boards: Whether to send marines across.
        wants_decoy: Whether to launch a decoy even without a torpedo near.
        minds_edges: Whether to turn away from the edge of the map.
        torpedo_m: Range within which torpedoes are launched; None for the scripts' share of their reach.
        dodge_m: Range within which torpedoes are dodged; None for the scripts'.
        dodge_off: Radians off the course straight away from a torpedo.
        repairs: Whether damage control works on systems while neither fire nor water is worse.
    """

    bearing: float = 0.0
    throttle: float = 0.0
    emissions: Emissions | None = None
    layer: LayerOrder = LayerOrder.HOLD
    holds_fire: bool = False
    boards: bool = False
    wants_decoy: bool = False
    minds_edges: bool = True
    torpedo_m: float | None = None
    dodge_m: float | None = None
    dodge_off: float = 0.0
    repairs: bool = False


def decide(view: View, wish: Wish) -> Decision:
    """Return one option per head; a torpedo comes first, then the edge of the map."""
    threat = _to_dodge(view, wish)
    bearing, throttle = wish.bearing, wish.throttle
    if threat is not None:
        bearing, throttle = threat.bearing + PI + wish.dodge_off, THROTTLES[-1]
    elif wish.minds_edges and float(view.environment[Env.EDGE]) * HALF_MAP_M < EDGE_M:
        bearing = view.center_bearing
    decision = {
        Head.THROTTLE: nearest_step(THROTTLES, throttle),
        Head.RUDDER: nearest_step(RUDDERS, clamp(wrap(bearing) / RUDDER_SPAN, -1.0, 1.0)),
        Head.LAYER: int(wish.layer),
        Head.EMISSIONS: int(EmissionsOrder.KEEP if wish.emissions is None else wish.emissions + 1),
        Head.WEAPON: int(_weapon(view, wish)),
        Head.TARGET: KEEP_TARGET if view.best is None else 1 + view.best.row,
        Head.SUPPORT: int(_support(view, wish, threat)),
    }
    noops = (1, 3, LayerOrder.HOLD, EmissionsOrder.KEEP, WeaponOrder.HOLD, KEEP_TARGET, SupportOrder.NONE)
    return tuple(
        option if view.allows(head, option) else int(noop)
        for (head, option), noop in zip(decision.items(), noops, strict=True)
    )


def _to_dodge(view: View, wish: Wish) -> Sighting | None:
    reach_m = wish.dodge_m
    if reach_m is None:
        reach_m = DODGE_SUBMARINE_M if view.hull.is_submarine else DODGE_M
    return view.threat if view.threat is not None and view.threat.range_m <= reach_m else None


def _weapon(view: View, wish: Wish) -> WeaponOrder:
    if wish.holds_fire or view.best is None:
        return WeaponOrder.HOLD
    torpedo_m = TORPEDO_SHARE * view.hull.torpedo_m if wish.torpedo_m is None else wish.torpedo_m
    if view.best.range_m < torpedo_m:
        return WeaponOrder.FREE
    return next((order for order in _SPARING if view.allows(Head.WEAPON, order)), WeaponOrder.HOLD)


def _support(view: View, wish: Wish, threat: Sighting | None) -> SupportOrder:
    if (threat is not None or wish.wants_decoy) and view.allows(Head.SUPPORT, SupportOrder.DECOY):
        return SupportOrder.DECOY
    if wish.boards and view.allows(Head.SUPPORT, SupportOrder.BOARD):
        return SupportOrder.BOARD
    if view.own[Own.FIRE] > WORTH_A_FOCUS:
        return SupportOrder.DC_FIRE
    if view.own[Own.FLOOD] > WORTH_A_FOCUS:
        return SupportOrder.DC_FLOOD
    return SupportOrder.DC_REPAIR if wish.repairs else SupportOrder.DC_BALANCED
