"""`diorama morphogenesis duel` without a person: bots and policies fight, and both sides are kept as replays."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import Result

from diorama.cli.app import run
from diorama.cli.morphogenesis.duelists import LearnedController, decider_named
from diorama.contracts.errors import ConfigError, UnknownName
from diorama.engine.venue import open_venue
from diorama.runs.metadata import RunStatus
from diorama.runs.replays.index import read_index
from diorama.runs.run import open_run
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.engine.stacked import StackedEngine
from diorama.worlds.morphogenesis.rounds.dueling import RIVAL, Duel
from tests.cli.invoking import invoke
from tests.runs.factories import empty_run
from tests.runs.kept_policies import keep_untrained
from tests.worlds.morphogenesis.small_worlds import SMALL

TINY = ("--episode-length", "5", "-c", "train_batches_per_epoch=1", "-c", "val_subset=60", "--tier", "fast")


def duel(*arguments: str) -> Result:
    return invoke("morphogenesis", "duel", *arguments, *TINY)


def test_a_bot_fights_and_both_sides_can_be_watched_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = ("--record", "first", "--run-root", str(tmp_path))

    fought = json.loads(duel("--by", "grow_three", "--against", "plant_norm", *kept, "--format", "json").stdout)

    assert (fought["by"], fought["against"], fought["epochs"]) == ("grow_three", "plant_norm", 5)
    entries = {entry.replay_id: entry for entry in read_index(open_run(tmp_path, "first").layout).entries}
    sides = [entries[replay_id] for replay_id in fought["replays"]]
    for side, name in zip(sides, ("you", "rival"), strict=True):
        assert side.metrics["final_accuracy"] == pytest.approx(fought[name]["accuracy_pct"])
        assert side.metrics["param_ratio"] == pytest.approx(1.0 + fought[name]["growth"])
    assert open_run(tmp_path, "first").metadata().status is RunStatus.COMPLETED
    assert run(["replay", "verify", "first", "--run-root", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("same") == 2
    with pytest.raises(ConfigError, match="there is a run 'first'"):
        duel(*kept)


def test_who_is_neither_a_controller_nor_a_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no controller is called 'nobody'"):
        duel("--by", "nobody", "--run-root", str(tmp_path))


def test_the_first_event_of_a_duel_tells_that_it_begins(tmp_path: Path) -> None:
    events = tmp_path / "events.jsonl"

    duel("--by", "wait", "--against", "wait", "--telemetry-file", str(events))

    kinds = [json.loads(line)["event_type"] for line in events.read_text().splitlines()]
    assert (kinds[0], kinds.count("TRAINING_STARTED")) == ("TRAINING_STARTED", 1)


@pytest.mark.parametrize("arguments", [("wait", "learned"), ("learned", "--control-cohorts")])
def test_policies_of_runs_are_compared_like_controllers(arguments: tuple[str, ...], tmp_path: Path) -> None:
    config = MorphogenesisConfig.model_validate({"task": "digits"})
    spec = open_venue("morphogenesis", config.model_dump(mode="json")).spec
    keep_untrained(empty_run(tmp_path, "learned"), spec, "mlp-8-tanh-v1", seed=5)
    small = ("--rounds", "1", "--envs", "1", "--episode-length", "2", *TINY[2:])

    told = invoke("morphogenesis", "ab", *arguments, "--run-root", str(tmp_path), *small)

    assert told.exit_code == 0, told.output
    assert "learned" in told.stdout
    with pytest.raises(UnknownName, match="there is no run 'unlearned'"):
        invoke("morphogenesis", "ab", "wait", "unlearned", "--run-root", str(tmp_path), *small)


@pytest.mark.slow
def test_a_trained_policy_fights_and_forgets_when_its_host_is_put_back(tmp_path: Path) -> None:
    assert run(["train", "morphogenesis", "--preset", "quick", "--run-id", "learned", "--run-root", str(tmp_path)]) == 0
    config = MorphogenesisConfig.model_validate(SMALL)
    decider = decider_named("learned", config, tmp_path)
    assert not isinstance(decider, str)
    fought = Duel(config, StackedEngine, decider, root_key=3, stand_in="rules")
    learned = fought._rival
    assert isinstance(learned, LearnedController)

    fought.decide(fought.choose())
    fought.world.nursery.engine.inject(RIVAL, "nan")
    while fought.is_open:
        fought.decide(fought.choose())

    assert len(fought.taken) == 6
    assert fought.world.envs[RIVAL].governor.rollbacks == 1
    assert np.isfinite([standing.accuracy_pct for standing in fought.standings]).all()
    against = duel("--by", "rules", "--against", "learned", "--run-root", str(tmp_path), "--format", "json")
    assert json.loads(against.stdout)["against"] == "learned"
