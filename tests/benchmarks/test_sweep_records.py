"""Presets agree with the sweeps that they name."""

import json
from pathlib import Path

import pytest

from diorama.worlds.registry import load_world, world_ids
from harness.sweep_records import disagreements, sweep_reference
from tests.scale.small_sweep import SPEC

ROOT = Path(__file__).parents[2]
PRESETS = sorted((ROOT / "src/diorama/worlds").glob("*/presets/*.yaml"))
PRESET = """\
# sweep: benchmarks/sweeps/small.json
# differs: steps
steps: 99
ppo:
  gamma: 0.95
"""


@pytest.mark.parametrize("preset", PRESETS, ids=lambda path: f"{path.parents[1].name}-{path.stem}")
def test_a_preset_has_the_best_settings_of_its_sweep(preset: Path) -> None:
    assert disagreements(preset, preset.parents[1].name, ROOT) == []


def test_presets_of_every_world_are_compared() -> None:
    assert {path.parents[1].name for path in PRESETS} == {load_world(name).id for name in world_ids()}


@pytest.fixture
def preset(tmp_path: Path) -> Path:
    path = tmp_path / "tuned.yaml"
    path.write_text(PRESET)
    return path


def write_sweep(root: Path, **best_settings: object) -> None:
    folder = root / "benchmarks/sweeps"
    folder.mkdir(parents=True)
    document = {
        "spec": SPEC.model_dump(mode="json"),
        "best": ["small-0001"],
        "best_settings": {"steps": 4096, **{name.replace("__", "."): value for name, value in best_settings.items()}},
    }
    (folder / "small.json").write_text(json.dumps(document))


def test_a_preset_that_names_a_sweep_is_compared_with_it(tmp_path: Path, preset: Path) -> None:
    write_sweep(tmp_path, ppo__gamma=0.95)

    reference = sweep_reference(preset)

    assert reference is not None
    assert (str(reference.path), reference.differs) == ("benchmarks/sweeps/small.json", frozenset({"steps"}))
    assert disagreements(preset, "prospector", tmp_path) == []
    assert disagreements(preset, "townlet", tmp_path) == [
        "benchmarks/sweeps/small.json is a sweep of prospector, not of townlet"
    ]


def test_settings_that_differ_without_saying_so_are_found(tmp_path: Path, preset: Path) -> None:
    write_sweep(tmp_path, ppo__gamma=0.9, steps=99)

    lines = disagreements(preset, "prospector", tmp_path)

    assert lines == [
        "ppo.gamma is 0.95; the best trial of benchmarks/sweeps/small.json has 0.9",
        "steps is said to differ and does not",
    ]


def test_a_sweep_that_is_not_there_is_found(tmp_path: Path, preset: Path) -> None:
    assert disagreements(preset, "prospector", tmp_path) == [
        "tuned.yaml names benchmarks/sweeps/small.json, which does not exist"
    ]
