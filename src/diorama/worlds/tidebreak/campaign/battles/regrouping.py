"""Where ships go when the guns fall silent."""

from diorama.worlds.tidebreak.campaign.battles.fates import Toll
from diorama.worlds.tidebreak.campaign.battles.roster import Combatant
from diorama.worlds.tidebreak.campaign.fleets.muster import new_fleet, split
from diorama.worlds.tidebreak.campaign.kinds import Stance
from diorama.worlds.tidebreak.campaign.map.paths import hostile_fleets_at, neighbors, path_days, shortest_path
from diorama.worlds.tidebreak.campaign.state import CampaignState, Encounter, Fleet
from diorama.worlds.tidebreak.codes import ShipFate
from diorama.worlds.tidebreak.packages import BattleResult


def station_prizes(state: CampaignState, encounter: Encounter, prizes: list[Combatant]) -> None:
    """Let captured ships join the first fleet of their captor at the place."""
    for combatant in prizes:
        ship = combatant.ship
        fleets = [state.find_fleet(name) for name in (*encounter.attacker.fleets, *encounter.defender.fleets)]
        own = [fleet for fleet in fleets if fleet is not None and fleet.owner == ship.owner and fleet.ships]
        fleet = own[0] if own else new_fleet(state, ship.owner, encounter.node)
        fleet.ships.append(ship.id)
        ship.fleet = fleet.id


def tow_home(
    state: CampaignState, combatants: tuple[Combatant, ...], result: BattleResult, tolls: dict[str, Toll]
) -> None:
    """Tow disabled ships of the side that holds the field to its nearest hub."""
    fates = {outcome.ship_id: outcome.fate for outcome in result.ships}
    for combatant in combatants:
        ship, fleet = combatant.ship, combatant.fleet
        is_stranded = fates[ship.id] is ShipFate.DISABLED and not tolls[ship.id].is_lost
        if not is_stranded or fleet is None or ship.id not in fleet.ships:
            continue
        hub = _nearest_hub(state, fleet)
        if hub is None or hub == fleet.node:
            continue
        if len(fleet.ships) > 1:
            fleet = split(state, fleet, [ship.id])
        _send(fleet, hub)


def regroup(
    state: CampaignState,
    encounter: Encounter,
    combatants: tuple[Combatant, ...],
    result: BattleResult,
    tolls: dict[str, Toll],
) -> None:
    """Send ships that left the battle, and sides that lost it, to a place of their own next to it."""
    left = {outcome.ship_id for outcome in result.ships if outcome.exited}
    for fleet in [f for f in state.fleets if f.id in (*encounter.attacker.fleets, *encounter.defender.fleets)]:
        away = [name for name in fleet.ships if name in left]
        is_beaten = result.winner_team_id not in (None, fleet.owner)
        refuge = _refuge(state, encounter, fleet)
        if refuge is None or not fleet.ships or refuge == fleet.node:
            continue
        if is_beaten or len(away) == len(fleet.ships):
            _send(fleet, refuge)
        elif away:
            _send(split(state, fleet, away), refuge)


def _refuge(state: CampaignState, encounter: Encounter, fleet: Fleet) -> str | None:
    """Nearest own place next to the battle, else where the fleet came from, else any quiet neighbor."""
    here = encounter.node
    if state.node(here).owner == fleet.owner:
        return here
    around = neighbors(state, here)
    own = [node for node in around if state.node(node).owner == fleet.owner]
    quiet = [node for node in around if not hostile_fleets_at(state, node, fleet.owner)]
    options = [*own, *([fleet.came_from] if fleet.came_from in quiet else []), *quiet]
    return options[0] if options else None


def _send(fleet: Fleet, node: str) -> None:
    fleet.node, fleet.passage, fleet.path = node, None, []
    fleet.stance, fleet.mission = Stance.RETURN, None


def _nearest_hub(state: CampaignState, fleet: Fleet) -> str | None:
    here = fleet.node or (fleet.passage.target if fleet.passage is not None else None)
    if here is None:
        return None
    hubs = [hub.id for hub in state.hubs_of(fleet.owner)]
    return min(hubs, key=lambda hub: (path_days(state, shortest_path(state, here, hub) or []), hub), default=None)
