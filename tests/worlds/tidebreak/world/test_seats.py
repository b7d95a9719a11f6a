from typing import Any

import pytest

from diorama.contracts.errors import ConfigError
from diorama.engine.make import make
from diorama.worlds.tidebreak.config import TidebreakConfig
from diorama.worlds.tidebreak.reference.seats import Episode, EpisodePlan
from diorama.worlds.tidebreak.scenarios import episode_stage, generate
from tests.worlds.tidebreak.world.battles import skirmish


def episode(seed: int = 3, **config: Any) -> Episode:
    return EpisodePlan(TidebreakConfig(**config)).episode(seed)


def ships(drawn: Episode) -> list[str | None]:
    units = drawn.package.battle.units
    return [units[unit_id - 1].ship_id if unit_id else None for unit_id in drawn.seats]


def test_a_stage_is_generated_from_the_episode_seed_and_seats_the_drawn_side() -> None:
    drawn, scenario = episode(seed=41, stage=7, seats=2), generate(7, 41)

    assert drawn.package.battle.battle_id == scenario.package.battle_id
    assert (drawn.seed, drawn.stage) == (scenario.package.seed, 7)
    assert ships(drawn) == list(scenario.agent_ship_ids[:2])


def test_a_package_keeps_its_map_and_takes_the_luck_of_the_episode() -> None:
    plan = EpisodePlan(TidebreakConfig(package=skirmish()))

    first, second = plan.episode(0), plan.episode(2**53 - 1)

    assert first.package is second.package
    assert (first.seed, plan.episode(8).seed, second.seed) == (1, 9, 1)


@pytest.mark.parametrize(
    ("config", "seated"),
    [
        pytest.param({"seats": 2}, ["blue-z", "blue-a"], id="first-side-in-package-order"),
        pytest.param({"seats": 3}, ["blue-z", "blue-a", None], id="left-over-seats-stay-empty"),
        pytest.param({"seats": 1, "side": "red"}, ["red-1"], id="named-side"),
        pytest.param({"seats": 4, "played": "all"}, ["blue-z", "blue-a", "red-1", "red-2"], id="all"),
        pytest.param({"seats": 2, "ships": ("red-2", "blue-a")}, ["red-2", "blue-a"], id="named-ships"),
        pytest.param({"seats": 2, "controllers": {"blue-z": "idle"}}, ["blue-a", None], id="scripted-ships-have-none"),
    ],
)
def test_seats_are_filled(config: dict[str, Any], seated: list[str | None]) -> None:
    assert ships(episode(package=skirmish(), **config)) == seated


def test_whoever_has_no_seat_follows_a_script() -> None:
    drawn = episode(
        package=skirmish(), seats=1, teammates="escort", opponents="kiter@0.5", controllers={"red-2": "idle"}
    )

    assert drawn.controllers == {
        "blue-z": "agent",
        "blue-a": "script:escort",
        "red-1": "script:kiter@0.5",
        "red-2": "script:idle",
    }


def test_an_earlier_stage_is_fought_against_its_own_opponent() -> None:
    config = TidebreakConfig(stage=2, earlier_stages=True)
    seed = next(seed for seed in range(50) if episode_stage(2, seed) == 1)

    drawn = EpisodePlan(config).episode(seed)

    assert drawn.stage == 1
    assert "script:drifter@0.5" in drawn.controllers.values()


@pytest.mark.parametrize(
    ("config", "message"),
    [
        pytest.param({"side": "green"}, "tidebreak.side: there is no side 'green'; there are: blue, red", id="side"),
        pytest.param({"ships": ("blue-q",)}, "tidebreak.ships: no ship 'blue-q' can be commanded", id="ship"),
        pytest.param({"controllers": {"x": "idle"}}, "tidebreak.controllers: no ship 'x'", id="controller"),
    ],
)
def test_names_that_are_not_in_the_battle_are_refused(config: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        EpisodePlan(TidebreakConfig(package=skirmish(), **config))


def test_a_ship_cannot_have_a_seat_and_a_script() -> None:
    with pytest.raises(ValueError, match="both a seat and a script"):
        TidebreakConfig(package=skirmish(), ships=("blue-a",), controllers={"blue-a": "idle"})


@pytest.mark.parametrize("tier", ["reference", "fast"])
@pytest.mark.parametrize("ships", [[], ["blue-1"]], ids=["by-side", "by-name"])
def test_a_side_that_no_stage_has_is_refused_alike_by_both_tiers(tier: str, ships: list[str]) -> None:
    with pytest.raises(ConfigError, match=r"^tidebreak\.side: there is no side 'green'; there are: blue, red$"):
        make("tidebreak", config={"stage": 2, "side": "green", "ships": ships}, tier=tier)
