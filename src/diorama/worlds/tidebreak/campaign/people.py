"""Named people: who they are, what their offices do with them, and how posts are filled."""

from typing import Final

from diorama.numerics import clamp
from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.draws import Stream, choice, uniform
from diorama.worlds.tidebreak.campaign.fleets.strength import ship_class
from diorama.worlds.tidebreak.campaign.kinds import Role, Trait
from diorama.worlds.tidebreak.campaign.state import CampaignState, Fleet, Hub, Person, Ship
from diorama.worlds.tidebreak.campaign.sums import total
from diorama.worlds.tidebreak.codes import SizeClass, UnitKind

DEFAULT_SKILL: Final = 0.5
_GRUDGE_DECAY: Final = 0.01
_DISMISSAL_GRUDGE: Final = 0.5
_SECOND_TRAIT: Final = 0.4
_LATENCY_SWING: Final = 0.4
_COUP_SWING: Final = 0.6
_COUP_TRAITS: Final = {Trait.INTIMIDATING: -0.1, Trait.PARANOID: -0.1, Trait.RUTHLESS: 0.1, Trait.CHARISMATIC: -0.1}
_LATENCY_TRAITS: Final = {Trait.CAUTIOUS: 0.1, Trait.METICULOUS: 0.05, Trait.RECKLESS: -0.1, Trait.IMPROVISER: -0.05}


def new_person(state: CampaignState, faction_id: str, role: Role, post: str) -> Person:
    """Bring somebody into the story and into office; all of it is drawn from the person's number."""
    number = state.next_number("person")
    names = tables().people

    def skill(k: int) -> float:
        total = uniform(state, Stream.PEOPLE, number, 0, k) + uniform(state, Stream.PEOPLE, number, 1, k)
        return 0.15 + 0.35 * total  # mean 0.5, from 0.15 to 0.85

    traits = [list(Trait)[choice(state, Stream.PEOPLE, number, 2, 0, len(Trait))]]
    second = list(Trait)[choice(state, Stream.PEOPLE, number, 2, 1, len(Trait))]
    if uniform(state, Stream.PEOPLE, number, 2, 2) < _SECOND_TRAIT and second not in traits:
        traits.append(second)
    given = names.given[choice(state, Stream.PEOPLE, number, 3, 0, len(names.given))]
    family = names.family[choice(state, Stream.PEOPLE, number, 3, 1, len(names.family))]
    person = Person(
        number=number,
        name=f"{given} {family}",
        faction=faction_id,
        role=role,
        post=post,
        command=skill(0),
        operations=skill(1),
        engineering=skill(2),
        intelligence=skill(3),
        politics=skill(4),
        traits=traits,
        loyalty=skill(5),
        ambition=skill(6),
    )
    state.people.append(person)
    return person


def appoint(state: CampaignState, faction_id: str, role: Role, post: str) -> Person:
    """Fill a post: the best of those who wait for an office, if they bear no grudge, else somebody new."""
    pool = [p for p in state.people if p.faction is None and p.grudges.get(faction_id, 0.0) <= 0.0]
    if not pool:
        return new_person(state, faction_id, role, post)
    best = max(pool, key=lambda person: (person.command + person.politics, -person.number))
    best.faction, best.role, best.post = faction_id, role, post
    return best


def dismiss(state: CampaignState, person: Person) -> None:
    """Take somebody out of office; they will remember it."""
    if person.faction is not None:
        person.grudges[person.faction] = person.grudges.get(person.faction, 0.0) + _DISMISSAL_GRUDGE
    release(state, person.number)


def release(state: CampaignState, number: int | None) -> None:
    """Send somebody without an office into the pool."""
    person = state.find_person(number)
    if person is not None:
        vacate(state, person)
        person.faction, person.role, person.post = None, Role.NONE, None


def bury(state: CampaignState, number: int | None) -> None:
    """Take the dead out of the story."""
    person = state.find_person(number)
    if person is not None:
        vacate(state, person)
        state.people.remove(person)


def vacate(state: CampaignState, person: Person) -> None:
    """Leave nobody pointing at a person."""
    for ship in state.ships.values():
        ship.captain = None if ship.captain == person.number else ship.captain
    for fleet in state.fleets:
        fleet.commander = None if fleet.commander == person.number else fleet.commander
    for hub in state.hubs:
        hub.governor = None if hub.governor == person.number else hub.governor
    for faction in state.factions:
        faction.leader = None if faction.leader == person.number else faction.leader


def fill_posts(state: CampaignState) -> None:
    """Give every office a holder, and let grudges fade."""
    for person in state.people:
        for faction_id in sorted(person.grudges):
            person.grudges[faction_id] = clamp(person.grudges[faction_id] - _GRUDGE_DECAY, 0.0, 1.0)
    for faction in state.standing:
        if state.find_person(faction.leader) is None:
            faction.leader = appoint(state, faction.id, Role.LEADER, faction.id).number
    for hub in state.hubs:
        if state.find_person(hub.governor) is None:
            hub.governor = appoint(state, hub.owner, Role.GOVERNOR, hub.id).number
    for fleet in state.fleets:
        if state.find_person(fleet.commander) is None:
            fleet.commander = appoint(state, fleet.owner, Role.COMMANDER, fleet.id).number
        for ship in state.ships_of(fleet):
            if has_captain(ship) and state.find_person(ship.captain) is None:
                ship.captain = appoint(state, ship.owner, Role.CAPTAIN, ship.id).number


def has_captain(ship: Ship) -> bool:
    """Whether a ship is large enough for a captain with a name."""
    row = ship_class(ship.class_id)
    return row.kind is UnitKind.SHIP and row.size is not SizeClass.S


def manager_competence(state: CampaignState, hub: Hub) -> float:
    """How well a hub's plants are run."""
    governor = state.find_person(hub.governor)
    return DEFAULT_SKILL if governor is None else governor.operations


def captain_command(state: CampaignState, ship: Ship, fleet: Fleet | None) -> float:
    """Command of a ship: its captain's, else its fleet commander's, else ordinary."""
    captain = state.find_person(ship.captain) or state.find_person(None if fleet is None else fleet.commander)
    return DEFAULT_SKILL if captain is None else captain.command


def latency_factor(state: CampaignState, hub: Hub) -> float:
    """How much longer or shorter a governor lets deliberations take, within a fifth."""
    governor = state.find_person(hub.governor)
    if governor is None:
        return 1.0
    swing = _LATENCY_SWING * (0.5 - governor.politics) + total(
        _LATENCY_TRAITS.get(trait, 0.0) for trait in governor.traits
    )
    return 1.0 + clamp(swing, -0.2, 0.2)


def coup_factor(state: CampaignState, hub: Hub) -> float:
    """How much likelier or rarer a governor makes a coup, within three tenths."""
    governor = state.find_person(hub.governor)
    if governor is None:
        return 1.0
    swing = _COUP_SWING * (0.5 - governor.loyalty) + total(_COUP_TRAITS.get(trait, 0.0) for trait in governor.traits)
    return 1.0 + clamp(swing, -0.3, 0.3)
