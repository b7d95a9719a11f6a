from pathlib import Path

import msgspec
import pytest

from diorama.contracts.errors import CheckpointMismatch, ConfigError, UnknownName
from diorama.learn.evaluation.episodes import SilentProgress
from diorama.runs.checkpoints.tensor_files import file_sha256
from diorama.runs.documents import read_document
from diorama.training.champions import building
from diorama.training.champions.checking import check_champion
from diorama.worlds.registry import load_world
from tests.refusals import refused
from tests.training.champions.small_champion import RUN, build_small, train_taught
from tests.training.small_runs import small_plan, train_small


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("runs")
    train_taught(root)
    train_small(root, "aimless", small_plan(steps=512, backend="random"))
    return root


def test_a_champion_holds_what_its_card_says(root: Path, tmp_path: Path) -> None:
    champion = build_small(root, tmp_path / "champion")

    card, run_config = champion.card(), read_document(root / RUN / "config.json", dict)
    assert (card.world, card.origin_run_id, card.seed) == ("prospector", RUN, run_config["seed"])
    assert card.settings == champion.config() == run_config
    assert [row.name for row in card.evaluation.rows] == ["champion/prospector", *load_world("prospector").bots]
    assert all({"net_profit", "survival", "return_v2"} <= row.scores.keys() for row in card.evaluation.rows)
    assert all(score.low <= score.value <= score.high for row in card.evaluation.rows for score in row.scores.values())
    assert card.evaluation.sample_seeds == (7_000_000, 7_000_001, 7_000_002)
    assert all(file_sha256(champion.layout.resolve(item.path)) == item.sha256 for item in card.files)
    assert [path.name for path in tmp_path.iterdir()] == ["champion"]


def test_what_was_built_passes_every_check(root: Path, tmp_path: Path) -> None:
    champion = build_small(root, tmp_path / "champion")

    outcomes = check_champion(champion, "prospector", decisions=32, progress=SilentProgress())

    assert [outcome.check for outcome in outcomes] == ["card", "files", "policy", "onnx", "replay", "scores"]
    assert [outcome.problem for outcome in outcomes] == [None] * 6


def test_a_new_champion_takes_the_place_of_the_old_one_as_a_whole(root: Path, tmp_path: Path) -> None:
    first = build_small(root, tmp_path / "champion", episodes=2)
    (first.layout.directory / "leftover").write_text("of the old one")

    second = build_small(root, tmp_path / "champion")

    assert second.card().evaluation.episodes == 3
    assert not (second.layout.directory / "leftover").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["champion"]


def test_a_build_that_fails_leaves_the_old_one(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = build_small(root, tmp_path / "champion").card()
    monkeypatch.setattr(building, "MAX_POLICY_BYTES", 1000)

    with refused(ConfigError, "champion_too_large", most=1000):
        build_small(root, tmp_path / "champion")

    assert msgspec.json.decode((tmp_path / "champion" / "card.json").read_bytes())["built_at"] == before.built_at
    assert [path.name for path in tmp_path.iterdir()] == ["champion"]


def test_a_run_of_another_world_is_refused(root: Path, tmp_path: Path) -> None:
    with refused(ConfigError, "champion_of_another_world", world="prospector", wanted="townlet"):
        build_small(root, tmp_path / "champion", world="townlet")


def test_a_run_without_a_policy_is_refused(root: Path, tmp_path: Path) -> None:
    with refused(CheckpointMismatch, "run_has_no_policy", run_id="aimless"):
        build_small(root, tmp_path / "champion", run_id="aimless")


def test_a_run_that_does_not_exist_is_refused(root: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="there is no run 'nobody'"):
        build_small(root, tmp_path / "champion", run_id="nobody")
