"""Champions as opponents of a league and as the start of a training."""

import shutil
from pathlib import Path

import msgspec
import pytest
import torch

from diorama.contracts.errors import CheckpointMismatch, ConfigError, UnknownName
from diorama.learn.evaluation.episodes import SilentProgress
from diorama.runs import champions
from diorama.runs.checkpoints.files import MODEL_PREFIX, newest_checkpoint, read_checkpoint_header
from diorama.runs.checkpoints.resume import newest_resume_point
from diorama.runs.checkpoints.tensor_files import write_tensors
from diorama.runs.clock import SystemClock
from diorama.runs.documents import replace_document
from diorama.runs.layout import RunLayout
from diorama.runs.matches import read_matches, read_ratings
from diorama.runs.run import Run
from diorama.training.champions.building import ChampionRequest, build_champion
from diorama.training.plan import plan_training
from diorama.training.presets import Layer, settings_of
from tests.refusals import refused
from tests.runs.kept_policies import kept_tensors
from tests.training.small_runs import (
    SMALL_MATCHES,
    StopAfter,
    resume_small,
    rows_without_wall_clock,
    small_plan,
    train_small,
)

NAME = "champion/tidebreak"
LEAGUE = {"self_play": {"pool_every": 3, "pool_size": 2, "self_share": 0.2, "scripts": ["idle", NAME]}}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of worlds, in which one of them has a champion."""
    root = tmp_path_factory.mktemp("champions")
    train_small(root, "teacher", small_plan(SMALL_MATCHES, steps=256))
    request = ChampionRequest(
        world="tidebreak",
        run_root=root,
        run_id="teacher",
        episodes=1,
        sample_episodes=1,
        sample_decisions=4,
        replay_steps=4,
        compared_decisions=8,
        output=root / "tidebreak" / "champion",
    )
    build_champion(request, clock=SystemClock(), progress=SilentProgress())
    return root


@pytest.fixture
def crowned(package: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the champions of that folder be those that come with the worlds."""
    monkeypatch.setattr(champions, "world_folder", lambda world: package / world)
    return package


@pytest.mark.slow
def test_a_league_meets_the_champion_and_a_resumed_one_meets_the_same(
    crowned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = small_plan(SMALL_MATCHES, **LEAGUE)
    whole = train_small(tmp_path / "whole", "league", plan).layout
    stopping = StopAfter(700)
    train_small(tmp_path / "parts", "league", plan, progress=stopping, stop=stopping.stop)
    replace_champion(crowned, tmp_path / "successors")
    monkeypatch.setattr(champions, "world_folder", lambda world: tmp_path / "successors" / world)

    resumed = resume_small(tmp_path / "parts", "league", plan).layout

    assert NAME in {match["opponent"] for match in read_matches(whole)}
    ratings = read_ratings(whole)
    assert ratings is not None
    assert NAME in dict(ratings.ratings)
    ours, theirs = newest_resume_point(whole).training, newest_resume_point(resumed).training
    assert ours.snapshots == theirs.snapshots
    assert {name: tensor.numpy().tobytes() for name, tensor in ours.tensors.items()} == {
        name: tensor.numpy().tobytes() for name, tensor in theirs.tensors.items()
    }
    assert read_matches(whole) == read_matches(resumed)
    assert rows_without_wall_clock(whole) == rows_without_wall_clock(resumed)


def replace_champion(package: Path, successors: Path) -> None:
    """Write a champion of the same kind that decides otherwise."""
    shutil.copytree(package / "tidebreak", successors / "tidebreak")
    champion = champions.Champion(RunLayout(successors / "tidebreak" / "champion", NAME))
    path, header = champion.policy_path(), read_checkpoint_header(champion.policy_path())
    tensors = {f"{MODEL_PREFIX}{name}": -tensor for name, tensor in kept_tensors(path).items()}
    card = champion.card()
    policy = msgspec.structs.replace(card.policy, sha256=write_tensors(path, header, tensors))
    replace_document(champion.card_path, msgspec.structs.replace(card, policy=policy))


@pytest.mark.slow
@pytest.mark.usefixtures("crowned")
def test_a_champion_that_is_not_the_one_of_its_card_is_not_met(
    crowned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_champion(crowned, tmp_path / "successors")
    shutil.copy(crowned / "tidebreak/champion/card.json", tmp_path / "successors/tidebreak/champion/card.json")
    monkeypatch.setattr(champions, "world_folder", lambda world: tmp_path / "successors" / world)

    with pytest.raises(CheckpointMismatch, match="is on record"):
        train_small(tmp_path, "league", small_plan(SMALL_MATCHES, **LEAGUE))


@pytest.mark.slow
@pytest.mark.usefixtures("crowned")
def test_a_champion_that_remembers_more_than_the_learner_is_refused() -> None:
    with refused(ConfigError, "champion_has_more_memory", memory=8, most=4):
        small_plan(SMALL_MATCHES, **LEAGUE, policy={"arch": "mingru-4-v1"})


@pytest.mark.slow
@pytest.mark.usefixtures("crowned")
def test_a_champion_that_sees_otherwise_is_refused() -> None:
    with pytest.raises(CheckpointMismatch, match="observation shape"):
        small_plan(SMALL_MATCHES, **LEAGUE, config={"observation": "v1"})


def test_a_league_of_a_world_without_a_champion_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(champions, "world_folder", lambda world: tmp_path / world)

    with refused(UnknownName, "world_has_no_champion", world="tidebreak"):
        small_plan(SMALL_MATCHES, **LEAGUE)


def test_the_champion_of_another_world_is_no_opponent() -> None:
    other = {"self_play": {**LEAGUE["self_play"], "scripts": ["champion/prospector"]}}

    with refused(UnknownName, "unknown_script", name="champion/prospector"):
        small_plan(SMALL_MATCHES, **other)


def test_a_training_starts_from_a_champion(tmp_path: Path) -> None:
    champion = champions.open_champion("prospector")
    stored = {**champion.config(), "start": "champion/prospector", "cloning": None, "steps": 1024, "copies": 16}
    changes = {
        "ppo": {"rollout_steps": 16},
        "optimizer": {"learning_rate": 1e-12},
        "windows": {"env_steps": 512},
        "execution": {"lane_copies": 8},
        "evaluation": {"max_steps_per_episode": 16, "closing_episodes": 0},
        "schedule_steps": 1024,
    }
    plan = plan_training(settings_of([Layer(source="card", values=stored), Layer(source="test", values=changes)]))

    layout = train_small(tmp_path, "more", plan).layout

    ours, origin = kept_tensors(newest_checkpoint(layout)), kept_tensors(champion.policy_path())
    weights = [name for name in origin if "weight" in name and "normal" not in name]
    assert weights
    assert all(torch.allclose(ours[name], origin[name], atol=1e-6) for name in weights)
    assert Run(layout).metadata().env_steps_total == 1024
