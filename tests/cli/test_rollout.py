"""`diorama rollout` tells one episode."""

import json
from typing import cast

import numpy as np
import pytest

from diorama.cli.narration import decision_label, payload_words, value_words
from diorama.cli.tellers import TextTeller, Told, end_words
from diorama.contracts.config import WorldConfig
from diorama.contracts.values import JsonValue
from diorama.contracts.world import World
from diorama.engine.make import make_batch
from tests.cli.invoking import invoke
from tests.engine.toy_world import TOY

GREEDY = ["rollout", "prospector", "--bot", "greedy_miner", "--seed", "7", "--tier", "reference"]


def rollout(*arguments: str) -> list[str]:
    result = invoke(*GREEDY, *arguments)
    assert result.exit_code == 0
    return result.stdout.splitlines()


def test_an_episode_is_told_with_names_and_ends_with_its_metrics() -> None:
    lines = rollout()

    assert lines[0] == "prospector-v1: bot greedy_miner, seed 7, reference tier"
    assert lines[1].split() == ["step", "tick", "action", "dt", "reward", "net_profit", "survival", "events"]
    assert lines[2].split()[:4] == ["0", "2", "TRAVEL_NEIGHBOR_0", "2"]
    assert "travel (from 0, to 1, slot 0, fuel 91.15)" in lines[2]
    assert "stranded after 90 decisions and 113 ticks" in lines
    assert [line.split()[0] for line in lines[-13:]][:3] == ["Credits", "Net", "Profit"]


def test_json_lines_hold_the_same_episode_in_full() -> None:
    begin, *steps, end = (json.loads(line) for line in rollout("--format", "json"))

    assert (begin["kind"], begin["bot"], begin["seed"], begin["tier"]) == ("begin", "greedy_miner", 7, "reference")
    assert end == {"kind": "end", "reason": "stranded", "decisions": 90, "ticks": 113}
    assert [step["step"] for step in steps] == list(range(90))
    assert sum(step["dt"] for step in steps) == steps[-1]["tick"] == 113
    assert steps[-1]["seats"][0]["terminated"]
    assert steps[0]["event_data"]["travel"]["to"] == 1
    terms = steps[5]["seats"][0]["reward_terms"]
    assert sum(terms.values()) == pytest.approx(steps[5]["seats"][0]["reward"])


def test_a_rollout_can_be_cut_short_and_configured() -> None:
    lines = rollout("--steps", "3", "--config", "pirates=false")

    assert "stopped after 3 decisions and 4 ticks" in lines


def test_the_same_seed_tells_the_same_story() -> None:
    assert rollout("--steps", "20") == rollout("--steps", "20")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        pytest.param(None, "-", id="nothing"),
        pytest.param(True, "yes", id="flag"),
        pytest.param(1234.567, "1,234.57", id="float"),
        pytest.param(480.0, "480", id="whole-float"),
        pytest.param(7, "7", id="int"),
        pytest.param("deep", "deep", id="text"),
        pytest.param([0.25, 1.0], "[0.25 1]", id="list"),
        pytest.param({"a": 1}, "(a 1)", id="object"),
    ],
)
def test_values_are_written_for_people(value: JsonValue, words: str) -> None:
    assert value_words(value) == words
    assert payload_words({"key": value}) == f"key {words}"


def test_decisions_are_named_head_by_head_and_impossible_options_keep_their_number() -> None:
    spec = TOY.describe(TOY.config_type())

    assert decision_label(spec, (2, 1)) == "two + minus"
    assert decision_label(spec, (9, -1)) == "9 + -1"
    assert decision_label(spec, None) == "-"


def test_every_seat_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    batch = make_batch(cast(World[WorldConfig], TOY))
    batch.reset([4])
    batch.step(np.array([[1, 0], [2, 1]]))
    told = Told(step=0, tick=1, record=batch.step_record(0), has_ended=False)

    teller = TextTeller(batch.spec)
    teller.begin(batch, "nobody")
    teller.step(told)
    teller.end(told)

    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[2:4]] == [
        ["0", "1", "0", "one", "+", "plus", "1", "1.0000", "5", "moved"],
        ["0", "1", "1", "two", "+", "minus", "1", "-2.0000", "2"],
    ]
    assert end_words(told) == "stopped"
    assert lines[-4:] == ["seat 0", "  Total               5", "seat 1", "  Total               2"]
