import pytest

from diorama.worlds.townlet.codes import ShiftState
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state import Citizen, Town
from diorama.worlds.townlet.reference.state.facts import TickFacts
from diorama.worlds.townlet.reference.systems.hiring import (
    begin_employment,
    reset_shifts,
    scarcest_job,
    take_applications,
)
from diorama.worlds.townlet.reference.systems.shifts import work_shifts
from diorama.worlds.townlet.reference.systems.ties import tie_to
from tests.worlds.townlet.towns import SOCIAL, of_kind, put, town_of

START, END = 270, 430  # of the barista


@pytest.fixture
def town() -> Town:
    return town_of(SOCIAL, population=5)


def _barista(town: Town) -> Citizen:
    citizen = town.living()[0]
    assert town.tables.jobs[citizen.job].id == "barista"
    return citizen


def _live(town: Town, citizen: Citizen, first: int, last: int, *, at_work: bool) -> None:
    put(town, citizen, *((31, 19) if at_work else (0, 0)))
    for tod in range(first, last + 1):
        town.tick = tod
        for other in town.living():
            other.facts = TickFacts()
        work_shifts(town)


@pytest.mark.parametrize(
    ("spans", "state"),
    [
        pytest.param([(249, 249, False)], ShiftState.PRE_SHIFT, id="long-before"),
        pytest.param([(250, 250, False)], ShiftState.AWAIT_START, id="in-the-buffer"),
        pytest.param([(260, 269, True)], ShiftState.AWAIT_START, id="early"),
        pytest.param([(260, 270, True)], ShiftState.ON_TIME, id="early-and-on-time"),
        pytest.param([(270, 274, False), (275, 275, True)], ShiftState.ON_TIME, id="within-grace"),
        pytest.param([(270, 275, False)], ShiftState.AWAIT_START, id="expected"),
        pytest.param([(270, 276, False)], ShiftState.LATE, id="late-and-missing"),
        pytest.param([(270, 276, False), (277, 277, True)], ShiftState.LATE, id="late-and-there"),
        pytest.param([(270, 300, False)], ShiftState.LATE, id="late-to-the-cutoff"),
        pytest.param([(270, 301, False)], ShiftState.ABSENT, id="beyond-the-cutoff"),
        pytest.param([(270, 301, False), (302, 310, True)], ShiftState.ABSENT, id="absent-stays-absent"),
        pytest.param([(260, 280, True), (281, 300, False)], ShiftState.ON_TIME, id="away-within-slack"),
        pytest.param([(260, 280, True), (281, 301, False)], ShiftState.ABSENT, id="away-too-long"),
        pytest.param([(260, 265, True), (266, 272, False)], ShiftState.ON_TIME, id="came-early-and-went-for-a-moment"),
        pytest.param([(270, 280, False), (281, 290, True), (291, 295, False)], ShiftState.LATE, id="late-and-away"),
        pytest.param([(260, 430, True)], ShiftState.POST_SHIFT, id="done"),
    ],
)
def test_the_state_machine_row_by_row(town: Town, spans: list[tuple[int, int, bool]], state: ShiftState) -> None:
    citizen = _barista(town)

    for first, last, at_work in spans:
        _live(town, citizen, first, last, at_work=at_work)

    assert citizen.shift.state == state


def test_a_punctual_shift_pays_in_full(town: Town) -> None:
    citizen = _barista(town)
    wallet = citizen.wallet

    _live(town, citizen, 250, END, at_work=True)

    assert citizen.wallet == pytest.approx(wallet + 4.0)
    assert citizen.tally.wages_withheld == 0.0
    assert citizen.shift.attendance == [1.0]
    (told,) = [
        event
        for event in of_kind(town, town.events, EventKind.SHIFT_COMPLETED)
        if event["job_id"] == "barista" and event["agent_id"] == "citizen_000"
    ]
    assert told["attendance"] == 1.0
    assert told["earned"] == pytest.approx(4.0)


def test_lateness_is_charged_once_and_helped_with(town: Town) -> None:
    citizen, coworker = _barista(town), town.living()[4]
    assert coworker.job == citizen.job
    put(town, coworker, 30, 19)
    wallet = citizen.wallet

    _live(town, citizen, 250, 280, at_work=False)

    late_ticks = 280 - (START + 6) + 1
    assert citizen.shift.late_ticks == late_ticks
    assert citizen.wallet == pytest.approx(wallet - 0.12 - late_ticks * 0.005)
    assert citizen.tally.wages_withheld == pytest.approx(late_ticks * 0.025)
    assert of_kind(town, town.events, EventKind.JOB_LATE) == [
        {"agent_id": "citizen_000", "job_id": "barista", "ticks_late": 6, "shift_start": START}
    ]
    assert of_kind(town, town.events, EventKind.EMPLOYMENT_HELPED_WHEN_LATE) == [
        {"agent_id": "citizen_000", "coworkers": ["citizen_004"]}
    ]
    assert tie_to(citizen, coworker.seat).trust == pytest.approx(0.2)


def test_absence_is_charged_recorded_and_remembered(town: Town) -> None:
    citizen, coworker = _barista(town), town.living()[4]
    put(town, coworker, 30, 19)
    citizen.shift.absences = [-5000, -100]

    _live(town, citizen, 250, END, at_work=False)

    assert citizen.shift.absences == [-5000, -100, 301]
    assert of_kind(town, town.events, EventKind.SHIFT_ABSENT)[0]["absences"] == 3
    assert len(of_kind(town, town.events, EventKind.EMPLOYMENT_TOOK_MY_SHIFT)) == 1
    assert citizen.shift.attendance == [0.0]
    assert tie_to(citizen, coworker.seat).rivalry > 0.29


def test_the_second_absence_is_a_warning(town: Town) -> None:
    citizen = _barista(town)
    citizen.shift.absences = [-100]

    _live(town, citizen, 250, 310, at_work=False)

    assert of_kind(town, town.events, EventKind.EMPLOYMENT_WARNING)[0]["absences"] == 2


def test_an_early_leaver_is_told_of(town: Town) -> None:
    citizen = _barista(town)
    _live(town, citizen, 250, 300, at_work=True)
    _live(town, citizen, 301, 330, at_work=False)

    assert len(of_kind(town, town.events, EventKind.SHIFT_DEPARTED_EARLY)) == 1
    assert not citizen.shift.is_on_shift


def test_a_new_day_resets_the_shift_and_closes_one_that_ended_at_midnight() -> None:
    town = town_of(
        {
            "jobs": {
                "watch": {"start_tick": 800, "end_tick": 1000, "wage_rate": 0.02, "location": [31, 19], "zone": "cafe"}
            }
        }
    )
    (citizen,) = town.living()
    _live(town, citizen, 780, 999, at_work=True)
    assert citizen.shift.attendance == []
    town.tick = 1000

    reset_shifts(town)

    assert citizen.shift.attendance == [1.0]
    assert citizen.shift.state == ShiftState.PRE_SHIFT
    assert citizen.shift.wageless_days == 0


def test_applications_go_to_the_job_with_the_fewest_workers() -> None:
    town = town_of(population=3)
    first, second, _ = town.living()
    second.job = -1
    first.job = 3

    assert scarcest_job(town) == 0
    take_applications(town)

    assert second.job == 0


def test_who_comes_after_a_shift_began_is_excused_for_the_day(town: Town) -> None:
    citizen = _barista(town)
    town.tick = 300
    begin_employment(town, citizen)

    _live(town, citizen, 301, END + 5, at_work=False)

    assert citizen.shift.attendance == []
    assert citizen.wallet == 1.5 * 1.5
