"""TensorBoard gets every number of windows and updates over the steps of the run."""

import sys
from pathlib import Path

import pytest
from tensorboardX.proto.event_pb2 import SessionLog

from diorama.contracts.errors import ContractError, MissingExtra
from diorama.telemetry.tensorboard_sink import TensorboardSink
from tests.telemetry.factories import (
    policy_updated,
    run_ended,
    run_started,
    update_report,
    window_closed,
)
from tests.telemetry.tensorboard_files import read_events, scalars


def test_windows_and_updates_are_scalars_over_env_steps(tmp_path: Path) -> None:
    sink = TensorboardSink(tmp_path / "tensorboard")

    for event in (
        run_started(),
        policy_updated(update_report(2), {"adv_min_std": 0.5}),
        window_closed(0),
        window_closed(1, return_mean=7.5),
        run_ended(),
    ):
        sink.receive(event)
    sink.close()

    written = scalars(tmp_path / "tensorboard")
    assert written["ppo/loss_value", 1024] == 0.75
    assert written["ppo/explained_variance", 1024] == pytest.approx(0.4)
    assert written["ppo/adv_min_std", 1024] == 0.5
    assert written["window/reward_mean", 1024] == 0.25
    assert written["window/return_mean", 2048] == 7.5
    # Text, flags, nothing and objects are no scalars.
    windows = {tag for tag, _ in written if tag.startswith("window/")}
    assert windows == {
        "window/schema_version",
        "window/window_id",
        "window/env_steps_total",
        "window/reward_mean",
        "window/return_mean",
    }


def test_a_resumed_run_hides_what_it_tells_again(tmp_path: Path) -> None:
    sink = TensorboardSink(tmp_path)
    sink.receive(run_started(is_resumed=True, env_steps_total=1024))
    sink.receive(window_closed(1))
    sink.close()

    (file,) = tmp_path.iterdir()
    starts = [event for event in read_events(file) if event.session_log.status == SessionLog.START]
    assert [event.step for event in starts] == [1025]


def test_nothing_comes_before_the_start(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="before RUN_STARTED"):
        TensorboardSink(tmp_path).receive(window_closed())


def test_a_missing_library_is_said_when_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboardX", None)

    with pytest.raises(MissingExtra, match=r"TensorBoard needs the extra 'track': pip install 'diorama\[track\]'"):
        TensorboardSink(tmp_path)
