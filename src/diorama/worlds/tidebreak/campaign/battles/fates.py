"""What becomes of each ship after a battle."""

from dataclasses import dataclass
from typing import Final

from diorama.numerics import clamp, fmax
from diorama.worlds.tidebreak.campaign.battles.package import rounds_of
from diorama.worlds.tidebreak.campaign.battles.roster import Combatant
from diorama.worlds.tidebreak.campaign.draws import Stream, uniform
from diorama.worlds.tidebreak.campaign.economy.stocks import use
from diorama.worlds.tidebreak.campaign.fleets.muster import remove_ship
from diorama.worlds.tidebreak.campaign.fleets.strength import ship_class
from diorama.worlds.tidebreak.campaign.fleets.upkeep import CARRIED_DAYS, ship_upkeep
from diorama.worlds.tidebreak.campaign.kinds import Flow, Resource
from diorama.worlds.tidebreak.campaign.people import bury, release
from diorama.worlds.tidebreak.campaign.state import CampaignState, Hub, Ship
from diorama.worlds.tidebreak.campaign.sums import total
from diorama.worlds.tidebreak.codes import ShipFate, SizeClass, System
from diorama.worlds.tidebreak.packages.outcomes import ShipOutcome

_CAPTAIN_DIES: Final = 0.5
_CAPTURED_CREW: Final = 0.5
_LEAST_SHARE: Final = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Toll:
    """What a side has to mourn or gain by one ship."""

    is_lost: bool
    captor: str | None = None


def wear(combatant: Combatant, outcome: ShipOutcome) -> None:
    """Take over hull, systems, rounds, decoys and crew of a ship that still floats."""
    ship = combatant.ship
    row = ship_class(ship.class_id)
    ship.hp_share = clamp(outcome.final_state.hp / row.hull.hp, _LEAST_SHARE, 1.0)
    reports = outcome.damage_report.systems
    ship.systems = [reports[system].fraction if system in reports else 1.0 for system in System]
    ship.compartments = [part.integrity for part in outcome.damage_report.compartments or ()]
    ship.ammo_share = _ammo_left(ship, outcome)
    if row.stores.decoys > 0:
        used = outcome.consumption.decoys_used / row.stores.decoys
        ship.decoy_share = clamp(ship.decoy_share - used, 0.0, 1.0)
    if row.size is not SizeClass.XL:
        ship.crew_share = clamp(ship.crew_share - outcome.crew_casualties.killed / row.crew, 0.05, 1.0)


def mourn(state: CampaignState, combatant: Combatant, outcome: ShipOutcome) -> None:
    """Take the killed from the hub they came from."""
    hub = next((hub for hub in state.hubs if hub.id == combatant.ship.home), None)
    if hub is not None:
        hub.population = fmax(hub.population - outcome.crew_casualties.killed, 0.0)


def burn_fuel(state: CampaignState, combatant: Combatant, outcome: ShipOutcome) -> None:
    """Take the fuel of a battle from the fleet: a ship's bunkers, in seconds, hold what it uses in a month."""
    row, fleet = ship_class(combatant.ship.class_id), combatant.fleet
    if fleet is not None and row.stores.fuel_s is not None:
        month = CARRIED_DAYS * ship_upkeep(combatant.ship, Resource.FUEL, in_port=False)
        burned = month * outcome.consumption.fuel_used / row.stores.fuel_s
        use(state, fleet.supply, Resource.FUEL, burned, Flow.CONSUMED)


def settle(state: CampaignState, combatant: Combatant, outcome: ShipOutcome, *, holder: str | None) -> Toll:
    """Remove, hand over or keep a ship; `holder` is the side that holds the field."""
    ship = combatant.ship
    if _is_city(state, ship):
        return Toll(is_lost=False)  # a city is besieged, never sunk or towed away
    if outcome.fate in (ShipFate.DESTROYED, ShipFate.SCUTTLED):
        _lose_captain(state, ship)
        remove_ship(state, ship)
        return Toll(is_lost=True)
    captor = outcome.captor_team_id if outcome.fate is ShipFate.CAPTURED else None
    if outcome.fate is ShipFate.DISABLED and holder not in (None, ship.owner) and not outcome.exited:
        captor = holder
    if captor is None or captor == ship.owner:
        return Toll(is_lost=False)
    _hand_over(state, combatant, captor)
    return Toll(is_lost=True, captor=captor)


def _hand_over(state: CampaignState, combatant: Combatant, captor: str) -> None:
    ship = combatant.ship
    _lose_captain(state, ship)
    for fleet in state.fleets:
        if ship.id in fleet.ships:
            fleet.ships.remove(ship.id)
    if combatant.is_merchant:
        state.ships[ship.id] = ship
    ship.owner, ship.fleet = captor, None
    ship.home = state.faction(captor).capital
    ship.crew_share = _CAPTURED_CREW


def _lose_captain(state: CampaignState, ship: Ship) -> None:
    """The captain of a lost ship dies, or is taken and will look for another flag."""
    if ship.captain is None:
        return
    if uniform(state, Stream.PEOPLE, ship.number, 4, 0) < _CAPTAIN_DIES:
        bury(state, ship.captain)
    else:
        release(state, ship.captain)
    ship.captain = None


def _is_city(state: CampaignState, ship: Ship) -> bool:
    hub: Hub | None = next((hub for hub in state.hubs if hub.hull == ship.id), None)
    return hub is not None


def _ammo_left(ship: Ship, outcome: ShipOutcome) -> float:
    full = rounds_of(Ship(id="", number=0, name="", class_id=ship.class_id, owner="", home=""))
    left = {slot: outcome.final_state.ammo.get(slot, 0) for slot in full}
    shares = [left[slot] / count for slot, count in full.items() if count > 0]
    return clamp(total(shares) / len(shares), 0.0, 1.0) if shares else 1.0
