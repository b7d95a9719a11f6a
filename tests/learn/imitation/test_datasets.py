"""Datasets on disk: round trips, refusals, and no partly written dataset."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from diorama.contracts.errors import ConfigError, ContractError, DioramaError, DocumentError, RunConflict, UnknownName
from diorama.learn.imitation.dataset_files import read_versions
from diorama.learn.imitation.datasets import (
    DatasetPlan,
    RecordedEpisode,
    audit,
    open_dataset,
    read_episodes,
    write_dataset,
)
from tests.learn.imitation.episodes import LAYOUT, PLAN, SPEC, episode, recorded_episodes
from tests.learn.toys import head, toy_spec
from tests.refusals import refused


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_dataset(tmp_path, PLAN, recorded_episodes())
    return tmp_path / "first"


def test_a_dataset_comes_back_as_it_was_written(folder: Path) -> None:
    manifest = open_dataset(folder, SPEC)

    for stored, written in zip(read_episodes(folder, manifest), recorded_episodes(), strict=True):
        assert np.array_equal(stored.observation_rows, written.episode.observation_rows)
        assert np.array_equal(stored.actions, written.episode.actions)
        assert np.array_equal(stored.values, written.episode.values)
        assert list(stored.observation) == ["map", "features"]
    assert manifest.frames == 240
    assert manifest.decisions == sum(manifest.action_counts.values()) == sum(e.decisions for e in manifest.samples)
    details = json.loads((folder / "0001-usual-citizen_001.json").read_text())
    assert details["tags"] == ["made-up"]
    assert details["metrics"] == {"return": 1.0}
    assert audit(folder) == []


def test_the_same_episodes_give_the_same_bytes(tmp_path: Path) -> None:
    for root in ("a", "b"):
        write_dataset(tmp_path / root, PLAN, recorded_episodes())

    first, second = (sorted((tmp_path / root / "first").iterdir()) for root in ("a", "b"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def _change(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        pytest.param(lambda f: _change(f / "0002-poor-citizen_002.npz"), "dataset_file_changed", id="npz"),
        pytest.param(lambda f: _change(f / "0002-poor-citizen_002.json"), "dataset_file_changed", id="details"),
        pytest.param(lambda f: _change(f / "manifest.json"), "dataset_changed", id="manifest"),
        pytest.param(lambda f: (f / "0000-poor-citizen_000.npz").unlink(), "artifact_missing", id="missing"),
        pytest.param(
            lambda f: shutil.copy(f / "0003-usual-citizen_003.npz", f / "0001-usual-citizen_001.npz"),
            "dataset_file_changed",
            id="swapped",
        ),
    ],
)
def test_a_changed_dataset_is_refused(folder: Path, spoil: Callable[[Path], object], code: str) -> None:
    spoil(folder)

    with refused(DioramaError, code) as caught:
        [*read_episodes(folder, open_dataset(folder, SPEC))]
    assert audit(folder) == [str(caught.value)]


def test_the_audit_finds_files_that_are_not_in_the_manifest(folder: Path) -> None:
    (folder / "more.npz").write_bytes(b"")

    assert audit(folder) == [f"{folder / 'more.npz'}: is not in the manifest"]


def test_a_dataset_of_another_layout_is_refused(folder: Path) -> None:
    wider = toy_spec(SPEC.observation, (head("act", 5),), has_mask=True)
    narrower = toy_spec(SPEC.observation[:1], SPEC.heads, has_mask=True)

    with refused(DocumentError, "dataset_layout_mismatch", part="options", found=SPEC.option_names):
        open_dataset(folder, wider)
    with refused(DocumentError, "dataset_layout_mismatch", part="observation width", found=5, expected=4):
        open_dataset(folder, narrower)


def test_a_dataset_that_is_not_in_the_index_of_its_folder_is_refused(folder: Path) -> None:
    moved = folder.parent / "elsewhere" / "first"
    shutil.copytree(folder, moved)

    with refused(UnknownName, "unknown_dataset", name="first"):
        open_dataset(moved, SPEC)


def test_a_replaced_dataset_is_deprecated_and_refused(folder: Path) -> None:
    write_dataset(folder.parent, _plan("second"), recorded_episodes(7), replaces="first")

    assert [(e.name, e.status) for e in read_versions(folder.parent).datasets] == [
        ("first", "deprecated"),
        ("second", "active"),
    ]
    with refused(DocumentError, "dataset_deprecated", path=str(folder)):
        open_dataset(folder, SPEC)
    assert open_dataset(folder.parent / "second", SPEC).name == "second"


def test_one_option_may_not_be_more_than_four_fifths(tmp_path: Path) -> None:
    with refused(ConfigError, "dataset_dominated_by_option", option="act1", decisions=156, total=156):
        write_dataset(tmp_path, PLAN, recorded_episodes(only=1))
    assert [path.name for path in tmp_path.iterdir()] == []


def test_a_capture_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    def breaks_off() -> Iterator[RecordedEpisode]:
        yield from recorded_episodes(2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_dataset(tmp_path, PLAN, breaks_off())
    assert [*tmp_path.iterdir()] == []


def _plan(name: str) -> DatasetPlan:
    return DatasetPlan(name=name, teacher="ruler", gamma=0.9, layout=LAYOUT)


def test_a_dataset_is_never_overwritten(folder: Path) -> None:
    with refused(RunConflict, "dataset_exists", path=str(folder)):
        write_dataset(folder.parent, PLAN, recorded_episodes())


def test_a_dataset_that_cannot_be_written_leaves_no_folder(folder: Path) -> None:
    with refused(UnknownName, "unknown_dataset", name="never"):
        write_dataset(folder.parent, _plan("other"), recorded_episodes(), replaces="never")
    with refused(ConfigError, "dataset_name_invalid", name="../up"):
        write_dataset(folder.parent, _plan("../up"), recorded_episodes())
    with refused(ConfigError, "dataset_without_episodes", dataset="none"):
        write_dataset(folder.parent, _plan("none"), [])

    assert sorted(path.name for path in folder.parent.iterdir()) == ["first", "index.json"]


def test_decisions_with_a_single_valid_option_leave_no_choice() -> None:
    short = episode(3, frames=6)

    assert short.has_choice.tolist() == [False, True, True, False, True, True]
    assert len(short.values) == 7
    assert short.values[-1] == 0.0


@pytest.mark.parametrize(
    ("changes", "kind", "code"),
    [
        pytest.param({"rewards": np.zeros(5, np.float32)}, ContractError, "episode_lengths_differ", id="lengths"),
        pytest.param(
            {"observation": {"masks": np.zeros((6, 1), np.float32)}}, ContractError, "observation_name_taken", id="name"
        ),
    ],
)
def test_arrays_that_do_not_make_an_episode_are_refused(
    changes: dict[str, object], kind: type[DioramaError], code: str
) -> None:
    with refused(kind, code):
        replace(episode(3, frames=6), **changes)  # type: ignore[arg-type]
