"""What both sides of a siege can do, once in five days each."""

from typing import Final

from diorama.contracts.errors import ContractError
from diorama.numerics import clamp
from diorama.worlds.tidebreak.campaign.economy.stocks import move
from diorama.worlds.tidebreak.campaign.fleets.strength import marines_of
from diorama.worlds.tidebreak.campaign.kinds import (
    ATTACKER_ACTIONS,
    DEFENDER_ACTIONS,
    NEEDS,
    Resource,
    SiegeAction,
)
from diorama.worlds.tidebreak.campaign.politics.legitimacy import change_legitimacy
from diorama.worlds.tidebreak.campaign.sieges.landings import ACTION_EVERY_DAYS
from diorama.worlds.tidebreak.campaign.state import CampaignState, Effect, Hub, Siege
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

PURGE_SECURITY: Final = 50.0
_RANSOM: Final = 500.0
_RANSOM_BELOW: Final = 0.3
_QUARANTINE_DAYS: Final = 10
_PROPULSION: Final = 0


def legal_actions(state: CampaignState, siege: Siege, faction_id: str) -> list[SiegeAction]:
    """Return what a side may do today; nothing before its next turn."""
    if faction_id == siege.attacker and state.day >= siege.attacker_next_day:
        return [action for action in ATTACKER_ACTIONS if _can_attack_by(state, siege, action)]
    if faction_id == siege.defender and state.day >= siege.defender_next_day:
        return [action for action in DEFENDER_ACTIONS if _can_defend_by(state, siege, action)]
    return []


def act(state: CampaignState, siege: Siege, faction_id: str, action: SiegeAction) -> None:
    """Carry out an action of a side.

    Raises:
        ContractError: It is not that side's turn, or the action is not possible.
    """
    legal = legal_actions(state, siege, faction_id)
    if action not in legal:
        options = ", ".join(legal) or "nothing before its next turn"
        raise ContractError(f"{faction_id} cannot {action} at {siege.hub} today; it can do: {options}")
    hub = state.hub(siege.hub)
    if faction_id == siege.attacker:
        siege.attacker_next_day = state.day + ACTION_EVERY_DAYS
        _attack_by(state, siege, hub, action)
    else:
        siege.defender_next_day = state.day + ACTION_EVERY_DAYS
        _defend_by(state, siege, hub, action)
    words = action.lower().replace("_", " ")
    text = f"siege of {hub.name}: the {state.faction(faction_id).name} chooses {words}"
    report(state, "siege", text, factions=[siege.attacker, siege.defender], node=hub.id, cause=siege.news)


def _can_attack_by(state: CampaignState, siege: Siege, action: SiegeAction) -> bool:
    return action is not SiegeAction.REINFORCE or _marines_at_hand(state, siege) > 0


def _can_defend_by(state: CampaignState, siege: Siege, action: SiegeAction) -> bool:
    hub = state.hub(siege.hub)
    match action:
        case SiegeAction.PURGE:
            return hub.security >= PURGE_SECURITY
        case SiegeAction.NEGOTIATE:
            return siege.control < _RANSOM_BELOW and _ransom(hub) is not None
        case SiegeAction.SCUTTLE_SYSTEMS:
            return hub.hull is not None
        case _:
            return True


def _attack_by(state: CampaignState, siege: Siege, hub: Hub, action: SiegeAction) -> None:
    match action:
        case SiegeAction.REINFORCE:
            siege.troops += float(_land_more(state, siege))
        case SiegeAction.EXPAND:
            siege.control += 0.02
            siege.troops -= siege.troops * 0.03
        case SiegeAction.SUBVERT:
            angriest = max(hub.blocs, key=lambda bloc: (bloc.radicalization, bloc.share))
            angriest.radicalization = clamp(angriest.radicalization + 0.05, 0.0, 1.0)
        case _:
            hub.info_integrity = clamp(hub.info_integrity - 0.1, 0.0, 1.0)


def _defend_by(state: CampaignState, siege: Siege, hub: Hub, action: SiegeAction) -> None:
    match action:
        case SiegeAction.QUARANTINE:
            siege.control -= 0.02
            hub.effects.append(Effect(kind="prosperity", amount=-0.1, until_day=state.day + _QUARANTINE_DAYS))
        case SiegeAction.PURGE:
            hub.security -= PURGE_SECURITY
            siege.control -= 0.04
        case SiegeAction.PROPAGANDA:
            change_legitimacy(hub, 0.02)
        case SiegeAction.NEGOTIATE:
            _pay_ransom(state, siege, hub)
        case _:
            siege.control -= 0.1
            change_legitimacy(hub, -0.15)
            city = state.find_ship(hub.hull)
            if city is not None:
                city.systems[_PROPULSION] = 0.0


def _ransom(hub: Hub) -> Resource | None:
    """The resource that a hub misses least, if it has enough of any to buy its freedom."""
    payable = [r for r in (*NEEDS, Resource.MATERIALS) if hub.stock[r] >= _RANSOM]
    return max(payable, key=lambda r: (hub.stock[r], r.value), default=None)


def _pay_ransom(state: CampaignState, siege: Siege, hub: Hub) -> None:
    resource = _ransom(hub)
    if resource is None:
        return
    winner = state.hub(state.faction(siege.attacker).capital)
    move(hub.stock, winner.stock, resource, _RANSOM)
    state.sieges.remove(siege)
    text = f"the invaders leave {hub.name} for {_RANSOM:.0f} {resource}"
    report(state, "siege", text, factions=[siege.attacker, siege.defender], node=hub.id, cause=siege.news)


def _marines_at_hand(state: CampaignState, siege: Siege) -> int:
    fleets = [fleet for fleet in state.fleets_at(siege.hub) if fleet.owner == siege.attacker]
    return sum(
        marines_of(ship) for fleet in fleets for ship in state.ships_of(fleet) if ship.class_id == "assault_transport"
    )


def _land_more(state: CampaignState, siege: Siege) -> int:
    landed = 0
    for fleet in state.fleets_at(siege.hub):
        for ship in state.ships_of(fleet) if fleet.owner == siege.attacker else []:
            if ship.class_id == "assault_transport":
                landed += marines_of(ship)
                ship.marines = 0
    return landed
