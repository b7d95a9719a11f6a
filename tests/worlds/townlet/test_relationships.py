import pytest

from diorama.worlds.townlet.codes import RelationEvent
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state import Citizen, Town
from diorama.worlds.townlet.reference.systems.conflicts import avoid_threshold, avoids
from diorama.worlds.townlet.reference.systems.meals import share_meal
from diorama.worlds.townlet.reference.systems.talking import chat_quality, listener_for, talk
from diorama.worlds.townlet.reference.systems.ties import (
    STRANGER,
    Delta,
    apply_event,
    change_tie,
    fade_ties,
    forget,
    rivalry_now,
    set_tie,
    tie_to,
)
from tests.worlds.townlet.towns import SOCIAL, obj, of_kind, put, put_at, town_of


@pytest.fixture
def town() -> Town:
    return town_of(SOCIAL, population=8)


def _pair(town: Town) -> tuple[Citizen, Citizen]:
    first, second, *_ = town.living()
    put(town, first, 41, 27)
    put(town, second, 42, 28)
    return first, second


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (RelationEvent.SHARED_MEAL, (0.10, 0.25, 0.0)),
        (RelationEvent.QUEUE_POLITE, (0.05, 0.05, 0.0)),
        (RelationEvent.CHAT_FAILURE, (0.0, -0.05, 0.05)),
        (RelationEvent.EMPLOYMENT_HELP, (0.20, 0.10, 0.0)),
        (RelationEvent.EMPLOYMENT_SHIFT_TAKEN, (-0.10, 0.0, 0.30)),
        (RelationEvent.APPOINTMENT_KEPT, (0.05, 0.10, 0.0)),
    ],
)
def test_events_change_both_directions(town: Town, event: RelationEvent, expected: tuple[float, ...]) -> None:
    first, second = _pair(town)

    apply_event(town, first, second, event)

    for owner, other in ((first, second), (second, first)):
        tie = tie_to(owner, other.seat)
        assert (tie.trust, tie.familiarity, tie.rivalry) == expected


def test_personality_softens_harm_and_sharpens_rivalry(town: Town) -> None:
    first, second = _pair(town)
    first.traits = [0.5, 0.5, 1.0]

    apply_event(town, first, second, RelationEvent.EMPLOYMENT_SHIFT_TAKEN)

    tie = tie_to(first, second.seat)
    assert tie.trust == pytest.approx(-0.10 * 0.75)
    assert tie.rivalry == pytest.approx(0.30 * 0.75 * 1.3)
    assert tie_to(second, first.seat).rivalry == pytest.approx(0.30)


def test_nothing_is_felt_while_relationships_are_off() -> None:
    town = town_of(population=2)
    first, second = town.living()

    apply_event(town, first, second, RelationEvent.SHARED_MEAL)

    assert not first.ties


def test_rivalry_fades_in_a_straight_line_and_is_not_rebased_by_other_changes(town: Town) -> None:
    first, second = _pair(town)
    change_tie(town, first, second.seat, Delta(0.0, 0.0, 0.4))
    town.tick = 150
    change_tie(town, first, second.seat, Delta(0.1, 0.0, 0.0))
    tie = tie_to(first, second.seat)

    assert (tie.rivalry, tie.rivalry_tick) == (0.4, 0)
    assert rivalry_now(town, tie) == 0.4 - 0.001 * 150
    town.tick = 1000
    assert rivalry_now(town, tie) == 0.0


def test_a_full_table_drops_its_weakest_tie_only_for_a_stronger_one(town: Town) -> None:
    first, *others = town.living()
    for other in others[:6]:
        change_tie(town, first, other.seat, Delta(0.1 + 0.1 * other.seat, 0.0, 0.0))
    town.events.clear()

    change_tie(town, first, others[6].seat, Delta(0.1, 0.0, 0.0))
    assert tie_to(first, others[6].seat) is STRANGER
    change_tie(town, first, others[6].seat, Delta(0.0, 0.0, 0.5))

    assert tie_to(first, others[0].seat) is STRANGER
    assert of_kind(town, town.events, EventKind.RELATIONSHIP_TIE_EVICTED) == [
        {"owner": "citizen_000", "other": "citizen_001", "reason": "capacity"}
    ]
    assert town.social.churn[-1].by_reason == [1, 0, 0]


def test_ties_fade_by_the_hour_and_go_when_they_mean_nothing(town: Town) -> None:
    first, second = _pair(town)
    change_tie(town, first, second.seat, Delta(0.5, -0.005, 0.0))
    change_tie(town, second, first.seat, Delta(0.011, 0.0, 0.0))
    town.tick = 41
    fade_ties(town)
    assert tie_to(first, second.seat).trust == 0.5
    town.tick = 42

    fade_ties(town)

    assert tie_to(first, second.seat).trust == 0.498
    assert tie_to(first, second.seat).familiarity == -0.003
    assert tie_to(second, first.seat) is STRANGER


def test_ties_to_somebody_who_leaves_are_forgotten(town: Town) -> None:
    first, second = _pair(town)
    apply_event(town, first, second, RelationEvent.SHARED_MEAL)

    forget(town, second.seat)

    assert not first.ties


def test_avoidance_begins_at_the_threshold_and_stoics_bear_more(town: Town) -> None:
    first, second = _pair(town)
    set_tie(town, first, second.seat, None, None, 0.7)

    assert avoids(town, first, second.seat)
    assert not avoids(town, second, first.seat)
    first.profile = 3
    assert avoid_threshold(town, first) == 1.0
    assert not avoids(town, first, second.seat)


def test_the_best_liked_neighbor_listens_and_rivals_never(town: Town) -> None:
    first, second = _pair(town)
    third = town.living()[2]
    put(town, third, 40, 27)
    set_tie(town, first, third.seat, 0.3, 0.0, None)

    assert listener_for(town, first) is third
    set_tie(town, third, first.seat, None, None, 0.9)
    assert listener_for(town, first) is second
    put(town, second, 44, 27)
    assert listener_for(town, first) is None


def test_a_chat_draws_once_and_only_with_a_listener(town: Town) -> None:
    first, second = _pair(town)
    draws = town.streams.world.draws
    first.chat_ready_tick = 5
    assert not talk(town, first)
    assert town.streams.world.draws == draws
    first.chat_ready_tick = 0

    goes_well = talk(town, first)

    assert town.streams.world.draws == draws + 1
    assert first.chat_ready_tick == town.tick + 30
    kind = EventKind.CHAT_SUCCESS if goes_well else EventKind.CHAT_FAILURE
    assert of_kind(town, town.events, kind)[0]["listener"] == "citizen_001"
    assert second.chat_ready_tick < 0


def test_the_quality_of_a_chat_is_bounded(town: Town) -> None:
    first, second = _pair(town)
    assert chat_quality(town, first, second) == 0.5
    set_tie(town, first, second.seat, 1.0, 1.0, 0.0)
    first.traits[0] = 1.0
    assert chat_quality(town, first, second) == 1.0
    set_tie(town, first, second.seat, -1.0, -1.0, 1.0)
    first.traits[0] = -1.0
    assert chat_quality(town, first, second) == 0.1


def test_meals_in_one_zone_within_the_window_are_shared_once(town: Town) -> None:
    first, second = town.living()[:2]
    for citizen in (first, second):
        put_at(town, citizen, "fridge_1")
    fridge = obj(town, "fridge_1")
    town.tick = 300
    share_meal(town, first, fridge)
    town.tick = 330
    town.events.clear()

    share_meal(town, second, fridge)
    share_meal(town, first, fridge)

    assert of_kind(town, town.events, EventKind.SHARED_MEAL) == [
        {"object_id": "fridge_1", "agents": ["citizen_001", "citizen_000"]}
    ]
    assert tie_to(first, second.seat).familiarity == 0.25
    town.tick = 530
    share_meal(town, second, fridge)
    assert len(of_kind(town, town.events, EventKind.SHARED_MEAL)) == 1  # the first one's meal is too long ago
