"""What follows the fall of a hub."""

from typing import Final

from diorama.numerics import clamp
from diorama.worlds.tidebreak.campaign.kinds import ConquestState
from diorama.worlds.tidebreak.campaign.politics.regimes import impose_rule
from diorama.worlds.tidebreak.campaign.state import CampaignState, Conquest, Hub, Siege
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

_PACIFIED_BELOW: Final = 0.3
_PACIFIED_DAYS: Final = 30
_CONTESTED_ABOVE: Final = 0.7
_CONTESTED_DAYS: Final = 20
_SHARED_DAYS: Final = 60
_SHARED_WITHIN: Final = 0.05
_INTEGRATED_DAYS: Final = 180
_CALMING: Final = 0.005
_CONTROL_STEP: Final = 0.01
_FREED_AT: Final = 0.5
_GARRISON: Final = 0.02  # of the population


def conquer(state: CampaignState, hub: Hub, siege: Siege) -> None:
    """Hand a hub, its sites and its hull to the conqueror."""
    loser, winner = hub.owner, siege.attacker
    text = f"the {state.faction(winner).name} conquers {hub.name} from the {state.faction(loser).name}"
    news = report(state, "siege", text, factions=[winner, loser], node=hub.id, cause=siege.news)
    hand_over(state, hub, winner)
    impose_rule(state, hub, state.hub(state.faction(winner).capital).government.kind)
    text = f"{hub.name} has a government by the grace of the {state.faction(winner).name}"
    report(state, "government", text, factions=[winner, loser], node=hub.id, cause=news)
    hub.security = max(hub.security, siege.troops)
    hub.conquest = Conquest(
        former_owner=loser,
        state=ConquestState.OCCUPIED,
        since_day=state.day,
        resistance=1.0 - hub.government.legitimacy * 0.5,
        control=1.0,
        control_then=1.0,
        low_days=0,
        high_days=0,
    )
    move_capital(state, loser)


def hand_over(state: CampaignState, hub: Hub, winner: str) -> None:
    """Change the owner of a hub and of what belongs to it."""
    hub.owner = winner
    state.node(hub.id).owner = winner
    hub.builds.clear()
    hub.crises.clear()
    hub.governor = None
    hulls = [hub.hull]
    for site in state.sites:
        if site.hub == hub.id:
            site.owner = winner
            state.node(site.id).owner = winner
            hulls.append(site.platform)
    for name in hulls:
        ship = state.find_ship(name)
        if ship is not None:
            ship.owner = winner
    state.sieges = [siege for siege in state.sieges if siege.hub != hub.id]


def move_capital(state: CampaignState, faction_id: str) -> None:
    """Find a new capital for a faction that lost its own: its largest hub."""
    faction = state.faction(faction_id)
    hubs = state.hubs_of(faction_id)
    if hubs and state.hub(faction.capital).owner != faction_id:
        faction.capital = max(hubs, key=lambda hub: (hub.population, -hub.number)).id


def hold_conquests(state: CampaignState) -> None:
    """Let resistance fade or flare up, and move conquered hubs from state to state."""
    for hub in state.hubs:
        if hub.conquest is not None and hub.conquest.state is not ConquestState.INTEGRATED:
            _hold(state, hub, hub.conquest)


def _hold(state: CampaignState, hub: Hub, conquest: Conquest) -> None:
    conquest.resistance = clamp(conquest.resistance - _CALMING, 0.0, 1.0)
    conquest.low_days = conquest.low_days + 1 if conquest.resistance < _PACIFIED_BELOW else 0
    conquest.high_days = conquest.high_days + 1 if conquest.resistance > _CONTESTED_ABOVE else 0
    days = state.day - conquest.since_day
    match conquest.state:
        case ConquestState.OCCUPIED:
            if conquest.low_days >= _PACIFIED_DAYS:
                _enter(state, hub, conquest, ConquestState.PACIFIED)
            elif conquest.high_days >= _CONTESTED_DAYS:
                _enter(state, hub, conquest, ConquestState.CONTESTED)
        case ConquestState.CONTESTED:
            _contest(state, hub, conquest, days)
        case ConquestState.PACIFIED:
            if days >= _INTEGRATED_DAYS:
                _enter(state, hub, conquest, ConquestState.INTEGRATED)
        case _:
            pass  # a condominium moves only when both agree


def _contest(state: CampaignState, hub: Hub, conquest: Conquest, days: int) -> None:
    """Garrison against resistance: a stalemate ends in shared rule, a rout in liberation."""
    garrison, rebels = hub.security, conquest.resistance * _GARRISON * hub.population
    if garrison + rebels > 0.0:
        conquest.control = clamp(conquest.control + _CONTROL_STEP * (garrison - rebels) / (garrison + rebels), 0.0, 1.0)
    if conquest.control <= _FREED_AT and state.faction(conquest.former_owner).defeated_day is None:
        _free(state, hub, conquest)
    elif days >= _SHARED_DAYS and abs(conquest.control - conquest.control_then) < _SHARED_WITHIN:
        _enter(state, hub, conquest, ConquestState.CONDOMINIUM)
    elif conquest.high_days == 0:
        _enter(state, hub, conquest, ConquestState.OCCUPIED)


def _enter(state: CampaignState, hub: Hub, conquest: Conquest, new: ConquestState) -> None:
    conquest.state, conquest.since_day, conquest.control_then = new, state.day, conquest.control
    conquest.low_days = conquest.high_days = 0
    report(state, "siege", f"{hub.name} is {new.lower()}", factions=[hub.owner, conquest.former_owner], node=hub.id)


def _free(state: CampaignState, hub: Hub, conquest: Conquest) -> None:
    former, holder = conquest.former_owner, hub.owner
    hub.conquest = None
    hand_over(state, hub, former)
    move_capital(state, former)
    move_capital(state, holder)
    text = f"{hub.name} rises and returns to the {state.faction(former).name}"
    report(state, "siege", text, factions=[former, holder], node=hub.id)
