from pathlib import Path
from typing import Any

import pytest
import yaml

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.worlds.townlet.scenarios import ScenarioRun, load_scenario, run_scenario
from diorama.worlds.townlet.scenarios.loading import StoredScenario
from diorama.worlds.townlet.scenarios.model import Scenario
from diorama.worlds.townlet.scenarios.opening import config_of, open_scenario

QUIET = {"perturbations": {"enabled": False}, "personalities": {"distribution": {"balanced": 1.0}, "trait_jitter": 0.0}}


def scenario(**changes: Any) -> StoredScenario:
    document = {"name": "test", "summary": "A test.", "ticks": 10, "overrides": QUIET, **changes}
    return StoredScenario(scenario=Scenario.model_validate(document), folder=None)


def test_citizens_are_as_they_are_written() -> None:
    ann = {"id": "ann", "name": "Ann Ä", "position": [30, 22], "home": "home_3", "needs": {"hunger": 0.2},
           "wallet": 4.5, "food_raw": 3, "job": "clerk", "profile": "stoic"}  # fmt: skip
    town = open_scenario(scenario(citizens=[ann, {"id": "bob", "job": "none"}]))

    first, second = town.living()
    assert town.tables.map.xy(first.tile) == (30, 22)
    assert town.tables.map.zones[first.home].id == "home_3"
    assert (first.needs, first.wallet, first.job) == ([0.2, 0.7, 0.7], 4.5, 2)
    assert town.tables.profiles[first.profile].name == "stoic"
    assert (second.job, second.needs) == (-1, [0.7, 0.7, 0.7])
    assert town.custom_names[0].display_name == "Ann Ä"


def test_a_base_and_overrides_make_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text("config_id: base\nfeatures: {}\nrewards: {}\neconomy: {meal_cost: 0.3}\n")
    path = tmp_path / "mine.yaml"
    path.write_text(
        yaml.safe_dump(
            {"name": "mine", "summary": "Mine.", "ticks": 5, "seed": 9, "base": "base.yaml",
             "overrides": {"economy": {"shower_cost": 0.25}}, "citizens": [{"id": "ann"}]}
        )
    )  # fmt: skip

    config = config_of(load_scenario(path))

    assert (config.economy.meal_cost, config.economy.shower_cost, config.seed) == (0.3, 0.25, 9)
    assert (config.world.population, config.episode_ticks, config.config_id) == (1, 5, "mine")


def test_objects_of_a_scenario_are_like_any_others() -> None:
    bench = {"id": "bench_9", "object_type": "bench", "position": [23, 23], "use_tile": [23, 24]}
    ann = {"id": "ann", "position": [23, 24], "needs": {"energy": 0.5}, "script": ["Interact0", ["Wait", 40]]}

    result = run_scenario(scenario(ticks=25, objects=[bench], citizens=[ann]))

    assert result.event_counts["affordance_finish"] == 1


def test_scripts_are_cycled_and_others_are_controlled() -> None:
    run = ScenarioRun(scenario(ticks=6, citizens=[{"id": "ann", "script": ["Idle", ["Sleep", 2]]}, {"id": "bob"}]))
    chosen = []
    while not run.is_over:
        selections = run.begin()
        chosen.append(selections[0])
        run.finish(selections)

    assert chosen == [0, 5, 5, 0, 5, 5]
    assert run.town.citizen(1).plan.option == 5  # it is night, and the controller sends bob to bed


def test_primitives_in_a_town_of_options_are_steps() -> None:
    run = ScenarioRun(scenario(citizens=[{"id": "ann", "position": [23, 23], "script": ["MoveEast"]}]))
    for _ in range(3):
        run.step()

    assert run.town.tables.map.xy(run.town.citizen(0).tile) == (26, 23)


def test_commands_are_given_in_their_tick_and_answered() -> None:
    result = run_scenario(
        scenario(
            timeline=[
                {"tick": 3, "name": "price", "args": ["meal_cost", 0.3]},
                {"tick": 4, "name": "kill", "args": ["nobody"], "refused": True},
                {"tick": 5, "name": "price", "args": ["air", 1]},
                {"tick": 6, "name": "help_me"},
            ],
            expect=[
                {"measure": "price.meal_cost", "at": 2, "equals": 0.4},
                {"measure": "price.meal_cost", "equals": 0.3},
            ],
        )
    )

    assert [finding.is_met for finding in result.findings] == [True, True]
    assert len(result.surprises) == 2
    assert result.surprises[0].startswith("tick 5: price: ")
    assert "help_me" in result.surprises[1]
    assert not result.is_met


@pytest.mark.parametrize(
    ("expectation", "found"),
    [
        pytest.param({"event": "agent_spawn", "equals": 2}, "1", id="event"),
        pytest.param({"event": "agent_spawn", "where": {"agent_id": "bob"}, "at_least": 1}, "0", id="where"),
        pytest.param({"measure": "citizen.ann.hunger", "above": 0.9}, "0.688", id="need"),
        pytest.param({"measure": "tie.ann.ann.trust", "above": 0.0}, "0", id="stranger"),
        pytest.param({"measure": "population", "below": 1}, "1", id="population"),
        pytest.param({"measure": "kpi.attendance", "at_least": 0.5}, "0", id="kpi"),
        pytest.param({"order": ["agent_spawn", "agent_exit"]}, "agent_spawn at 0", id="order"),
        pytest.param({"measure": "citizen.bob.hunger", "above": 0.0}, "nobody called 'bob'", id="nobody"),
        pytest.param({"measure": "weather.rain", "above": 0.0}, "no measure is called 'weather.rain'", id="measure"),
        pytest.param({"measure": "kpi.happiness", "above": 0.0}, "there is no 'happiness'", id="key"),
        pytest.param({"measure": "stock.oven.meals", "above": 0.0}, "no such object", id="object"),
    ],
)
def test_what_does_not_hold_is_told_with_what_was_found(expectation: dict[str, Any], found: str) -> None:
    result = run_scenario(scenario(citizens=[{"id": "ann", "job": "none", "script": ["Idle"]}], expect=[expectation]))

    (finding,) = result.findings
    assert not finding.is_met
    assert found in finding.found
    assert not result.is_met


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param({"citizens": [{"id": "Ann"}]}, "citizens.0.id", id="id"),
        pytest.param({"citizens": [{"id": "a"}, {"id": "a"}]}, "'a' lives here twice", id="twice"),
        pytest.param({"citizens": [{"id": "a", "script": ["Fly"]}]}, "script names 'Fly'", id="script"),
        pytest.param({"citizens": [{"id": "a", "script": ["Idle", "Wait"]}]}, "mixes options", id="mixed"),
        pytest.param({"citizens": [{"id": "a", "needs": {"fun": 1}}]}, "names 'fun'", id="need"),
        pytest.param({"timeline": [{"tick": 10, "name": "noop"}]}, "the last tick is 9", id="late"),
        pytest.param({"expect": [{"event": "party", "equals": 1}]}, "no event is called 'party'", id="event"),
        pytest.param({"expect": [{"event": "agent_exit"}]}, "a number needs one of", id="bound"),
        pytest.param({"expect": [{"equals": 1}]}, "names nothing", id="nothing"),
        pytest.param({"expect": [{"measure": "held", "where": {"a": 1}, "equals": 0}]}, "narrows an event", id="where"),
        pytest.param({"weather": "rain"}, "weather: there is no such key", id="key"),
    ],
)
def test_a_wrong_scenario_says_what_is_wrong(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(yaml.safe_dump({"name": "wrong", "summary": "Wrong.", "ticks": 10, **changes}))

    with pytest.raises(ConfigError, match=message):
        load_scenario(path)


@pytest.mark.parametrize(
    ("citizen", "message"),
    [
        pytest.param({"position": [0, 99]}, r"citizen ann: nobody can stand at \[0, 99\]", id="outside"),
        pytest.param({"position": [15, 17]}, "nobody can stand", id="object"),
        pytest.param({"job": "pirate"}, "job 'pirate' does not exist; there are: barista", id="job"),
        pytest.param({"home": "castle"}, "home 'castle' does not exist", id="home"),
        pytest.param({"profile": "grumpy"}, "profile 'grumpy' does not exist", id="profile"),
    ],
)
def test_citizens_that_do_not_fit_the_town_are_refused(citizen: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        open_scenario(scenario(citizens=[{"id": "ann", **citizen}]))


def test_an_unknown_scenario_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="no scenario is called 'siege'; there are: demo_story_arc"):
        load_scenario("siege")
    with pytest.raises(ConfigError, match=r"nowhere\.yaml: there is no such file"):
        load_scenario(Path("nowhere.yaml"))
