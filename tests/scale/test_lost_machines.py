"""A sweep on a cluster of several nodes, one of which is lost while it works."""

import json
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import pytest

from diorama.runs.run import open_run
from diorama.scale.sweeps.report import SweepRequest
from diorama.scale.sweeps.running import run_sweep
from diorama.scale.sweeps.trial import run_trial
from tests.scale.clusters import ON_RAY
from tests.scale.small_sweep import SPEC

pytestmark = ON_RAY


def test_trials_of_a_lost_machine_go_on_elsewhere_and_come_out_the_same(nodes: Any, tmp_path: Path) -> None:
    spec = SPEC.model_copy(update={"trials": 3, "settings": {**SPEC.settings, "steps": 32768}})
    request = SweepRequest(
        spec=spec, name="lost", root=tmp_path / "sweeps", run_root=tmp_path / "runs", parallel=2, cpus=1
    )
    lost: list[Path] = []

    def lose_a_node() -> None:
        checkpoints = tmp_path / "runs" / "lost-0000" / "checkpoints"
        while not list(checkpoints.glob("*.safetensors")):
            sleep(0.02)
        lost.append(checkpoints)
        nodes.remove_node(next(iter(nodes.worker_nodes)), allow_graceful=False)

    saboteur = Thread(target=lose_a_node, daemon=True)
    saboteur.start()
    rows = run_sweep(request, told=lambda rows: None)

    assert lost
    assert [row.state for row in rows] == ["complete"] * 3
    report = json.loads((tmp_path / "sweeps" / "lost" / "sweep.json").read_text())
    assert [trial["run_id"] for trial in report["trials"]] == ["lost-0000", "lost-0001", "lost-0002"]
    assert set(report["best"]) <= {row.run_id for row in rows}
    for row in rows:
        undisturbed = run_trial(spec, row.chosen, tmp_path / "again", row.run_id, lambda windows, score: True)
        assert row.score == undisturbed.score
        assert open_run(tmp_path / "runs", row.run_id).metadata().env_steps_total == 32768


def test_a_sweep_that_was_left_goes_on(nodes: Any, tmp_path: Path) -> None:
    spec = SPEC.model_copy(update={"trials": 1})
    request = SweepRequest(
        spec=spec, name="left", root=tmp_path / "sweeps", run_root=tmp_path / "runs", parallel=1, cpus=1
    )

    class Left(Exception):
        pass

    def leave(rows: object) -> None:
        raise Left

    with pytest.raises(Left):
        run_sweep(request, told=leave)
    more = SweepRequest(
        spec=spec.model_copy(update={"trials": 2}),
        name="left",
        root=request.root,
        run_root=request.run_root,
        parallel=1,
        cpus=1,
    )
    sleep(1.0)
    rows = run_sweep(more, told=lambda rows: None)

    assert [(row.run_id, row.state) for row in rows] == [("left-0000", "complete"), ("left-0001", "complete")]
