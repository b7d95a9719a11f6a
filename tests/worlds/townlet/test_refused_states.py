"""Towns that cannot be: both tiers refuse their snapshots in the same words."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from diorama.snapshots import LARGEST_NUMBER
from diorama.worlds.townlet.codes import NOTHING, EvictionReason
from diorama.worlds.townlet.config.happenings import Perturbations
from diorama.worlds.townlet.config.simulation import TownletConfig
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.simulation import TownletSimulation
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.employment import ExitEntry
from diorama.worlds.townlet.reference.state.facts import Chat
from diorama.worlds.townlet.reference.state.ledgers import ChurnWindow, ConflictNote, Departure, SocialNote
from diorama.worlds.townlet.reference.state.objects import QueueEntry
from diorama.worlds.townlet.reference.state.perturbations import CityEvent
from diorama.worlds.townlet.reference.state.ties import Tie
from diorama.worlds.townlet.reference.state.town import Town
from tests.worlds.spoiled import Spoiled

NO_SUCH = 999
WHO = "the citizen on seat 0"


def _set(field: str, value: object) -> Callable[[Town], None]:
    """Set a field of the first citizen, or of a part of it."""
    return lambda town: _put(_first(town), field, value)


def _keep(field: str, value: object) -> Callable[[Town], None]:
    """Set a field of the town, or of a part of it."""
    return lambda town: _put(town, field, value)


def _put(holder: object, field: str, value: object) -> None:
    *parts, name = field.split(".")
    setattr(_part(holder, parts), name, value)


def _part(holder: Any, path: Sequence[str]) -> Any:
    """Go inside by the names of fields and the places of lists."""
    for part in path:
        holder = holder[int(part)] if part.isdecimal() else getattr(holder, part)
    return holder


def _first(town: Town) -> Citizen:
    return next(iter(town.living()))


def _wait_twice(town: Town) -> None:
    citizen = _first(town)
    citizen.queued = 0
    town.objects[0].queue = [QueueEntry(citizen.seat, 0)] * 2


def _hold_two(town: Town) -> None:
    citizen = _first(town)
    citizen.holding = 0
    town.objects[0].holder = town.objects[1].holder = citizen.seat


def _do_nothing_known(town: Town) -> None:
    citizen = _first(town)
    citizen.holding, citizen.is_running = 0, True
    town.objects[0].holder = citizen.seat


def _never_end(town: Town) -> None:
    _do_nothing_known(town)
    town.objects[0].running, town.objects[0].remaining = 0, 0


def _be_paid_for_nothing(town: Town) -> None:
    citizen = _first(town)
    citizen.job, citizen.facts.first_paid_arrival = NOTHING, 0


def _love_nobody(town: Town) -> None:
    _first(town).ties.append(Tie(other=15))


def _love_twice(town: Town) -> None:
    first, second, *_ = town.living()
    first.ties = [Tie(second.seat), Tie(second.seat)]


def _share_a_number(town: Town) -> None:
    first, second, *_ = town.living()
    second.number, second.slot = first.number, first.slot


def _hurry(town: Town) -> None:
    town.rules.spawn_delay_min = town.rules.spawn_delay_max + 1


def _forget_reasons(town: Town) -> None:
    town.social.churn = [ChurnWindow(0, [0], [0] * len(town.seats))]


def _leave_for_nothing(town: Town) -> None:
    town.lifecycle.departures = [Departure(1, 6, 0, 0.0, 0.0)]


def _quarrel_about_nothing(town: Town) -> None:
    town.social.conflicts = [ConflictNote(0, NO_SUCH, 1, 2, 0, 0.0)]


def _share_a_seat(town: Town) -> None:
    first, second, *_ = town.living()
    second.seat = first.seat


def _hold_and_wait(town: Town) -> None:
    citizen = _first(town)
    citizen.holding, citizen.queued = 0, 1
    town.objects[0].holder = citizen.seat
    town.objects[1].queue = [QueueEntry(citizen.seat, 0)]


def _run_by_itself(town: Town) -> None:
    town.objects[2].running = 0


def _wait_for_the_end(town: Town) -> None:
    town.employment.queue = [ExitEntry(NO_SUCH, 0)]


def _let_go(town: Town) -> None:
    town.employment.approvals = [NO_SUCH]


def _happen(**fields: Any) -> Callable[[Town], None]:
    def change(town: Town) -> None:
        event = CityEvent(number=4, spec=0, kind=0, started_at=0, ends_at=9)
        town.perturbations.pending = [replace(event, **fields)]

    return change


def _use(**fields: Any) -> Callable[[Town], None]:
    def change(town: Town) -> None:
        town.objects[0] = replace(town.objects[0], **fields)

    return change


def _quarrel_for_nothing(town: Town) -> None:
    town.social.conflicts = [ConflictNote(0, 0, 1, 2, -1, 0.0)]


def _tell_nothing(town: Town) -> None:
    town.social.notes = [SocialNote(0, NO_SUCH, 0, 1, 0.5)]


def _rest_once_more(town: Town) -> None:
    town.perturbations.ready_ticks.append(0)


@pytest.fixture(scope="module")
def spoiled() -> Spoiled[TownletSimulation]:
    config = TownletConfig()
    simulation = TownletSimulation(config)
    simulation.reset(5)
    return Spoiled("townlet", config, simulation)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        pytest.param(_set("shift.state", 7), "shift state is 7; it must be 0 to 6", id="shift"),
        pytest.param(_set("facts.exit_reason", 6), "exit_reason is 6; it must be -1 to 5", id="exit-reason"),
        pytest.param(_set("wallet", float("inf")), "wallet is inf; it must be", id="wallet"),
        pytest.param(_set("needs", [1.5, 0.5, 0.5]), "a need is 1.5; it must be 0", id="need"),
        pytest.param(_set("needs", [0.5]), "a list has 1 entries; it must have 3", id="needs"),
        pytest.param(_set("tally.attempts", 1 << 62), "attempts is 4611686018427387904; it must be", id="uncountable"),
        pytest.param(_set("seat", NO_SUCH), "a citizen: seat is 999; it must be 0 to 15$", id="seat"),
        pytest.param(_share_a_seat, "two citizens have the seat 0; each must have its own", id="one-seat-for-two"),
        pytest.param(_set("tile", NO_SUCH * 9), f"{WHO}: tile is 8991; it must be 0 to 2303$", id="tile"),
        pytest.param(_set("job", 7), f"{WHO}: job is 7; it must be -1 to 3$", id="job"),
        pytest.param(_set("slot", NO_SUCH), f"{WHO}: slot is 999; it must be 0 to 63$", id="slot"),
        pytest.param(_set("profile", NO_SUCH), f"{WHO}: profile is 999; it must be 0 to ", id="profile"),
        pytest.param(_set("home", NO_SUCH), f"{WHO}: home is 999; it must be 0 to ", id="home"),
        pytest.param(_set("bed", -1), f"{WHO}: bed is -1; it must be 0 to ", id="bed"),
        pytest.param(_set("appointment.zone", -2), f"{WHO}: zone of the appointment is -2; it must be -1", id="zone"),
        pytest.param(_set("plan.option", 8), f"{WHO}: option is 8; it must be 0 to 7$", id="option"),
        pytest.param(_set("holding", NO_SUCH), f"{WHO}: holding is 999; it must be -1 to ", id="holds-no-object"),
        pytest.param(
            _set("holding", 0),
            "object 0: holder is -1 and holding of the citizen on seat 0 is 0; each must name the other$",
            id="holds-what-is-free",
        ),
        pytest.param(
            _set("queued", 0),
            "object 0: seat 0 stands in the queue 0 times; it must be 1, since queued of that citizen is 0$",
            id="waits-in-no-line",
        ),
        pytest.param(_set("is_running", True), f"{WHO}: holding is -1; it must be 0 to ", id="does-nothing"),
        pytest.param(
            _do_nothing_known,
            f"{WHO} is using object 0, whose running is -1; it must be an affordance$",
            id="does-nothing-known",
        ),
        pytest.param(
            _set("facts.chats", [Chat(NO_SUCH, 1.0)]),
            f"{WHO}: other of a chat is 999; it must be 0 to 15$",
            id="talks-to-nobody",
        ),
        pytest.param(_wait_twice, "object 0: seat 0 stands in the queue 2 times; it must be 1, ", id="waits-twice"),
        pytest.param(
            _hold_two, "object 1: holder is 0 and holding of the citizen on seat 0 is 0; each must", id="holds-two"
        ),
        pytest.param(_hold_and_wait, f"{WHO}: queued is 1; it must be -1$", id="holds-and-waits"),
        pytest.param(_love_nobody, f"{WHO}: other of a tie is 15; it must be a seat where somebody is$", id="no-tie"),
        pytest.param(_love_twice, f"{WHO}: other of a tie is 1; it must be somebody else in every tie$", id="two-ties"),
        pytest.param(
            _set("ties", [Tie(NO_SUCH)]),
            f"{WHO}: other of a tie is 999; it must be a seat where somebody is$",
            id="no-tie",
        ),
        pytest.param(
            _share_a_number, "two citizens have the number 0; each must have its own$", id="one-number-for-two"
        ),
        pytest.param(_hurry, "spawn_delay_max is", id="delay-runs-backwards"),
        pytest.param(
            _run_by_itself, "object 2, which nobody is using: running is 0; it must be -1$", id="runs-by-itself"
        ),
        pytest.param(
            _wait_for_the_end, "the exit queue: a seat is 999; it must be a seat where somebody is$", id="exit-queue"
        ),
        pytest.param(
            _let_go, "the approved exits: a seat is 999; it must be a seat where somebody is$", id="approved-exits"
        ),
        pytest.param(_happen(spec=NO_SUCH), "city event 4: spec is 999; it must be 0 to ", id="event-of-no-kind"),
        pytest.param(_happen(utility=2), "city event 4: utility is 2; it must be -1 to 1$", id="event-of-no-utility"),
        pytest.param(
            _happen(participants=[-1]),
            "city event 4: a participant is -1; it must be a seat where somebody is$",
            id="event-of-nobody",
        ),
        pytest.param(_forget_reasons, "by_reason has 1 entries; it must have 3$", id="churn"),
        pytest.param(_leave_for_nothing, "a departure: reason is 6; it must be 0 to 5$", id="departure"),
        pytest.param(_quarrel_about_nothing, "a conflict: object is 999; it must be 0 to ", id="conflict"),
        pytest.param(_set("number", NO_SUCH), f"{WHO}: number is 999; it must be 0 to 7$", id="number-not-given-yet"),
        pytest.param(_set("slot", 63), f"{WHO}: slot 63 is held by number -1; it must be 0$", id="slot-of-nobody"),
        pytest.param(_set("slot", 1), f"{WHO}: slot 1 is held by number 1; it must be 0$", id="slot-of-another"),
        pytest.param(
            _set("decline.deferred_reason", 6),
            f"{WHO}: deferred_reason is 6; it must be -1 to 5$",
            id="deferred-reason",
        ),
        pytest.param(
            _set("possessed_primitive", 12),
            f"{WHO}: possessed_primitive is 12; it must be -1 to 11$",
            id="possessed-primitive",
        ),
        pytest.param(
            _set("last_primitive", -1), f"{WHO}: last_primitive is -1; it must be 0 to 11$", id="last-primitive"
        ),
        pytest.param(_set("plan.goal", 2304), f"{WHO}: goal is 2304; it must be -1 to 2303$", id="goal"),
        pytest.param(_set("meal_zone", 9), f"{WHO}: meal_zone is 9; it must be -1 to 8$", id="meal-zone"),
        pytest.param(
            _use(holder=NO_SUCH), "object 0: holder is 999; it must be a seat where somebody is$", id="held-by-nobody"
        ),
        pytest.param(_use(owner=16), "object 0: owner is 16; it must be -1 to 15$", id="owner"),
        pytest.param(
            _use(queue=[QueueEntry(15, 0)]),
            "object 0: a seat in the queue is 15; it must be a seat where somebody is$",
            id="nobody-waits",
        ),
        pytest.param(_happen(kind=4), "city event 4: kind is 4; it must be 0 to 3$", id="kind-of-event"),
        pytest.param(_happen(zone=9), "city event 4: zone is 9; it must be -1 to 8$", id="zone-of-event"),
        pytest.param(
            _keep("economy.outages", [-1, 0]),
            f"the town: outages of power is -1; it must be 0 to {LARGEST_NUMBER}$",
            id="power",
        ),
        pytest.param(
            _keep("economy.outages", [0, -1]),
            f"the town: outages of water is -1; it must be 0 to {LARGEST_NUMBER}$",
            id="water",
        ),
        pytest.param(
            _be_paid_for_nothing,
            f"{WHO}: first_paid_arrival is 0; it must be -9007199254740992 to -1$",
            id="paid-for-no-job",
        ),
        pytest.param(_never_end, f"object 0: remaining is 0; it must be 1 to {LARGEST_NUMBER}$", id="never-ends"),
        pytest.param(_keep("tick", -1), f"the town: tick is -1; it must be 0 to {LARGEST_NUMBER}$", id="tick"),
        pytest.param(
            _keep("next_number", -1),
            f"the town: next_number is -1; it must be 0 to {LARGEST_NUMBER}$",
            id="next-number",
        ),
        pytest.param(
            _keep("rules.spawn_delay_min", -1),
            f"the town: spawn_delay_min is -1; it must be 0 to {LARGEST_NUMBER}$",
            id="delay-before-now",
        ),
        pytest.param(_rest_once_more, "ready_ticks has 5 entries; it must have 4$", id="ready-ticks"),
        pytest.param(_tell_nothing, f"a social note: kind is 999; it must be 0 to {max(EventKind)}$", id="social-note"),
        pytest.param(_quarrel_for_nothing, "a conflict: reason is -1; it must be 0 to 1$", id="reason-of-conflict"),
    ],
)
def test_a_town_that_cannot_be_is_refused_by_both_tiers(
    spoiled: Spoiled[TownletSimulation], spoil: Callable[[Town], None], words: str
) -> None:
    spoiled.assert_refused_alike(lambda found: spoil(found.town), words)


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("objects", "the list of objects"),
        ("objects.0.stock", "object 0: stock"),
        ("objects.3.cooldowns", "object 3: cooldowns"),
        ("seats.0.inventory", f"{WHO}: inventory"),
        ("seats.0.traits", "a list"),
        ("seats.0.needs", "a list"),
        ("seats.0.decline.neglect", "a list"),
        ("seats.0.fitness.returns", "a list"),
        ("seats.0.fitness.deficits", "a list"),
        ("seats.0.fitness.ticks", "a list"),
        ("seats.0.fitness.violations", "a list"),
        ("economy.baselines", "a list"),
        ("economy.live", "a list"),
        ("economy.outages", "a list"),
        ("lifecycle.vacated", "vacated"),
        ("embedding.holders", "holders"),
        ("embedding.released", "released"),
        ("perturbations.ready_ticks", "ready_ticks"),
        ("social.meal_ticks", "meal_ticks"),
        ("social.churn.0.by_reason", "by_reason"),
        ("social.churn.0.by_owner", "by_owner"),
        ("kpis.well_ticks", "well_ticks"),
        ("kpis.lived_ticks", "lived_ticks"),
        ("kpis.hungry_streaks", "hungry_streaks"),
        ("kpis.conflict_pairs", "conflict_pairs"),
    ],
)
def test_a_town_whose_lists_are_too_short_is_refused_by_both_tiers(
    spoiled: Spoiled[TownletSimulation], field: str, name: str
) -> None:
    def shorten(found: TownletSimulation) -> None:
        found.town.social.churn = [ChurnWindow(0, [0] * len(EvictionReason), [0] * len(found.town.seats))]
        del _part(found.town, field.split("."))[-1]

    spoiled.assert_refused_alike(shorten, rf"{name} has \d+ entries; it must have \d+$")


def test_a_town_without_perturbations_has_no_city_events() -> None:
    config = TownletConfig(perturbations=Perturbations(events={}))
    simulation = TownletSimulation(config)
    simulation.reset(5)

    Spoiled("townlet", config, simulation).assert_refused_alike(
        lambda found: _happen()(found.town),
        "city event 4: this town has no perturbations; there must be no city events$",
    )
