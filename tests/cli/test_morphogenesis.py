"""`diorama morphogenesis`: rounds without a learned policy, comparisons, and recorded events."""

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from diorama.cli.app import run
from diorama.cli.morphogenesis.reward_groups import LearningGroup
from diorama.contracts.errors import ConfigError, UnknownName
from diorama.learn.errors import TrainingDiverged
from diorama.worlds.morphogenesis.contracts.errors import DatasetUnavailable, RollbackFailed
from diorama.worlds.morphogenesis.data import cifar
from diorama.worlds.morphogenesis.streams import generator
from tests.cli.invoking import invoke as command

TINY = ("-c", "train_batches_per_epoch=1", "-c", "val_subset=60")
SMALL = (*TINY, "--envs", "2")


invoke = partial(command, "morphogenesis")


def test_the_rules_decide_and_what_they_did_can_be_looked_at_again(tmp_path: Path) -> None:
    events = tmp_path / "events.jsonl"

    told = invoke(
        "heuristic",
        "--task",
        "digits",
        "--episode-length",
        "10",
        "--telemetry-file",
        str(events),
        *SMALL,
        "--profile",
        "--format",
        "json",
    )
    with events.open("a") as file:
        file.write("{broken\n")
    looked = invoke("inspect", str(events), "--format", "json")

    report, recording = json.loads(told.stdout), json.loads(looked.stdout)
    assert [len(episode["accuracies"]) for episode in report["episodes"]] == [10, 10]
    assert sum(report["actions"].values()) == 20
    assert recording["malformed"] == 1
    assert recording["events"]["EPOCH_COMPLETED"] == 20
    assert recording["groups"][0]["episodes"] == 2
    assert list(recording["phases"]) == ["train", "gradients", "validate", "bookkeeping", "decide", "act"]
    shown = invoke("inspect", str(events)).stdout
    assert "1 of" in shown
    assert "phases of an epoch" in shown


def test_a_schedule_grows_by_the_clock_and_is_told_in_a_table() -> None:
    told = invoke("schedule", "grow_norm", "--episode-length", "12", *SMALL)

    assert told.exit_code == 0
    assert "Foss:norm" in told.stdout
    assert "FOSSILIZE" in told.stdout


def test_a_schedule_of_ones_own_is_read_from_a_file(tmp_path: Path) -> None:
    plan = tmp_path / "mine.txt"
    plan.write_text("1 GERMINATE r0c1 blueprint=conv_small  # early\n2 ADVANCE r0c1\n3 FOSSILIZE r0c1\n")

    told = invoke("schedule", str(plan), "--episode-length", "4", *SMALL, "--format", "json")

    report = json.loads(told.stdout)
    assert report["controller"] == "mine"
    assert report["episodes"][0]["stages"] == ["DORMANT", "TRAINING", "DORMANT"]


def test_controllers_are_compared_pair_by_pair_and_cohorts_are_judged() -> None:
    compared = invoke("ab", "wait", "grow_norm", "--episode-length", "3", "--rounds", "2", *SMALL, "--format", "json")
    judged = invoke("ab", "--control-cohorts", "--episode-length", "3", "--rounds", "1", *SMALL)

    groups = json.loads(compared.stdout)
    assert [group["group_id"] for group in groups] == ["A", "B"]
    assert (groups[0]["difference"], groups[1]["difference"]["pairs"]) == (None, 4)
    assert "INCONCLUSIVE" in judged.stdout


@pytest.mark.slow
def test_two_reward_modes_are_learned_under_in_turn_and_their_events_can_be_asked(tmp_path: Path) -> None:
    events = tmp_path / "events.jsonl"

    told = invoke(
        "ab", "--dual-ab", "sparse-vs-shaped", "--episode-length", "4", "--rounds", "2", *SMALL, "--format", "json",
        "--telemetry-file", str(events),
    )  # fmt: skip

    groups = json.loads(told.stdout)
    assert [(group["group_id"], group["reward_mode"], group["episodes"]) for group in groups] == [
        ("A", "sparse", 4),
        ("B", "shaped", 4),
    ]
    assert groups[1]["difference"]["pairs"] == 4
    asked = invoke(
        "query", str(events), "SELECT group_id, count(*) AS n FROM ppo_updates GROUP BY 1", "--format", "json"
    )
    assert json.loads(asked.stdout) == [{"group_id": "A", "n": 2}, {"group_id": "B", "n": 2}]
    order = invoke("query", str(events), "SELECT group_id FROM episode_outcomes", "--format", "json")
    assert [row["group_id"] for row in json.loads(order.stdout)] == ["A", "A", "B", "B"] * 2


def test_groups_that_fail_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []

    def fail(group: LearningGroup) -> None:
        raise RuntimeError("out of memory")

    def close(group: LearningGroup) -> None:
        closed.append(group.mode.value)
        group._trainer.close()

    monkeypatch.setattr(LearningGroup, "learn_round", fail)
    monkeypatch.setattr(LearningGroup, "close", close)

    with pytest.raises(RuntimeError, match="out of memory"):
        invoke("ab", "--dual-ab", "sparse-vs-shaped", "--episode-length", "4", *SMALL)

    assert closed == ["shaped", "sparse"]


def test_recorded_events_are_asked_in_sql(tmp_path: Path) -> None:
    events = tmp_path / "events.jsonl"
    invoke("schedule", "plant_norm", "--episode-length", "2", *SMALL, "--telemetry-file", str(events))
    with events.open("a") as file:
        file.write("{broken\n")

    listed = invoke("query", str(events))
    found = invoke("query", str(events), "SELECT blueprint_id, count(*) FROM seed_lifecycle GROUP BY blueprint_id")

    assert "seed_lifecycle" in listed.stdout
    assert "1 of" in listed.stderr
    assert found.stdout.split()[-2:] == ["norm", "2"]
    with pytest.raises(ConfigError, match="cannot be answered"):
        invoke("query", str(events), "DELETE FROM raw_events")


def test_what_cannot_be_run_is_refused_in_one_line() -> None:
    with pytest.raises(DatasetUnavailable, match="data_root"):
        invoke("heuristic", "--task", "cifar")
    with pytest.raises(UnknownName, match="no controller is called 'oracle'"):
        invoke("ab", "wait", "oracle")
    with pytest.raises(UnknownName, match="no schedule is called 'never'"):
        invoke("schedule", "never")
    with pytest.raises(ConfigError, match="two controllers or more"):
        invoke("ab", "wait")
    with pytest.raises(ConfigError, match="r0c9"):
        invoke("heuristic", "--slots", "r0c9,zz")
    with pytest.raises(ConfigError, match="shaped-vs-simplified"):
        invoke("ab", "--dual-ab", "shaped-vs-gold")
    with pytest.raises(ConfigError, match="leave out controllers"):
        invoke("ab", "wait", "rules", "--dual-ab", "shaped-vs-basic")


def test_a_duel_is_fought_by_hand_epoch_by_epoch() -> None:
    typed = "GERMINATE r0c0 blueprint=norm\nADVANCE r0c0\nADVANCE r0c2\n\n"
    fought = invoke(
        "duel", "--against", "wait", "--episode-length", "4", *TINY, "--tier", "fast", typed=typed + "WAIT\n"
    )

    assert fought.exit_code == 0
    assert "ADVANCE is not possible: " in fought.output
    assert "Train:norm 0%" in fought.output
    assert "wait decides WAIT" in fought.output
    assert fought.output.splitlines()[-1].startswith("wait wins: -0.02 against +0.00")


def test_a_duel_can_be_left_and_wants_a_rival_that_exists() -> None:
    left = invoke("duel", "--format", "json", *TINY, typed="quit\n")

    assert json.loads(left.stdout)["epochs"] == 1
    with pytest.raises(UnknownName, match="no controller is called 'nobody'"):
        invoke("duel", "--against", "nobody")


def write_cifar(root: Path) -> None:
    """Write a data set of the real size and layout; the color of an image tells its class, and can be learned."""
    folder = root / cifar.FOLDER
    folder.mkdir(parents=True)
    for number, name in enumerate((*cifar.TRAIN_FILES, cifar.TEST_FILE)):
        draws = generator(number)
        labels = draws.integers(0, cifar.CLASSES, cifar.RECORDS_PER_FILE, dtype=np.uint8)
        records = draws.integers(0, 64, (cifar.RECORDS_PER_FILE, cifar.RECORD_BYTES), dtype=np.uint8)
        records[:, 1:1025] += 18 * labels[:, None]
        records[:, 0] = labels
        records.tofile(folder / name)


@pytest.mark.slow
def test_the_rules_grow_a_host_on_cifar_files_of_the_real_size(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_cifar(tmp_path)
    small = ("-c", "train_batches_per_epoch=4", "-c", "val_subset=500", "--envs", "1", "--episode-length", "6")

    code = run(
        ["morphogenesis", "heuristic", "--task", "cifar", "-c", f"data_root={tmp_path}", *small, "--format", "json"]
    )

    report = json.loads(capsys.readouterr().out)
    assert code == 0
    assert report["config"]["task"] == "cifar_baseline"
    accuracies = report["episodes"][0]["accuracies"]
    assert len(accuracies) == 6
    assert accuracies[-1] > 15.0


def test_each_failure_has_an_exit_code_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tried = ["--task", "cifar", "-c", f"data_root={tmp_path}"]

    assert run(["morphogenesis", "heuristic", *tried]) == 3
    assert f"there is no folder {tmp_path / cifar.FOLDER}" in capsys.readouterr().err
    settings = ["-c", "task=cifar_baseline", "-c", f"data_root={tmp_path}", "--run-root", str(tmp_path / "runs")]
    assert run(["train", "morphogenesis", *settings]) == 3
    assert run(["morphogenesis", "heuristic", "--task", "cinema"]) == 2
    assert (TrainingDiverged.exit_code, RollbackFailed.exit_code) == (4, 5)


@pytest.mark.slow
def test_training_that_leaves_the_realm_of_numbers_ends_with_four(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny = [*TINY, "-c", "max_epochs=3", "--copies", "2", "--steps", "60", "--set", "windows.env_steps=6"]
    quiet = ["--set", "evaluation.replays_per_window=0", "--set", "evaluation.closing_episodes=0"]
    wild = ["--set", "optimizer.learning_rate=1e38", "--set", "optimizer.max_grad_norm=1e30"]

    assert run(["train", "morphogenesis", *tiny, *quiet, *wild, "--run-root", str(tmp_path)]) == 4
    assert "not finite" in capsys.readouterr().err
