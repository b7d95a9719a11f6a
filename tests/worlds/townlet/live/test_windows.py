from typing import Any

import pytest

from diorama.worlds.registry import load_world
from diorama.worlds.townlet.live.offer import LIVE
from diorama.worlds.townlet.reference.state.kpis import KpiRow
from tests.worlds.townlet.live.live_towns import LIVELY, quiet, watched


def row_values(row: KpiRow) -> dict[str, float]:
    return {name: getattr(row, name) for name in KpiRow.__dataclass_fields__ if name != "start_tick"}


def test_a_promotion_window_as_long_as_a_day_counts_like_the_day() -> None:
    live = quiet(population=6)
    live.command("set_rel", "citizen_000", "citizen_001", trust=0.9)

    live.run(1000)
    values = dict(live.live.close_window())
    live.run(1)

    assert values.pop("tenure") == pytest.approx(1.0, abs=0.01)
    assert values == row_values(live.live.town.kpis.rows[-1])
    assert values["attendance"] > 0.0


def test_the_next_window_begins_with_nothing() -> None:
    live = watched(LIVELY).run(60)
    live.command("kill", "citizen_001")
    live.run(2)
    first = live.live.close_window()
    live.run(2)

    second = live.live.close_window()

    assert (first["exits_per_day"], second["exits_per_day"]) == (1.0, 0.0)
    assert second["tenure"] == pytest.approx(0.064, abs=0.01)


def test_friends_count_for_a_promotion_only_where_they_are_rewarded() -> None:
    assert "relationship_coverage" in watched(LIVELY).live.close_window()
    assert "relationship_coverage" not in watched().live.close_window()
    assert "relationship_coverage" in watched().live.kpis()


def test_every_number_that_is_judged_is_told() -> None:
    offer = load_world("townlet").live
    assert offer is LIVE

    live = watched()
    live.live.town.living()[0].shift.attendance.append(0.5)

    assert {target.key for target in offer.kpis} == set(live.live.kpis())
    assert {target.key for target in offer.kpis if target.gate is not None} >= {"self_sufficiency", "exits_per_day"}
    kpis: Any = live.run(11).state
    kpis = kpis["kpis"]
    assert set(kpis["targets"]) == set(kpis["current"])
    assert kpis["targets"]["exits_per_day"]["better"] == "lower"


def test_nobody_knows_the_attendance_before_the_first_shift_has_ended() -> None:
    live = quiet()
    before: Any = live.state
    live.live.town.living()[0].shift.attendance.append(0.5)
    after: Any = live.run(11).state

    assert "attendance" not in before["kpis"]["current"]
    assert "attendance_ratio" not in before["agents"]["citizen_000"]["job"]
    assert after["kpis"]["current"]["attendance"] == 0.5
    assert after["agents"]["citizen_000"]["job"]["attendance_ratio"] == 0.5
    assert "attendance_ratio" not in after["agents"]["citizen_001"]["job"]
    assert quiet().live.close_window()["attendance"] == 0.0  # what is not known does not pass a gate
