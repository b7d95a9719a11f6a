"""Datasets on disk: what is stored, what is refused, and that nothing is ever there by half."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from diorama.contracts.errors import ConfigError, DocumentError, RunConflict, UnknownName
from diorama.learn.imitation.dataset_files import read_versions
from diorama.learn.imitation.datasets import (
    DatasetPlan,
    Demonstrated,
    audit,
    open_dataset,
    read_episodes,
    write_dataset,
)
from tests.learn.cloning.datasets.episodes import LAYOUT, PLAN, SPEC, demonstrated, episode
from tests.learn.toys import head, toy_spec


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_dataset(tmp_path, PLAN, demonstrated())
    return tmp_path / "first"


def test_a_dataset_comes_back_as_it_was_written(folder: Path) -> None:
    manifest = open_dataset(folder, SPEC)

    for stored, written in zip(read_episodes(folder, manifest), demonstrated(), strict=True):
        assert np.array_equal(stored.rows, written.episode.rows)
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
        write_dataset(tmp_path / root, PLAN, demonstrated())

    first, second = (sorted((tmp_path / root / "first").iterdir()) for root in ("a", "b"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def _change(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        pytest.param(lambda f: _change(f / "0002-poor-citizen_002.npz"), "the file was changed", id="npz"),
        pytest.param(lambda f: _change(f / "0002-poor-citizen_002.json"), "the file was changed", id="details"),
        pytest.param(lambda f: _change(f / "manifest.json"), "the dataset was changed", id="manifest"),
        pytest.param(lambda f: (f / "0000-poor-citizen_000.npz").unlink(), "does not exist", id="missing"),
        pytest.param(
            lambda f: shutil.copy(f / "0003-usual-citizen_003.npz", f / "0001-usual-citizen_001.npz"),
            "the file was changed",
            id="swapped",
        ),
    ],
)
def test_a_changed_dataset_is_refused(folder: Path, spoil: Callable[[Path], object], reason: str) -> None:
    spoil(folder)

    with pytest.raises((DocumentError, UnknownName), match=reason):
        [*read_episodes(folder, open_dataset(folder, SPEC))]
    assert reason in "; ".join(audit(folder))


def test_a_file_that_was_put_beside_is_found_by_the_audit(folder: Path) -> None:
    (folder / "more.npz").write_bytes(b"")

    assert audit(folder) == [f"{folder / 'more.npz'}: is not in the manifest"]


def test_a_dataset_of_another_layout_is_refused(folder: Path) -> None:
    wider = toy_spec(SPEC.observation, (head("act", 5),), has_mask=True)
    narrower = toy_spec(SPEC.observation[:1], SPEC.heads, has_mask=True)

    with pytest.raises(DocumentError, match="options is"):
        open_dataset(folder, wider)
    with pytest.raises(DocumentError, match="observation width is 5; this needs 4"):
        open_dataset(folder, narrower)


def test_an_index_that_does_not_know_a_dataset_does_not_vouch_for_it(folder: Path) -> None:
    moved = folder.parent / "elsewhere" / "first"
    shutil.copytree(folder, moved)

    with pytest.raises(UnknownName, match="is called 'first'"):
        open_dataset(moved, SPEC)


def test_a_replaced_dataset_is_deprecated_and_refused(folder: Path) -> None:
    later = DatasetPlan(name="second", teacher="ruler", gamma=0.9, layout=LAYOUT)
    write_dataset(folder.parent, later, demonstrated(7), replaces="first")

    assert [(e.name, e.status) for e in read_versions(folder.parent).datasets] == [
        ("first", "deprecated"),
        ("second", "active"),
    ]
    with pytest.raises(DocumentError, match="deprecated"):
        open_dataset(folder, SPEC)
    assert open_dataset(folder.parent / "second", SPEC).name == "second"


def test_one_option_may_not_be_more_than_four_fifths(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="act1 makes up 100% of its 156 decisions"):
        write_dataset(tmp_path, PLAN, demonstrated(only=1))
    assert [path.name for path in tmp_path.iterdir()] == []


def test_a_capture_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    def breaks_off() -> Iterator[Demonstrated]:
        yield from demonstrated(2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_dataset(tmp_path, PLAN, breaks_off())
    assert [*tmp_path.iterdir()] == []


def test_what_cannot_be_written_says_why(folder: Path) -> None:
    with pytest.raises(RunConflict, match="exists already"):
        write_dataset(folder.parent, PLAN, demonstrated())
    with pytest.raises(UnknownName, match="'never'"):
        write_dataset(
            folder.parent,
            DatasetPlan(name="other", teacher="ruler", gamma=0.9, layout=LAYOUT),
            demonstrated(),
            replaces="never",
        )
    assert not (folder.parent / "other").exists()
    with pytest.raises(ConfigError, match="cannot be called"):
        write_dataset(
            folder.parent, DatasetPlan(name="../up", teacher="ruler", gamma=0.9, layout=LAYOUT), demonstrated()
        )
    with pytest.raises(ConfigError, match="no episodes"):
        write_dataset(folder.parent, DatasetPlan(name="none", teacher="ruler", gamma=0.9, layout=LAYOUT), [])


def test_an_episode_knows_where_it_had_a_choice() -> None:
    shown = episode(3, frames=6)

    assert shown.has_choice.tolist() == [False, True, True, False, True, True]
    assert len(shown.values) == 7
    assert shown.values[-1] == 0.0
