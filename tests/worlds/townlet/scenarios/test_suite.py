"""The scenarios that ship with the town: what each expects holds, and each comes out as it did before."""

import pytest

from diorama.worlds.townlet.scenarios import load_scenario, run_scenario, scenario_names
from diorama.worlds.townlet.scenarios.golden import differences, read_golden


def test_the_suite_is_whole() -> None:
    assert set(scenario_names()) >= {
        "observation_baseline", "kitchen_breakfast", "queue_conflict", "rivalry_decay", "employment_punctuality",
        "exit_cap", "outage_mid_shower", "price_spike_day", "exit_respawn", "demo_story_arc",
    }  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name == "exit_cap" else name for name in scenario_names()]
)
def test_a_scenario_holds_and_is_what_it_was(name: str) -> None:
    result = run_scenario(load_scenario(name))

    assert [finding for finding in result.findings if not finding.is_met] == []
    assert result.surprises == ()
    assert len(result.findings) == len(load_scenario(name).scenario.expect) > 2
    golden = read_golden(name)
    assert golden is not None
    assert differences(result, golden) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["exit_respawn", "kitchen_breakfast", "queue_conflict", "rivalry_decay"])
def test_a_scenario_holds_with_any_luck(name: str) -> None:
    for seed in (1, 2, 3):
        assert run_scenario(load_scenario(name), seed=seed).is_met


def test_a_changed_run_says_where_it_changed() -> None:
    golden = read_golden("observation_baseline")
    assert golden is not None
    result = run_scenario(load_scenario("observation_baseline"), seed=4)

    told = differences(result, golden)

    assert told[0] == "seed: was 1337, is now 4"
    assert told[1].startswith("hashes 20: was ")
    assert len(told) == 2
