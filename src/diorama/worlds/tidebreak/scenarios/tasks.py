"""Objectives and damage that make a stage what it is."""

from collections.abc import Sequence
from typing import Final

from diorama.worlds.tidebreak.codes import ObjectiveType, SizeClass, System
from diorama.worlds.tidebreak.content import Content
from diorama.worlds.tidebreak.packages.damage import DamageReport, SystemReport
from diorama.worlds.tidebreak.packages.objectives import Destination, TacticalObjective
from diorama.worlds.tidebreak.packages.ships import ShipSnapshot
from diorama.worlds.tidebreak.scenarios.draws import Draws, Purpose
from diorama.worlds.tidebreak.scenarios.lineup import Axis

_FAR_END_M: Final = 7000.0
_CRIPPLED_HP: Final = {SizeClass.L: (0.3, 0.45), SizeClass.XL: (0.6, 0.9)}


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
    """Take away hit points, way and most of the guns' strength."""
    row = content.classes[ship.class_id or ""]
    low, high = _CRIPPLED_HP[row.size]
    hp = row.hull.hp * draws.between(low, high, Purpose.DAMAGE, 0)
    damage = DamageReport(
        systems={
            System.PROPULSION: SystemReport(fraction=0.05),
            System.WEAPONS: SystemReport(fraction=draws.between(0.1, 0.4, Purpose.DAMAGE, 1)),
        }
    )
    state = ship.initial_state.model_copy(update={"hp": hp, "speed": 0.0})
    return ship.model_copy(update={"initial_state": state, "damage_state": damage})


def _with(ship: ShipSnapshot, objective: TacticalObjective) -> ShipSnapshot:
    return ship.model_copy(update={"objective": objective})
