"""Towns that cannot be: both tiers refuse their snapshots in the same words."""

from collections.abc import Callable

import pytest

from diorama.worlds.townlet.config.simulation import TownletConfig
from diorama.worlds.townlet.reference.simulation import TownletSimulation
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.facts import Chat
from diorama.worlds.townlet.reference.state.ledgers import ChurnWindow, ConflictNote, Departure
from diorama.worlds.townlet.reference.state.objects import QueueEntry
from diorama.worlds.townlet.reference.state.ties import Tie
from diorama.worlds.townlet.reference.state.town import Town
from tests.worlds.spoiled import Spoiled

NO_SUCH = 999
MISSING = "refers to something that is not in this town"


def _set(field: str, value: object) -> Callable[[Town], None]:
    """Set a field of the first citizen, or of a part of it."""

    def change(town: Town) -> None:
        *parts, name = field.split(".")
        holder: object = _first(town)
        for part in parts:
            holder = getattr(holder, part)
        setattr(holder, name, value)

    return change


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


def _lose_prices(town: Town) -> None:
    del town.economy.live[-1]


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
        pytest.param(_set("slot", NO_SUCH), MISSING, id="slot"),
        pytest.param(_set("profile", NO_SUCH), MISSING, id="profile"),
        pytest.param(_set("home", NO_SUCH), MISSING, id="home"),
        pytest.param(_set("plan.option", 8), MISSING, id="option"),
        pytest.param(_set("holding", 0), MISSING, id="holds-what-is-free"),
        pytest.param(_set("queued", 0), MISSING, id="waits-in-no-line"),
        pytest.param(_set("is_running", True), MISSING, id="does-nothing"),
        pytest.param(_do_nothing_known, MISSING, id="does-nothing-known"),
        pytest.param(_set("facts.chats", [Chat(NO_SUCH, 1.0)]), MISSING, id="talks-to-nobody"),
        pytest.param(_wait_twice, MISSING, id="waits-twice"),
        pytest.param(_hold_two, MISSING, id="holds-two"),
        pytest.param(_love_twice, MISSING, id="two-ties"),
        pytest.param(_share_a_number, MISSING, id="one-number-for-two"),
        pytest.param(_hurry, "spawn_delay_max is", id="delay-runs-backwards"),
        pytest.param(_forget_reasons, MISSING, id="churn"),
        pytest.param(_leave_for_nothing, MISSING, id="departure"),
        pytest.param(_quarrel_about_nothing, MISSING, id="conflict"),
        pytest.param(_lose_prices, "a list has 3 entries; it must have 4", id="prices"),
    ],
)
def test_a_town_that_cannot_be_is_refused_by_both_tiers(
    spoiled: Spoiled[TownletSimulation], spoil: Callable[[Town], None], words: str
) -> None:
    spoiled.assert_refused(lambda found: spoil(found.town), words)
