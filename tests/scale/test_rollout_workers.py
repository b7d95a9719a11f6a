"""Rollouts and matches that workers of a cluster gather for a learner, while one of its machines is lost."""

from pathlib import Path
from threading import Event
from typing import Any

import pytest

from diorama.contracts.errors import DioramaError
from diorama.contracts.training_reports import UpdateReport
from diorama.runs.checkpoints.resume import newest_resume_point
from diorama.runs.clock import SystemClock
from diorama.runs.layout import RunLayout
from diorama.runs.matches import read_matches
from diorama.training.callbacks.progress import NoProgress
from diorama.training.plan import plan_training
from diorama.training.presets import Layer, settings_of
from diorama.training.run import resume, train
from tests.scale.clusters import ON_RAY
from tests.training.small_runs import SMALL, SMALL_MATCHES, rows_without_wall_clock, train_small

pytestmark = ON_RAY


class _Saboteur(NoProgress):
    """Takes a machine away between two rollouts of its worker, puts another in its place, and later ends the run."""

    def __init__(self, nodes: Any) -> None:
        self._nodes = nodes
        self.stop = Event()

    def update(self, report: UpdateReport) -> None:
        if report.update == 4:
            self._nodes.remove_node(next(iter(self._nodes.worker_nodes)), allow_graceful=False)
            self._nodes.add_node(num_cpus=1)
        if report.update == 7:
            self.stop.set()


def kept(layout: RunLayout) -> dict[str, object]:
    """Everything a run comes to, but for when and under which name it happened."""
    training = newest_resume_point(layout).training
    values = dict(training.values)
    # Hashes of frozen policies: their files carry the name of the run.
    matches = {key: value for key, value in values.pop("matches", {}).items() if key != "snapshots"}
    return {
        "values": values,
        "matches": matches,
        "results": read_matches(layout) if matches else [],
        "tensors": {name: tensor.numpy().tobytes() for name, tensor in training.tensors.items()},
        "snapshots": training.snapshots,
        "windows": rows_without_wall_clock(layout),
    }


@pytest.mark.parametrize(
    ("small", "changes"),
    [
        pytest.param(SMALL, {"policy": {"arch": "mingru-16-v1"}, "steps": 4096}, id="rollouts"),
        pytest.param(SMALL_MATCHES, {}, id="matches"),
    ],
)
def test_a_run_with_workers_one_of_which_is_lost_is_bit_for_bit_that_of_one_process(
    small: Any, changes: Any, nodes: Any, tmp_path: Path
) -> None:
    from diorama.scale.rollouts.source import RemoteCopies

    layers = [
        Layer(source="small", values=small),
        Layer(source="test", values={**changes, "execution": {"threads": 1}}),
    ]
    plan, clock, saboteur = plan_training(settings_of(layers)), SystemClock(), _Saboteur(nodes)
    here = train_small(tmp_path, "here", plan).layout
    copies = RemoteCopies(plan, 2, tell=print)
    there = train(
        plan, tmp_path, "there", progress=saboteur, stop=saboteur.stop, clock=clock, remote_envs=copies
    ).layout
    assert saboteur.stop.is_set()
    copies = RemoteCopies(plan, 2, tell=print)
    steps = plan.settings.steps
    resume(plan, tmp_path, "there", steps=steps, progress=NoProgress(), stop=Event(), clock=clock, remote_envs=copies)

    one, other = kept(here), kept(there)
    assert [name for name in one if one[name] != other[name]] == []


def test_a_worker_that_cannot_be_made_ends_the_run_with_one_line(nodes: Any, tmp_path: Path) -> None:
    from diorama.scale.rollouts.source import RemoteCopies

    plan = plan_training(settings_of([Layer(source="small", values={**SMALL, "copies": 1})]))
    copies = RemoteCopies(plan, 2, tell=print)
    with pytest.raises(
        DioramaError, match=r"^a rollout worker is gone for good: .*cannot split 1 copies into 2"
    ) as said:
        train(plan, tmp_path, "none", progress=NoProgress(), stop=Event(), clock=SystemClock(), remote_envs=copies)
    assert "\n" not in str(said.value)
