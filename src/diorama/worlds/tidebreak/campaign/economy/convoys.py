"""An attacked shipment: the freighters that carry it, and the battle that decides over it."""

from typing import Final

from diorama.worlds.tidebreak.campaign.battles.encounter_making import new_encounter
from diorama.worlds.tidebreak.campaign.draws import Stream, choice
from diorama.worlds.tidebreak.campaign.fleets.strength import ship_class
from diorama.worlds.tidebreak.campaign.kinds import EncounterKind
from diorama.worlds.tidebreak.campaign.map.paths import hostile_fleets_at
from diorama.worlds.tidebreak.campaign.state import CampaignState, Encounter, Fleet, Force, Hub, Route, Ship, Stock
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

_FREIGHTERS_LEAST: Final = 2
_FREIGHTERS_CHOICES: Final = 3


def attack_convoy(state: CampaignState, route: Route, origin: Hub, destination: Hub, hold: Stock) -> bool:
    """Let a hostile fleet on the path fall upon the goods of one direction; False if there is none."""
    raider = _raider(state, route, origin.owner)
    if raider is None or raider.node is None:
        return False
    escorts = [f.id for f in state.fleets_at(raider.node) if f.owner == origin.owner]
    count = _FREIGHTERS_LEAST + choice(state, Stream.ROUTES, route.number, 0, 1, _FREIGHTERS_CHOICES)
    text = f"{raider.name} attacks {route.name} at {state.node(raider.node).name}"
    cause = report(
        state, "trade", text, factions=sorted({raider.owner, origin.owner, destination.owner}), node=raider.node
    )
    encounter: Encounter = new_encounter(
        state,
        EncounterKind.CONVOY,
        raider.node,
        attacker=Force(faction=raider.owner, fleets=[raider.id]),
        defender=Force(
            faction=origin.owner,
            fleets=escorts,
            merchants=[_merchant(state, route, origin) for _ in range(count)],
            origin=_before(route, origin, raider.node),
        ),
        key=(raider.number, route.number),
        cause=cause,
    )
    encounter.cargo, encounter.receiver, encounter.sender = hold, destination.id, origin.id
    return True


def _raider(state: CampaignState, route: Route, sender: str) -> Fleet | None:
    # Only an enemy of the sender attacks: neutral freighters are left alone even when the receiver is an enemy.
    return next((fleet for node in route.path for fleet in hostile_fleets_at(state, node, sender)), None)


def _before(route: Route, origin: Hub, node: str) -> str | None:
    """Place that the convoy comes from when it reaches a node."""
    path = route.path if route.path[0] == origin.id else route.path[::-1]
    place = path.index(node)
    return path[place - 1] if place > 0 else None


def _merchant(state: CampaignState, route: Route, origin: Hub) -> Ship:
    number = state.next_number("ship")
    return Ship(
        id=f"merchant-{number:04d}",
        number=number,
        name=f"{route.name} freighter {number}",
        class_id=ship_class("freighter").name,
        owner=origin.owner,
        home=origin.id,
    )
