import pytest

from diorama.worlds.townlet.codes import ConflictReason
from diorama.worlds.townlet.reference.systems.conflicts import record_conflict
from diorama.worlds.townlet.reference.systems.fitness import agent_fitness_index, note_fitness, turn_fitness
from diorama.worlds.townlet.reference.systems.kpis import close_window, count_tick, kpi_row
from diorama.worlds.townlet.reference.systems.ties import set_tie
from tests.worlds.townlet.towns import SOCIAL, set_needs, town_of


def test_the_well_are_those_with_all_needs_met_nine_tenths_of_the_time() -> None:
    town = town_of(population=2)
    for tick in range(100):
        set_needs(town.citizen(0), hunger=0.2 if tick < 10 else 0.9)
        set_needs(town.citizen(1), hygiene=0.2 if tick < 11 else 0.9)
        count_tick(town)

    assert kpi_row(town).self_sufficiency == 0.5


def test_starvation_counts_once_per_streak() -> None:
    town = town_of()
    set_needs(town.citizen(0), hunger=0.05)
    for _ in range(29):
        count_tick(town)
    assert kpi_row(town).starvation_incidents == 0.0
    for _ in range(40):
        count_tick(town)

    assert kpi_row(town).starvation_incidents == 1.0


def test_conflicts_escalate_when_they_lead_to_avoidance() -> None:
    town = town_of(SOCIAL, population=3)
    first, second, third = town.living()
    record_conflict(town, 0, first, second, ConflictReason.HANDOVER, 1)
    set_tie(town, first, third.seat, None, None, 0.69)
    record_conflict(town, 0, first, third, ConflictReason.HANDOVER, 3)

    row = kpi_row(town)

    assert row.conflict_escalation == 0.5
    assert row.relationship_coverage == pytest.approx(1 / 3)
    assert town.social.conflicts[-1].intensity == 0.4 + 0.25 * 2


def test_attendance_is_the_mean_of_those_who_have_worked() -> None:
    town = town_of(population=3)
    town.citizen(0).shift.attendance = [1.0, 0.5]
    town.citizen(1).shift.attendance = [0.25]

    assert kpi_row(town).attendance == 0.5


def test_a_closed_window_is_kept_and_the_next_begins_empty() -> None:
    town = town_of()
    town.kpis.exits, town.kpis.late, town.kpis.shifts = 2, 1, 4
    town.kpis.hungry_streaks[0] = 7
    town.tick = 1000

    close_window(town)

    (row,) = town.kpis.rows
    assert (row.start_tick, row.exits_per_day, row.lateness) == (0, 2.0, 0.25)
    assert (town.kpis.start_tick, town.kpis.exits, town.kpis.hungry_streaks[0]) == (1000, 0, 7)


def test_the_fitness_index_looks_at_the_last_day() -> None:
    town = town_of()
    citizen = town.citizen(0)
    citizen.needs = [0.8, 0.8, 0.8]
    citizen.shift.attendance = [0.5]
    for _ in range(100):
        note_fitness(citizen, 0.025)
    citizen.fitness.violations[-1] = 1

    expected = 0.4 * 0.5 + 0.3 * 0.8 + 0.2 * 0.5 - 0.1 * 0.2
    assert agent_fitness_index(citizen) == pytest.approx(expected)
    for tenth in range(10):
        town.tick = 99 + 100 * tenth
        turn_fitness(town)
    assert agent_fitness_index(citizen) == pytest.approx(0.3 + 0.1)
