"""Commands about prices, utilities and perturbations."""

from typing import Annotated, Final, Literal

from pydantic import Field

from diorama.contracts.live.commands import Arguments, Command
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import JsonObject
from diorama.worlds.townlet.codes import ENDLESS, PerturbationKind, Price, Utility, word
from diorama.worlds.townlet.config.checks import wage_ratio
from diorama.worlds.townlet.config.economy import PRICE_KEYS, basket_cost
from diorama.worlds.townlet.reference.console.finding import id_of, the_citizen, the_zone
from diorama.worlds.townlet.reference.state.perturbations import CityEvent
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.perturbations.effects import prices_in
from diorama.worlds.townlet.reference.systems.perturbations.manual import Wish, cancel_event, schedule_manual
from diorama.worlds.townlet.reference.systems.prices import set_baseline

Ticks = Annotated[int, Field(ge=1, le=1000000)]


class NoArguments(Arguments):
    """Nothing."""


class PriceArguments(Arguments):
    """Which price becomes what."""

    key: str
    value: float = Field(ge=0.0, le=1e6)


class UtilityArguments(Arguments):
    """What is turned on or off, and for how long; without a duration until it is turned on again."""

    utility: Literal["power", "water"]
    state: Literal["on", "off"]
    duration: Ticks | None = None


class TriggerArguments(Arguments):
    """What happens, and what is special about it."""

    spec: str
    starts_in: int = Field(default=0, ge=0, le=1000000)
    duration: Ticks | None = None
    targets: list[str] | None = None
    magnitude: float | None = Field(default=None, gt=0.0, le=100.0)
    location: str | None = None


class MeetArguments(Arguments):
    """Who is asked to meet, where and when."""

    agents: list[str] = Field(min_length=2)
    zone: str = "cafe"
    starts_in: int = Field(default=0, ge=0, le=1000000)
    duration: Ticks = 150


class CancelArguments(Arguments):
    """Which event is cancelled."""

    event_id: str


def event_block(town: Town, event: CityEvent) -> JsonObject:
    """An event as it is told."""
    return {
        "event_id": f"evt_{event.number}",
        "spec": town.tables.perturbations[event.spec].name,
        "kind": word(PerturbationKind(event.kind)),
        "started_at": event.started_at,
        "ends_at": None if event.ends_at >= ENDLESS else event.ends_at,
        "magnitude": event.magnitude,
        "targets": [id_of(town, seat) for seat in event.participants]
        or [PRICE_KEYS[price] for price in prices_in(event)],
        "manual": event.is_manual,
    }


def perturbation_block(town: Town) -> JsonObject:
    """The state of the scheduler as it is told."""
    state = town.perturbations
    windows = [sum(start.bucket == bucket for start in state.starts) for bucket in range(len(town.tables.buckets))]
    return {
        "active": {f"evt_{event.number}": event_block(town, event) for event in state.active},
        "pending": [event_block(town, event) for event in state.pending],
        "cooldowns": {
            "specs": {
                row.name: state.ready_ticks[row.index]
                for row in town.tables.perturbations
                if state.ready_ticks[row.index] > town.tick
            },
            "agents": {
                str(id_of(town, citizen.seat)): citizen.meet_ready_tick
                for citizen in town.living()
                if citizen.meet_ready_tick > town.tick
            },
        },
        "windows": dict(zip(town.tables.buckets, windows, strict=True)),
        "fairness_gini": gini([citizen.tally.selections for citizen in town.living()]),
    }


def gini(counts: list[int]) -> float:
    """Gini coefficient of counts: 0 where all are equal."""
    total = sum(counts)
    if total == 0:
        return 0.0
    ordered = sorted(counts)
    weighted = sum((place + 1) * count for place, count in enumerate(ordered))
    return 2.0 * weighted / (len(ordered) * total) - (len(ordered) + 1.0) / len(ordered)


def _price(town: Town, given: PriceArguments) -> JsonObject:
    if given.key not in PRICE_KEYS:
        raise CommandError("not_found", "unknown_price", f"there is no price {given.key!r}: {', '.join(PRICE_KEYS)}")
    price = Price(PRICE_KEYS.index(given.key))
    set_baseline(town, price, given.value)
    basket = basket_cost(town.economy.live)
    ratios = [
        wage_ratio(job.end - job.start, job.wage_rate or town.config.economy.wage_income, basket)
        for job in town.tables.jobs
    ]
    least = min(ratios, default=None)
    return {
        "baseline": town.economy.baselines[price],
        "live": town.economy.live[price],
        "basket": basket,
        "basket_ratio": None if least is None or least == float("inf") else least,
    }


def _utility(town: Town, given: UtilityArguments) -> JsonObject:
    utility = Utility[given.utility.upper()]
    event_id: str | None = None
    if given.state == "on":
        for event in (*town.perturbations.active, *town.perturbations.pending):
            if event.utility == utility:
                cancel_event(town, f"evt_{event.number}")
    else:
        row = next((row for row in town.tables.perturbations if row.utility == utility), None)
        if row is None:
            raise CommandError("not_found", "unknown_spec", f"no perturbation turns the {given.utility} off")
        event = schedule_manual(town, row.name, Wish(duration=given.duration or ENDLESS))
        event_id = f"evt_{event.number}"
    return {"utility": given.utility, "state": given.state, "event_id": event_id}


def _trigger(town: Town, given: TriggerArguments) -> JsonObject:
    wish = Wish(
        starts_in=given.starts_in,
        duration=given.duration,
        targets=given.targets,
        magnitude=given.magnitude,
        location=given.location,
    )
    return event_block(town, schedule_manual(town, given.spec, wish))


def _arrange_meet(town: Town, given: MeetArguments) -> JsonObject:
    for wanted in given.agents:
        the_citizen(town, wanted)
    the_zone(town, given.zone)
    row = next((row for row in town.tables.perturbations if row.kind is PerturbationKind.ARRANGED_MEET), None)
    if row is None:
        raise CommandError("not_found", "unknown_spec", "no perturbation arranges meetings")
    wish = Wish(starts_in=given.starts_in, duration=given.duration, targets=given.agents, location=given.zone)
    return event_block(town, schedule_manual(town, row.name, wish))


def _cancel(town: Town, given: CancelArguments) -> JsonObject:
    return {"cancelled": event_block(town, cancel_event(town, given.event_id))}


def _queue(town: Town, _: NoArguments) -> JsonObject:
    return perturbation_block(town)


COMMANDS: Final = (
    Command(
        name="price",
        role="admin",
        needs_id=True,
        summary="Set the baseline of a price.",
        arguments=PriceArguments,
        run=_price,
    ),
    Command(
        name="utility",
        role="admin",
        needs_id=True,
        summary="Turn power or water off or on.",
        arguments=UtilityArguments,
        run=_utility,
    ),
    Command(
        name="perturbation_queue",
        role="admin",
        needs_id=False,
        summary="Show running and planned events.",
        arguments=NoArguments,
        run=_queue,
    ),
    Command(
        name="perturbation_trigger",
        role="admin",
        needs_id=True,
        summary="Plan an event.",
        arguments=TriggerArguments,
        run=_trigger,
    ),
    Command(
        name="perturbation_cancel",
        role="admin",
        needs_id=True,
        summary="Cancel an event.",
        arguments=CancelArguments,
        run=_cancel,
    ),
    Command(
        name="arrange_meet",
        role="admin",
        needs_id=True,
        summary="Ask citizens to meet.",
        arguments=MeetArguments,
        run=_arrange_meet,
    ),
)
