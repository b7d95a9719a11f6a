"""Arrivals: replacements, the first population, and whoever an operator sends."""

from dataclasses import dataclass

from diorama.numerics import clamp
from diorama.worlds.townlet.codes import NOBODY, NOTHING, Price
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.names import agent_id
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.ledgers import Ticket
from diorama.worlds.townlet.reference.state.town import CustomName, Town
from diorama.worlds.townlet.reference.systems.embedding import allocate, has_free_slot
from diorama.worlds.townlet.reference.systems.hiring import begin_employment, scarcest_job
from diorama.worlds.townlet.reference.systems.presence import stand_tile
from diorama.worlds.townlet.tables.manifest import CORE_ITEMS
from diorama.worlds.townlet.tables.personalities import profile_names

RENTS_IN_WALLET = 1.5
_FOOD_RAW = CORE_ITEMS.index("food_raw")


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """Who comes, as far as that is not left to the town: None means as for anybody else.

    Attributes:
        agent_id: Id; the next generated one unless given.
        job: Index of a job, -1 for none.
        profile: Index of a profile; drawn unless given.
        home: Zone to live in; that of the first free bed unless given.
        draws_job: Whether chance decides about a job, as for replacements.
        replaces: Number of the citizen who left, -1 for nobody.
    """

    agent_id: str | None = None
    display_name: str | None = None
    tile: int | None = None
    needs: tuple[float, float, float] | None = None
    wallet: float | None = None
    food_raw: int | None = None
    job: int | None = None
    profile: int | None = None
    home: int | None = None
    draws_job: bool = False
    replaces: int = NOBODY


def spawn_replacements(town: Town) -> None:
    """Let replacements in that are due, in due order; who finds no place waits for the next tick."""
    tickets = town.lifecycle.tickets
    for ticket in sorted((ticket for ticket in tickets if ticket.due_tick <= town.tick), key=_due):
        tile = free_spawn_tile(town)
        if tile == NOTHING or free_seat(town) == NOTHING or free_bed(town, None) == NOTHING:
            return
        if not has_free_slot(town):
            _tell_exhaustion(town)
            return
        tickets.remove(ticket)
        spawn(town, Arrival(tile=tile, draws_job=True, replaces=ticket.replaces))


def populate(town: Town, arrivals: tuple[Arrival, ...]) -> None:
    """Let the first population in, seat by seat: everybody at home, with jobs dealt out in order."""
    for seat, arrival in enumerate(arrivals):
        spawn(town, arrival, initial_job=seat % len(town.tables.jobs) if town.tables.jobs else NOTHING)


def spawn(town: Town, arrival: Arrival, *, initial_job: int | None = None) -> Citizen:
    """Let a citizen in; there must be a free seat, a free bed and a free slot.

    Draws from `world`: profile (unless given), three trait jitters, job (replacements), lifespan (if there is one).
    """
    seat, bed = free_seat(town), free_bed(town, arrival.home)
    number = town.next_number
    town.next_number += 1
    if arrival.agent_id is not None:
        town.custom_names[number] = CustomName(arrival.agent_id, arrival.display_name or arrival.agent_id)
    profile = _draw_profile(town, arrival, number)
    citizen = Citizen(
        number=number,
        seat=seat,
        slot=allocate(town, number),
        profile=profile,
        traits=_draw_traits(town, profile),
        home=town.tables.objects[bed].zone,
        bed=bed,
        spawn_tick=town.tick,
        needs=list(arrival.needs or town.config.world.initial_needs.values),
        wallet=RENTS_IN_WALLET * town.economy.live[Price.RENT] if arrival.wallet is None else arrival.wallet,
        inventory=[0] * len(town.tables.items),
        job=_draw_job(town, arrival, initial_job),
    )
    citizen.inventory[_FOOD_RAW] = 1 if arrival.food_raw is None else arrival.food_raw
    citizen.decline.lifespan_days = _draw_lifespan(town)
    citizen.tile = stand_tile(town, citizen.home, seat * 3) if arrival.tile is None else arrival.tile
    town.occupancy[citizen.tile] += 1
    town.objects[bed].owner = seat
    town.seats[seat] = citizen
    begin_employment(town, citizen)
    town.record(
        EventKind.AGENT_SPAWN,
        number,
        number,
        citizen.tile,
        profile,
        citizen.job,
        citizen.slot,
        arrival.replaces,
    )
    return citizen


def free_seat(town: Town) -> int:
    """The lowest free seat, -1 for none; one that was left in the last tick is seen empty once before it is taken."""
    vacated = town.lifecycle.vacated
    return next(
        (seat for seat, citizen in enumerate(town.seats) if citizen is None and town.tick - vacated[seat] > 1), NOTHING
    )


def free_bed(town: Town, home: int | None) -> int:
    """The first bed without an owner, of a home if one is given; -1 for none."""
    return next(
        (
            bed
            for bed in town.tables.beds
            if town.objects[bed].owner == NOBODY and home in (None, town.tables.objects[bed].zone)
        ),
        NOTHING,
    )


def free_spawn_tile(town: Town) -> int:
    """The first spawn tile nobody stands on, -1 for none."""
    return next((tile for tile in town.tables.map.spawn_tiles if not town.occupancy[tile]), NOTHING)


def _due(ticket: Ticket) -> int:
    return ticket.due_tick


def _tell_exhaustion(town: Town) -> None:
    if not town.lifecycle.pool_exhausted_told:
        town.lifecycle.pool_exhausted_told = True
        town.record(EventKind.EMBEDDING_POOL_EXHAUSTED)


def _draw_profile(town: Town, arrival: Arrival, number: int) -> int:
    if arrival.profile is not None:
        return arrival.profile
    names = profile_names()
    fixed = town.config.personalities.overrides.get(agent_id(town, number))
    chosen = town.streams.world.choice_weighted(town.config.personalities.distribution) if fixed is None else fixed
    return names.index(chosen)


def _draw_traits(town: Town, profile: int) -> list[float]:
    jitter = town.config.personalities.trait_jitter
    return [
        clamp(trait + town.streams.world.uniform(-jitter, jitter), -1.0, 1.0)
        for trait in town.tables.profiles[profile].traits
    ]


def _draw_job(town: Town, arrival: Arrival, initial_job: int | None) -> int:
    if arrival.job is not None:
        return arrival.job
    if initial_job is not None:
        return initial_job
    if not arrival.draws_job:
        return scarcest_job(town)
    is_assigned = town.streams.world.f64() < town.config.employment.job_preassign_prob
    return scarcest_job(town) if is_assigned else NOTHING


def _draw_lifespan(town: Town) -> int:
    rule = town.config.lifecycle.age_out
    return town.streams.world.randint_inclusive(rule.min_days, rule.max_days) if rule.enabled else 0
