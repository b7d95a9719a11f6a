"""What a run begins from: the policy of another run, a dataset, or demonstrations of a bot."""

from pathlib import Path

import numpy as np
import pytest

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.runs.checkpoints.files import newest_checkpoint
from diorama.runs.layout import RunLayout
from tests.refusals import refused
from tests.runs.kept_policies import kept_tensors
from tests.training.small_runs import assert_same_training, resume_small, small_plan, train_small

STILL: dict[str, object] = {"optimizer": {"learning_rate": 1e-12}, "steps": 512}


def weights(layout: RunLayout) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    tensors = kept_tensors(newest_checkpoint(layout))
    return np.concatenate([tensor.numpy().ravel() for name, tensor in tensors.items() if name.startswith("encoder")])


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> RunLayout:
    return train_small(tmp_path_factory.mktemp("first"), "first", small_plan(steps=1024)).layout


@pytest.mark.slow
def test_a_run_continues_the_policy_it_starts_from(tmp_path: Path, first: RunLayout) -> None:
    from_run = train_small(tmp_path, "run", small_plan(start=str(first.directory), **STILL))
    from_file = train_small(tmp_path, "file", small_plan(start=str(newest_checkpoint(first)), **STILL))
    from_nothing = train_small(tmp_path, "nothing", small_plan(**STILL))

    assert np.abs(weights(from_run.layout) - weights(first)).max() < 1e-6
    assert np.array_equal(weights(from_file.layout), weights(from_run.layout))
    assert np.abs(weights(from_nothing.layout) - weights(first)).max() > 1e-3


@pytest.mark.slow
def test_a_run_that_starts_from_a_policy_does_not_imitate(tmp_path: Path, first: RunLayout) -> None:
    cloning = {"bot": "prudent_hauler", "decisions": 512, "copies": 8, "epochs": 1}

    started = train_small(tmp_path, "run", small_plan(start=str(first.directory), cloning=cloning, **STILL))

    assert np.abs(weights(started.layout) - weights(first)).max() < 1e-6


@pytest.mark.slow
def test_a_resumed_run_does_not_load_its_start_again(tmp_path: Path, first: RunLayout) -> None:
    plan = small_plan(start=str(first.directory), steps=2048)
    whole = train_small(tmp_path, "whole", plan)
    train_small(tmp_path, "parts", small_plan(start=str(first.directory), steps=1024))

    grown = resume_small(tmp_path, "parts", plan)

    assert_same_training(whole.layout, grown.layout)


@pytest.mark.parametrize(
    ("changes", "code", "fields"),
    [
        pytest.param(
            {"policy": {"arch": "mlp-8-tanh-v1"}},
            "start_has_another_architecture",
            {"arch": "mlp-16-tanh-v1"},
            id="arch",
        ),
        pytest.param(
            {"normalization": {"observations": False}}, "start_has_another_normalization", {}, id="normalization"
        ),
    ],
)
def test_a_start_that_does_not_fit_is_refused(
    tmp_path: Path, first: RunLayout, changes: dict[str, object], code: str, fields: dict[str, object]
) -> None:
    with refused(ConfigError, code, start=str(first.directory), **fields):
        train_small(tmp_path, "run", small_plan(start=str(first.directory), steps=256, **changes))

    assert not (tmp_path / "run").exists()


def test_a_start_or_a_dataset_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName):
        train_small(tmp_path, "run", small_plan(start=str(tmp_path / "nowhere"), steps=256))
    with pytest.raises(UnknownName):
        train_small(tmp_path, "run", small_plan(cloning={"dataset": str(tmp_path / "nowhere")}, steps=256))
    assert [*tmp_path.iterdir()] == []


@pytest.mark.slow
def test_a_second_round_demonstrates_in_states_that_the_clone_reaches(tmp_path: Path) -> None:
    def clone(name: str, rounds: int) -> RunLayout:
        cloning = {"bot": "prudent_hauler", "decisions": 512, "copies": 8, "epochs": 2, "rounds": rounds}
        return train_small(tmp_path, name, small_plan(cloning=cloning, **STILL)).layout

    once, twice, again = clone("once", 1), clone("twice", 2), clone("again", 2)

    assert not np.array_equal(weights(once), weights(twice))
    assert np.array_equal(weights(twice), weights(again))
