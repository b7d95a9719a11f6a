"""Objectives and damage that make a stage what it is."""

from collections.abc import Sequence
from typing import Final

from diorama.worlds.tidebreak.codes import ObjectiveType, SizeClass, System, WeaponGroup
from diorama.worlds.tidebreak.content import Content, ShipClass
from diorama.worlds.tidebreak.packages.damage import CompartmentReport, DamageReport, SystemReport
from diorama.worlds.tidebreak.packages.objectives import Destination, TacticalObjective
from diorama.worlds.tidebreak.packages.ships import ShipSnapshot
from diorama.worlds.tidebreak.scenarios.draws import Draws, Purpose
from diorama.worlds.tidebreak.scenarios.lineup import Axis

_FAR_END_M: Final = 7000.0
_CRIPPLED_HP: Final = {SizeClass.L: (0.5, 0.7), SizeClass.XL: (0.6, 0.9)}
_WEAPONS_LEFT: Final = (0.1, 0.4)
_PROPULSION_LEFT: Final = 0.05
_WRECKED_AFT: Final = (5, 6, 7)  # compartments that the engines of a capital live in
_AFT_LEFT: Final = (0.05, 0.2)
_CREW_LEFT: Final = (0.4, 0.7)
_SALVOS_LEFT: Final = {SizeClass.L: 6, SizeClass.XL: 30}  # at most, in a mount
_WINGS_LEFT: Final = 1
_FIRST_AFT_DRAW, _CREW_DRAW, _FIRST_MOUNT_DRAW = 2, 8, 16


def give_convoy_orders(first: Sequence[ShipSnapshot], second: Sequence[ShipSnapshot], axis: Axis) -> list[ShipSnapshot]:
    """Freighters make for the far end, escorts protect them in turn, submarines raid."""
    freighters = [ship for ship in first if ship.class_id == "freighter"]
    escorts = [ship for ship in first if ship.class_id != "freighter"]
    ordered = []
    for index, ship in enumerate(escorts):
        asset = freighters[index % len(freighters)].ship_id
        ordered.append(_with(ship, TacticalObjective(objective_id="escort", type=ObjectiveType.PROTECT, asset=asset)))
    for ship in freighters:
        end = Destination(position=axis.point(_FAR_END_M, 0.0))
        ordered.append(_with(ship, TacticalObjective(objective_id="pass", type=ObjectiveType.EVADE, destination=end)))
    raid = TacticalObjective(objective_id="raid", type=ObjectiveType.RAID)
    return [*ordered, *(_with(ship, raid) for ship in second)]


def give_boarding_orders(
    first: Sequence[ShipSnapshot], second: Sequence[ShipSnapshot], crippled: str
) -> list[ShipSnapshot]:
    """Transports are to take the crippled hull."""
    target = next(ship.ship_id for ship in second if ship.class_id == crippled)
    capture = TacticalObjective(objective_id="board", type=ObjectiveType.CAPTURE, target=target)
    return [*(_with(ship, capture) if ship.class_id == "assault_transport" else ship for ship in first), *second]


def cripple(ship: ShipSnapshot, draws: Draws, content: Content) -> ShipSnapshot:
    """Leave a hull that can be boarded: slow for good, its guns weak and short of rounds, a capital's crew thinned."""
    row = content.classes[ship.class_id or ""]
    weapons = draws.between(*_WEAPONS_LEFT, Purpose.DAMAGE, 1)
    state = {
        "hp": row.hull.hp * draws.between(*_CRIPPLED_HP[row.size], Purpose.DAMAGE, 0),
        "speed": 0.0,
        "ammo": _rounds_left(row, draws, content),
    }
    is_capital = row.size is SizeClass.L
    damage = DamageReport(
        systems={
            System.PROPULSION: SystemReport(fraction=_PROPULSION_LEFT),
            System.WEAPONS: SystemReport(fraction=weapons),
        },
        compartments=_wrecked_aft(draws) if is_capital else None,
    )
    left = {"crew_count": int(row.crew * draws.between(*_CREW_LEFT, Purpose.DAMAGE, _CREW_DRAW))} if is_capital else {}
    return ship.model_copy(
        update={
            "initial_state": ship.initial_state.model_copy(update=state),
            "crew": ship.crew.model_copy(update=left),
            "damage_state": damage,
        }
    )


def _rounds_left(row: ShipClass, draws: Draws, content: Content) -> dict[int, int]:
    """What is left in the mounts that orders can fire, by slot."""
    left = {}
    for slot, mount in enumerate(row.mounts):
        weapon = content.weapons[mount.weapon]
        if weapon.group is not WeaponGroup.AUTOMATIC:
            most = _WINGS_LEFT if weapon.fire.ammo is None else min(weapon.fire.ammo, _SALVOS_LEFT[row.size])
            left[slot] = draws.whole(0, most, Purpose.DAMAGE, _FIRST_MOUNT_DRAW + slot)
    return left


def _wrecked_aft(draws: Draws) -> tuple[CompartmentReport, ...]:
    return tuple(
        CompartmentReport(id=part, integrity=draws.between(*_AFT_LEFT, Purpose.DAMAGE, _FIRST_AFT_DRAW + place))
        for place, part in enumerate(_WRECKED_AFT)
    )


def _with(ship: ShipSnapshot, objective: TacticalObjective) -> ShipSnapshot:
    return ship.model_copy(update={"objective": objective})
