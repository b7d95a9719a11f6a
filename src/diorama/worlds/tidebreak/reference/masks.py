"""Which orders a unit could carry out now, over the options of all heads."""

from typing import Final

from diorama.worlds.tidebreak.codes import NO_LAYER, Layer, TrackQuality, UnitKind, WeaponGroup
from diorama.worlds.tidebreak.contract import (
    FIRST_FOCUS_ORDER,
    HEAD_OFFSETS,
    HEAD_SIZES,
    HEADS,
    N_OPTIONS,
    EmissionsOrder,
    Head,
    LayerOrder,
    SupportOrder,
    WeaponOrder,
)
from diorama.worlds.tidebreak.layout import HOSTILE_ROWS
from diorama.worlds.tidebreak.reference.components import Track
from diorama.worlds.tidebreak.reference.contacts import contact_order, estimated_range
from diorama.worlds.tidebreak.reference.orders import FREE_FIRE
from diorama.worlds.tidebreak.reference.outputs import LayerDirection
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.boarding import can_board
from diorama.worlds.tidebreak.reference.systems.fire_conditions import (
    choose_track,
    mount_refusal,
    needs_no_track,
    weapon_at,
)
from diorama.worlds.tidebreak.reference.systems.layers import accepts
from diorama.worlds.tidebreak.reference.systems.physics import speed_limit
from diorama.worlds.tidebreak.reference.systems.support import can_launch_decoy, can_scuttle

BOARDING_RANGE_M: Final = 3_000.0

Mask = list[int]


def action_mask(battle: Battle, unit: Unit) -> Mask:
    """Return 1 for every option that would have its effect, and for the no-ops."""
    mask = [0] * N_OPTIONS
    for head in Head:
        _allow(mask, head, HEADS[head].noop)
    if unit.is_effective:
        _allow_helm(mask, battle, unit)
        _allow_depth(mask, battle, unit)
        _allow_emissions(mask, unit)
        _allow_weapons(mask, battle, unit)
        _allow_targets(mask, unit)
        _allow_support(mask, battle, unit)
    return mask


def can_fire(battle: Battle, unit: Unit, group: WeaponGroup) -> bool:
    """Whether some mount of the group is ready and would find a target."""
    designated = unit.tracks.get(unit.memory.designated_track)
    for place in range(len(unit.mounts)):
        weapon = weapon_at(battle, unit, place)
        if weapon.group != group or mount_refusal(battle, unit, place) is not None:
            continue
        if needs_no_track(weapon) or choose_track(battle, unit, place, designated) is not None:
            return True
    return False


def boardable_track(battle: Battle, unit: Unit, named: Track | None = None) -> Track | None:
    """The track that an order to board means: the named or designated one, else the nearest that can be boarded."""
    if not (battle.rules.boarding and can_board(unit)):
        return None
    tracks = [track for track in contact_order(unit) if _is_boardable(battle, unit, track)]
    first = unit.memory.designated_track if named is None else named.track_id
    tracks.sort(key=lambda track: (track.track_id != first, estimated_range(unit, track)))
    return tracks[0] if tracks else None


def _is_boardable(battle: Battle, unit: Unit, track: Track) -> bool:
    if track.quality < TrackQuality.Q1 or estimated_range(unit, track) > BOARDING_RANGE_M:
        return False
    if track.layer_est not in (Layer.SURFACE, NO_LAYER):
        return False
    target = battle.find_unit(track.target_id)
    is_ship = target is not None and target.identity.kind == UnitKind.SHIP and target.is_present
    return is_ship and target is not None and battle.are_enemies(unit.team, target.team)


def _allow(mask: Mask, head: Head, option: int) -> None:
    mask[HEAD_OFFSETS[head] + option] = 1


def _allow_helm(mask: Mask, battle: Battle, unit: Unit) -> None:
    if unit.is_docked:
        return
    heads = (Head.THROTTLE, Head.RUDDER) if speed_limit(battle, unit) > 0.0 else (Head.RUDDER,)
    for head in heads:
        for option in range(HEAD_SIZES[head]):
            _allow(mask, head, option)


def _allow_depth(mask: Mask, battle: Battle, unit: Unit) -> None:
    directions = (
        (LayerOrder.UP, LayerDirection.UP),
        (LayerOrder.DOWN, LayerDirection.DOWN),
        (LayerOrder.POP_UP, LayerDirection.POP_UP),
    )
    for order, direction in directions:
        if accepts(battle, unit, direction):
            _allow(mask, Head.LAYER, order)


def _allow_emissions(mask: Mask, unit: Unit) -> None:
    for order in EmissionsOrder:
        if order - 1 != unit.posture.emissions:
            _allow(mask, Head.EMISSIONS, order)


def _allow_weapons(mask: Mask, battle: Battle, unit: Unit) -> None:
    allowed = [group for group in WeaponGroup if group and can_fire(battle, unit, group)]
    for group in allowed:
        _allow(mask, Head.WEAPON, group)
    if any(group in FREE_FIRE for group in allowed):
        _allow(mask, Head.WEAPON, WeaponOrder.FREE)


def _allow_targets(mask: Mask, unit: Unit) -> None:
    for row in range(len(contact_order(unit)[:HOSTILE_ROWS])):
        _allow(mask, Head.TARGET, 1 + row)


def _allow_support(mask: Mask, battle: Battle, unit: Unit) -> None:
    for focus in range(4):
        if focus != unit.posture.dc_focus:
            _allow(mask, Head.SUPPORT, FIRST_FOCUS_ORDER + focus)
    if can_launch_decoy(battle, unit):
        _allow(mask, Head.SUPPORT, SupportOrder.DECOY)
    if boardable_track(battle, unit) is not None:
        _allow(mask, Head.SUPPORT, SupportOrder.BOARD)
    if can_scuttle(battle, unit):
        _allow(mask, Head.SUPPORT, SupportOrder.SCUTTLE)
