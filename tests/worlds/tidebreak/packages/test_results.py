import pytest

from diorama.worlds.tidebreak.packages import BattleResult, ResultError, check_result, read_result
from diorama.worlds.tidebreak.resolve import read_package
from tests.worlds.tidebreak.samples import DELETE, changed, demo, result


def test_a_result_of_its_package_passes() -> None:
    check_result(read_result(result()), read_package(demo()).package)


@pytest.mark.parametrize(
    ("code", "path", "place", "value"),
    [
        ("R001", "ships.0.ship_id", "ships.0.ship_id", "acc-freighter-1"),
        ("R001", "ships", "ships.2", DELETE),
        ("R002", "seed", "seed", 7),
        ("R002", "battle_id", "battle_id", "another"),
        ("R002", "replay.seed", "replay.seed", 7),
        ("R003", "duration_s", "duration_s", 900.1),
        ("R004", "winner_team_id", "winner_team_id", "pirates"),
        ("R004", "teams.0.team_id", "teams.0.team_id", "pirates"),
    ],
)
def test_a_result_of_another_battle_is_refused(code: str, path: str, place: str, value: object) -> None:
    with pytest.raises(ResultError) as caught:
        check_result(read_result(changed(result(), place, value)), read_package(demo()).package)

    assert (code, path) in {(problem.code, problem.path) for problem in caught.value.errors}


@pytest.mark.parametrize(
    ("code", "path", "value"),
    [
        ("P001", "schema_version", "other.v1"),
        ("P002", "end_reason", DELETE),
        ("P003", "seed", "1"),
        ("P004", "duration_s", -1),
        ("P004", "ships.0.crew_casualties.killed", -1),
        ("P004", "ships.0.damage_taken", float("inf")),
        ("P004", "teams.0.morale_delta", 0.21),
        ("P005", "end_reason", "BOREDOM"),
        ("P005", "ships.0.fate", "LOST"),
    ],
)
def test_a_malformed_result_is_told_by_code_and_path(code: str, path: str, value: object) -> None:
    with pytest.raises(ResultError) as caught:
        read_result(changed(result(), path, value))

    assert [(problem.code, problem.path) for problem in caught.value.errors] == [(code, path)]


def boarded_city(status: str, progress: float) -> BattleResult:
    boarding = {"status": status, "transfer_progress": progress, "target_ship_id": "acc-freighter-1"}
    return read_result(changed(result(), "boarding_outcomes", [{"attacker_team_id": "dominion", **boarding}]))


def test_all_marines_on_a_city_mean_a_beachhead() -> None:
    city = {"ship_id": "acc-freighter-1", "team_id": "accord", "class_id": "arcology"}
    start = {"x": -5600, "y": -200, "heading": 0}
    package = read_package(changed(demo(), "ships.1", {**city, "initial_state": start})).package

    check_result(boarded_city("ESTABLISHED", 1.0), package)
    check_result(boarded_city("ATTEMPTED", 0.99), package)
    with pytest.raises(ResultError, match=r"R005 boarding_outcomes\.0\.status: is REPULSED"):
        check_result(boarded_city("REPULSED", 1.0), package)
    check_result(boarded_city("REPULSED", 1.0), read_package(demo()).package)


def test_unknown_fields_of_a_result_are_ignored() -> None:
    assert read_result(changed(result(), "ships.0.medals", ["gold"])) == read_result(result())
