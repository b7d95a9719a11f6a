import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import onnx
import pytest

from diorama.contracts.errors import DioramaError
from diorama.learn.evaluation.episodes import SilentProgress
from diorama.runs.champions import CardEpisode, Champion, ChampionCard, champion_worlds, open_champion
from diorama.runs.checkpoints.tensor_files import file_sha256
from diorama.runs.documents import replace_document
from diorama.runs.layout import RunLayout
from diorama.runs.replays.rerun import Divergence
from diorama.runs.replays.verify import verify_replay
from diorama.training.champions import checking
from diorama.training.champions.checking import CheckOutcome, check_champion
from diorama.training.champions.contender import differing_seeds
from tests.training.champions.small_champion import build_small, train_taught


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Champion:
    root = tmp_path_factory.mktemp("runs")
    train_taught(root)
    return build_small(root, tmp_path_factory.mktemp("built") / "champion")


@pytest.fixture
def champion(built: Champion, tmp_path: Path) -> Champion:
    """Return a copy that a test may damage."""
    shutil.copytree(built.layout.directory, tmp_path / "champion")
    return Champion(RunLayout(tmp_path / "champion", built.layout.run_id))


def checked(champion: Champion) -> tuple[CheckOutcome, ...]:
    return check_champion(champion, "prospector", decisions=32, progress=SilentProgress())


def problem_of(champion: Champion) -> tuple[str, str]:
    """Return the first check that fails and the code of what it found."""
    failed = next(outcome for outcome in checked(champion) if outcome.problem is not None)
    assert isinstance(failed.problem, DioramaError)
    return failed.check, failed.problem.code


@pytest.mark.parametrize("world", champion_worlds())
def test_every_champion_that_ships_fits_its_world_and_its_card(world: str) -> None:
    outcomes = check_champion(open_champion(world), world, decisions=64, progress=SilentProgress())

    assert [(outcome.check, outcome.detail) for outcome in outcomes if outcome.problem is not None] == []


@pytest.mark.parametrize("name", ["policy", "onnx", "frames", "sidecar"])
def test_a_changed_byte_in_any_file_is_found(name: str, champion: Champion) -> None:
    path = champion.layout.resolve(getattr(champion.card(), name).path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)

    assert problem_of(champion) == ("files", "champion_does_not_fit")


def test_a_missing_file_is_found(champion: Champion) -> None:
    champion.onnx_path().unlink()

    assert problem_of(champion) == ("files", "champion_file_missing")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda card: {"interface_version": "prospector-v0"}, id="interface"),
        pytest.param(lambda card: {"world": "townlet"}, id="world"),
        pytest.param(lambda card: {"config": {**card.config, "time_max": 200.0}}, id="config"),
        pytest.param(lambda card: {"seed": card.seed + 1}, id="seed"),
        pytest.param(lambda card: {"settings": {**card.settings, "steps": 1}}, id="settings"),
        pytest.param(lambda card: {"deterministic": not card.deterministic}, id="deterministic"),
        pytest.param(
            lambda card: {"evaluation": msgspec.structs.replace(card.evaluation, rows=card.evaluation.rows[:-1])},
            id="scripts",
        ),
    ],
)
def test_a_card_that_does_not_fit_is_found(
    change: Callable[[ChampionCard], dict[str, object]], champion: Champion
) -> None:
    card = champion.card()
    replace_document(champion.card_path, msgspec.structs.replace(card, **change(card)))

    assert problem_of(champion) == ("card", "champion_does_not_fit")


@pytest.mark.parametrize("change", [{"parameters": 1}, {"env_steps_total": 1}, {"policy_arch": "mlp-8-tanh-v1"}])
def test_a_card_of_another_policy_is_found(change: dict[str, object], champion: Champion) -> None:
    replace_document(champion.card_path, msgspec.structs.replace(champion.card(), **change))

    assert problem_of(champion) == ("policy", "champion_does_not_fit")


def test_scores_that_do_not_come_out_are_found(champion: Champion) -> None:
    card = champion.card()
    sample = tuple(msgspec.structs.replace(item, ticks=item.ticks + 1) for item in card.evaluation.sample)
    changed = msgspec.structs.replace(card, evaluation=msgspec.structs.replace(card.evaluation, sample=sample))
    replace_document(champion.card_path, changed)

    assert problem_of(champion) == ("scores", "champion_scores_differ")


def with_onnx_file(champion: Champion, content: bytes) -> Champion:
    """Put another ONNX file in the place of the champion's, with a card that knows its checksum."""
    path, card = champion.onnx_path(), champion.card()
    path.write_bytes(content)
    onnx_file = msgspec.structs.replace(card.onnx, sha256=file_sha256(path), size_bytes=len(content))
    replace_document(champion.card_path, msgspec.structs.replace(card, onnx=onnx_file))
    return champion


def test_an_onnx_file_with_other_weights_is_found(champion: Champion) -> None:
    model = onnx.load(champion.onnx_path())
    weights = next(item for item in model.graph.initializer if item.data_type == onnx.TensorProto.FLOAT)
    weights.CopyFrom(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(weights) + np.float32(1.0), weights.name))

    assert problem_of(with_onnx_file(champion, model.SerializeToString())) == ("onnx", "champion_onnx_differs")


def test_an_onnx_file_of_another_kind_of_policy_is_found(champion: Champion) -> None:
    with_memory = open_champion("prospector").onnx_path().read_bytes()

    assert problem_of(with_onnx_file(champion, with_memory)) == ("onnx", "export_inputs_differ")


def test_a_replay_that_does_not_come_out_again_is_found(champion: Champion, monkeypatch: pytest.MonkeyPatch) -> None:
    diverged = Divergence(frame=3, field="reward", recorded=1.0, rerun=2.0)
    monkeypatch.setattr(checking, "verify_replay", lambda reader: replace(verify_replay(reader), divergence=diverged))

    assert problem_of(champion) == ("replay", "champion_replay_diverged")


def test_settings_that_no_longer_exist_are_found(champion: Champion) -> None:
    card = champion.card()
    replace_document(champion.card_path, msgspec.structs.replace(card, settings={**card.settings, "alchemy": 1}))

    assert problem_of(champion) == ("card", "champion_settings_invalid")


def test_checks_that_need_a_whole_policy_are_left_out_without_one(champion: Champion) -> None:
    champion.policy_path().unlink()

    assert [outcome.check for outcome in checked(champion)] == ["card", "files"]


def test_numbers_of_a_world_that_drifts_may_lie_a_little_apart() -> None:
    card = open_champion("prospector").card()
    near = [_moved(item, 0.01) for item in card.evaluation.sample]

    assert differing_seeds(card, near, drift=0.02) == ()
    assert differing_seeds(card, near, drift=0.0) == card.evaluation.sample_seeds


def _moved(episode: CardEpisode, by: float) -> CardEpisode:
    return msgspec.structs.replace(episode, metrics={key: value + by for key, value in episode.metrics.items()})
