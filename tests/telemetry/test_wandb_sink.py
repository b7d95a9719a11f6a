"""Weights & Biases gets the same rows and files, offline here, through the real library."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import wandb

from diorama.contracts.errors import ContractError, MissingExtra
from diorama.telemetry.events import RunOutcome
from diorama.telemetry.hub import TelemetryHub
from diorama.telemetry.wandb_sink import LONGEST_RUN_ID, WandbMode, WandbSettings, WandbSink, alias_of_tag
from tests.telemetry.factories import (
    RUN_ID,
    checkpoint_written,
    policy_updated,
    replay_written,
    run_ended,
    run_started,
    window_closed,
)
from tests.telemetry.wandb_records import history_row, read_records

REPLAY_FILES = ("replays/replay-000003-0badf00d.jsonl.gz", "replays/replay-000003-0badf00d.meta.json")


@pytest.fixture(scope="module")
def run_directory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A run with files to upload, and a library that writes nowhere else and calls nobody."""
    root = tmp_path_factory.mktemp("wandb")
    directory = root / "runs" / RUN_ID
    for name in ("checkpoints/ckpt_000000.safetensors", *REPLAY_FILES):
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(name)
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("WANDB_DATA_DIR", "WANDB_CACHE_DIR", "WANDB_CONFIG_DIR", "WANDB_ARTIFACT_DIR"):
            patch.setenv(variable, str(root / variable))
        patch.setenv("WANDB_MODE", "offline")
        patch.setenv("WANDB_ERROR_REPORTING", "false")
        yield directory
        wandb.teardown()


@pytest.fixture(scope="module")
def logged(run_directory: Path) -> list[Any]:
    """What the library kept of a whole run."""
    sink = WandbSink(settings(run_directory))
    for event in (
        run_started(),
        policy_updated(),
        window_closed(0),
        checkpoint_written(0),
        window_closed(1, return_mean=7.5),
        replay_written("every_window", "best_so_far", "milestone:profit:100"),
        run_ended(RunOutcome.FAILED, "ValueError: no"),
    ):
        sink.receive(event)
    sink.close()
    wandb.teardown()  # only then everything is in the file
    (file,) = (run_directory / "telemetry" / "wandb").glob(f"offline-run-*/run-{RUN_ID}.wandb")
    return list(read_records(file))


def settings(run_directory: Path) -> WandbSettings:
    return WandbSettings(mode=WandbMode.OFFLINE, run_directory=run_directory, project="belt")


def test_a_run_goes_by_its_own_name_and_configuration(logged: list[Any]) -> None:
    (run,) = [record.run for record in logged if record.HasField("run")]

    config = {item.key: json.loads(item.value_json) for item in run.config.update}
    assert (run.run_id, run.display_name, run.project) == (RUN_ID, RUN_ID, "belt")
    assert sorted(run.tags) == ["prospector", "prospector-v1"]
    assert config["ppo"] == {"gamma": 0.997}


def test_a_run_in_a_copied_folder_goes_by_the_name_of_the_folder(run_directory: Path) -> None:
    copied = run_directory.with_name("copied")
    sink = WandbSink(settings(copied))
    sink.receive(run_started(is_resumed=True))
    sink.receive(window_closed(7))
    sink.receive(run_ended())
    sink.close()
    wandb.teardown()

    (file,) = (copied / "telemetry" / "wandb").glob("offline-run-*/run-copied.wandb")
    (run,) = [record.run for record in read_records(file) if record.HasField("run")]
    assert (run.run_id, run.display_name) == ("copied", "copied")


def test_every_window_is_one_row_over_env_steps_and_updates_are_none(logged: list[Any]) -> None:
    first, second = (history_row(record) for record in logged if record.HasField("history"))
    metrics = [record.metric for record in logged if record.HasField("metric")]

    assert first == {
        "schema_version": 1,
        "run_id": RUN_ID,
        "window_id": 0,
        "window_complete": True,
        "env_steps_total": 1024,
        "return_mean": None,
        "reward_mean": 0.25,
        "end_reason_counts.stranded": 2,
    }
    assert (second["return_mean"], second["env_steps_total"]) == (7.5, 2048)
    assert [metric.step_metric for metric in metrics if metric.glob_name == "*"] == ["env_steps_total"]


def test_checkpoints_and_replays_are_artifacts_with_aliases(logged: list[Any]) -> None:
    model, replay = (record.artifact for record in logged if record.HasField("artifact"))

    assert (model.type, model.name) == ("model", "model-run-a")
    assert sorted(model.aliases) == ["latest", "window-0"]
    assert (replay.type, replay.name) == ("replay", "replay-run-a-000003-replay-000003-0badf00d")
    assert sorted(replay.aliases) == ["best_so_far", "every_window", "latest", "milestone-profit-100", "window-3"]


def test_replays_are_sent_from_where_they_lie_and_checkpoints_from_copies(
    logged: list[Any], run_directory: Path
) -> None:
    model, replay = (record.artifact for record in logged if record.HasField("artifact"))

    sent = {item.local_path for item in replay.manifest.contents}
    assert sent == {str(run_directory / name) for name in REPLAY_FILES}
    [checkpoint] = model.manifest.contents
    assert not Path(checkpoint.local_path).is_relative_to(run_directory / "checkpoints")
    assert checkpoint.path == "ckpt_000000.safetensors"


def test_a_failed_run_is_shown_as_failed(logged: list[Any]) -> None:
    assert [record.exit.exit_code for record in logged if record.HasField("exit")] == [1]


def test_what_the_library_refuses_never_reaches_training(run_directory: Path) -> None:
    told: list[str] = []
    hub = TelemetryHub([WandbSink(settings(run_directory))], tell=told.append)

    hub.publish(run_started())
    hub.publish(checkpoint_written(5))
    hub.publish(window_closed())
    hub.publish(run_ended())
    (health,) = hub.close()

    assert (health.delivered, health.lost, health.off_reason) == (3, 1, None)
    assert "ckpt_000005.safetensors" in told[0]


def test_a_run_id_that_leaves_no_room_for_artifacts_is_refused_at_the_start(run_directory: Path) -> None:
    told: list[str] = []
    directory = run_directory.with_name("r" * (LONGEST_RUN_ID + 1))
    hub = TelemetryHub([WandbSink(settings(directory))], tell=told.append)

    hub.publish(run_started())
    (health,) = hub.close()

    assert health.off_reason is not None
    assert "is too long for artifacts; use at most 91 characters" in health.off_reason


def test_nothing_comes_before_the_start(run_directory: Path) -> None:
    with pytest.raises(ContractError, match="before RUN_STARTED"):
        WandbSink(settings(run_directory)).receive(window_closed())


def test_a_missing_library_is_said_when_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wandb", None)

    with pytest.raises(MissingExtra, match=r"Weights & Biases needs the extra 'track': pip install 'diorama\[track\]'"):
        WandbSink(settings(tmp_path))


@pytest.mark.parametrize(
    ("tag", "alias"),
    [
        pytest.param("best_so_far", "best_so_far", id="plain"),
        pytest.param("milestone:survival:1", "milestone-survival-1", id="colons"),
        pytest.param("operator:north/south run", "operator-north-south-run", id="slash-and-space"),
        pytest.param("v12", "tag-v12", id="looks-like-a-version"),
    ],
)
def test_tags_become_aliases(tag: str, alias: str) -> None:
    assert alias_of_tag(tag) == alias
