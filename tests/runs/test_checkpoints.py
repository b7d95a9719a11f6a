import json
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import torch

from diorama.contracts.errors import CheckpointMismatch, DocumentError, MissingExtra, StorageError, UnknownName
from diorama.contracts.values import JsonObject
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import NormalizationSettings, PolicySettings
from diorama.learn.state import TrainerState, prefixed
from diorama.runs.checkpoints.choosing import choose_checkpoint
from diorama.runs.checkpoints.files import (
    checkpoint_path,
    checkpoint_paths,
    newest_checkpoint,
    open_policy,
    read_checkpoint_header,
    write_checkpoint,
)
from diorama.runs.checkpoints.headers import PolicyCheckpoint, RandomCheckpoint, check_shapes
from diorama.runs.checkpoints.resume import StoredTraining, newest_model_shapes, newest_resume_point, save_training
from diorama.runs.checkpoints.tensor_files import file_sha256
from diorama.runs.documents import replace_document
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import BestCheckpoint, LatestCheckpoint
from diorama.training.policy_files import load_policy, policy_checkpoint
from diorama.worlds.registry import load_world
from tests.refusals import refused
from tests.runs.factories import CONFIG_HASH, metadata
from tests.runs.full_disk import no_file_longer_than
from tests.runs.kept_policies import kept_tensors

WORLD = load_world("prospector")
SPEC = WORLD.describe(WORLD.config_type())
SETTINGS = PolicySettings(arch="mlp-16x16-tanh-v1")
PLAIN = NormalizationSettings()


@pytest.fixture
def layout(tmp_path: Path) -> RunLayout:
    return RunLayout(tmp_path / "run-a")


def header(window_id: int = 3, settings: PolicySettings = SETTINGS) -> PolicyCheckpoint:
    return policy_checkpoint(
        SPEC, settings, PLAIN, run_id="run-a", window_id=window_id, env_steps_total=4096, created_at="then"
    )


def random_header(window_id: int = 3) -> RandomCheckpoint:
    return RandomCheckpoint(
        run_id="run-a", world="prospector", window_id=window_id, env_steps_total=40, created_at="then"
    )


def policy(seed: int = 1) -> Policy:
    return Policy(SPEC, SETTINGS, PLAIN, seed=seed)


def training(seed: int = 1) -> TrainerState:
    model = prefixed("model_state_dict", policy(seed).state_dict())
    return TrainerState(
        tensors={
            **model,
            "optimizer_state_dict.step": torch.tensor(7.0),
            "optimizer_state_dict.moments": torch.arange(6, dtype=torch.float64).view(2, 3),
            "rollout.half": torch.ones(2, dtype=torch.bfloat16),
            "rollout.none": torch.zeros(4, 0),
        },
        values={"seed": (1 << 64) - 1, "share": 0.1, "names": ["a", None], "nested": {"x": True}},
        snapshots=[b"", b"PRSP one", bytes(range(256))],
    )


def test_a_policy_comes_back_bit_for_bit(layout: RunLayout) -> None:
    saved = policy()
    sha256 = write_checkpoint(layout, header(), prefixed("model_state_dict", saved.state_dict()))
    path = newest_checkpoint(layout)

    loaded, stored = load_policy(path, SPEC, sha256=sha256)

    assert path.name == "ckpt_000003.safetensors"
    assert stored.header == header()
    assert stored.sha256 == sha256 == file_sha256(path)
    for name, tensor in saved.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], tensor), name


def test_the_header_is_read_without_the_tensors(layout: RunLayout) -> None:
    write_checkpoint(layout, header(), training().tensors)

    found = read_checkpoint_header(newest_checkpoint(layout))

    assert isinstance(found, PolicyCheckpoint)
    assert (found.policy_arch, found.obs_shape, found.n_actions) == ("mlp-16x16-tanh-v1", (260,), 69)
    assert (found.checkpoint_format, found.trainer_backend) == ("ppo_torch_v1", "ppo")


def test_a_checkpoint_holds_the_model_alone(layout: RunLayout) -> None:
    write_checkpoint(layout, header(), training().tensors)

    assert set(kept_tensors(newest_checkpoint(layout))) == set(policy().state_dict())


def test_a_random_checkpoint_is_json(layout: RunLayout) -> None:
    write_checkpoint(layout, random_header(), {})

    path = newest_checkpoint(layout)
    assert path.name == "ckpt_000003.json"
    assert json.loads(path.read_text()) == {
        "checkpoint_format": "json_v1",
        "run_id": "run-a",
        "world": "prospector",
        "window_id": 3,
        "env_steps_total": 40,
        "trainer_backend": "random",
        "created_at": "then",
    }
    assert read_checkpoint_header(path) == random_header()
    with pytest.raises(CheckpointMismatch, match="no policy in it"), open_policy(path):
        pass


def test_checkpoints_are_listed_by_window(layout: RunLayout) -> None:
    for window in (12, 3, 1_000_001):
        write_checkpoint(layout, random_header(window), {})
    (layout.checkpoints / "ckpt_notes.txt").write_text("")

    assert [path.name for path in checkpoint_paths(layout)] == [
        *("ckpt_000003.json", "ckpt_000012.json", "ckpt_1000001.json")
    ]
    with pytest.raises(UnknownName, match="no checkpoint yet"):
        newest_checkpoint(RunLayout(layout.directory / "other"))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        pytest.param("world", "tidebreak", "world 'tidebreak'; this needs 'prospector'", id="world"),
        pytest.param("interface_version", "prospector-v2", "interface version 'prospector-v2'", id="interface"),
        pytest.param("obs_shape", (261,), r"observation shape \(261,\)", id="observation"),
        pytest.param("n_actions", 70, "number of actions 70", id="actions"),
        pytest.param("policy_arch", "mlp-8-tanh-v1", "holds a 'mlp-8-tanh-v1' policy", id="architecture"),
        pytest.param("policy_settings", {}, "settings of its policy are broken", id="settings"),
    ],
)
def test_a_checkpoint_of_something_else_is_refused(field: str, value: object, message: str, layout: RunLayout) -> None:
    wrong = msgspec.structs.replace(header(), **{field: value})
    write_checkpoint(layout, wrong, training().tensors)

    with pytest.raises(DocumentError, match=message):
        load_policy(newest_checkpoint(layout), SPEC)


def test_tensors_of_other_shapes_are_refused_by_name(layout: RunLayout) -> None:
    larger = PolicySettings(arch="mlp-16x32-tanh-v1")
    write_checkpoint(layout, header(settings=larger), training().tensors)

    with pytest.raises(CheckpointMismatch, match=r"value_head\.weight is \(1, 16\) and must be \(1, 32\)"):
        load_policy(newest_checkpoint(layout), SPEC)
    with pytest.raises(CheckpointMismatch, match="a is missing; c is not part of this policy"):
        check_shapes({"b": (1,), "c": (2,)}, {"a": (1,), "b": (1,)})


def test_another_file_than_the_one_on_record_is_refused(layout: RunLayout) -> None:
    write_checkpoint(layout, header(), training().tensors)

    with pytest.raises(CheckpointMismatch, match="is on record"):
        load_policy(newest_checkpoint(layout), SPEC, sha256="0" * 64)


@pytest.mark.parametrize("kept", [0, 5, 100, -1])
def test_a_file_that_was_cut_short_is_refused(kept: int, layout: RunLayout) -> None:
    write_checkpoint(layout, header(), training().tensors)
    path = newest_checkpoint(layout)
    path.write_bytes(path.read_bytes()[:kept])

    with pytest.raises(DocumentError, match="is no whole file of tensors"):
        load_policy(path, SPEC)


def test_foreign_tensors_and_pickles_are_refused(layout: RunLayout, tmp_path: Path) -> None:
    from safetensors.torch import save_file

    foreign = tmp_path / "foreign.safetensors"
    save_file({"a": torch.zeros(1)}, foreign)
    pickled = tmp_path / "pickled.safetensors"
    torch.save({"a": torch.zeros(1)}, pickled)

    with pytest.raises(DocumentError, match="not written by diorama"), open_policy(foreign):
        pass
    with pytest.raises(DocumentError, match="is no whole file"), open_policy(pickled):
        pass
    with pytest.raises(UnknownName, match="does not exist"), open_policy(tmp_path / "none.safetensors"):
        pass


def test_a_training_comes_back_exactly(layout: RunLayout) -> None:
    state = training()
    services: dict[str, JsonObject] = {"windows": {"reward_sum": 0.1 + 0.2, "returns": [1e-300, -0.0]}}

    written = save_training(layout, header(), state, config_hash=CONFIG_HASH, services=services)
    point = newest_resume_point(layout)

    assert written.sha256 == file_sha256(checkpoint_path(layout, header()))
    assert written.path == "checkpoints/ckpt_000003.safetensors"
    assert point.training.values == state.values
    assert point.training.snapshots == state.snapshots
    assert point.training.tensors.keys() == state.tensors.keys()
    for name, tensor in state.tensors.items():
        found = point.training.tensors[name]
        assert found.dtype == tensor.dtype
        assert torch.equal(found, tensor), name
    assert point.header.services == services
    assert str(point.header.services["windows"]["returns"][1]) == "-0.0"
    assert (point.header.config_hash, point.header.window_id) == (CONFIG_HASH, 3)


def test_a_training_without_tensors_needs_none(layout: RunLayout) -> None:
    state = StoredTraining(tensors={}, values={"draws": 5}, snapshots=[b"abc"])

    save_training(layout, random_header(), state, config_hash=CONFIG_HASH, services={})

    assert newest_resume_point(layout).training == state


def test_only_the_newest_resume_file_is_kept(layout: RunLayout) -> None:
    for window in (1, 2, 3):
        save_training(layout, header(window), training(window), config_hash=CONFIG_HASH, services={})

    names = sorted(path.name for path in layout.checkpoints.iterdir())
    assert names == [f"ckpt_{window:06d}.safetensors" for window in (1, 2, 3)] + ["resume_000003.safetensors"]


def test_a_full_disk_leaves_the_checkpoint_before_to_continue_from(layout: RunLayout) -> None:
    save_training(layout, header(1), training(1), config_hash=CONFIG_HASH, services={})
    size = checkpoint_path(layout, header(1)).stat().st_size

    with no_file_longer_than(size + 64), pytest.raises(StorageError, match="resume_000002"):
        save_training(layout, header(2), training(2), config_hash=CONFIG_HASH, services={})

    point = newest_resume_point(layout)
    assert point.header.window_id == 1
    assert torch.equal(
        point.training.tensors["model_state_dict.value_head.weight"], policy(1).state_dict()["value_head.weight"]
    )


def test_there_is_nothing_to_continue_before_the_first_checkpoint(layout: RunLayout) -> None:
    with pytest.raises(UnknownName, match="nothing to continue from"):
        newest_resume_point(layout)


def test_a_number_that_is_not_finite_is_not_saved_as_something_else(layout: RunLayout) -> None:
    state = StoredTraining(tensors={}, values={"loss": float("nan")}, snapshots=[])

    with pytest.raises(ValueError, match="not JSON compliant"):
        save_training(layout, random_header(), state, config_hash=CONFIG_HASH, services={})


def test_without_the_learning_libraries_one_line_says_what_to_install(
    layout: RunLayout, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_checkpoint(layout, header(), training().tensors)
    monkeypatch.setattr("diorama.runs.checkpoints.tensor_files.find_spec", lambda _: None)

    with pytest.raises(MissingExtra, match=r"a checkpoint needs the extra 'learn': pip install 'diorama\[learn\]'"):
        kept_tensors(newest_checkpoint(layout))
    with pytest.raises(MissingExtra):
        write_checkpoint(layout, header(), training().tensors)


READERS: dict[str, Callable[[RunLayout, Path], object]] = {
    "newest": lambda layout, _: load_policy(newest_checkpoint(layout), SPEC, within=layout.directory),
    "by-window": lambda layout, _: choose_checkpoint(layout, "1"),
    "best": lambda layout, _: choose_checkpoint(layout),
    "header": lambda layout, path: read_checkpoint_header(path, within=layout.directory),
    "policy": lambda layout, path: load_policy(path, SPEC, within=layout.directory),
}


@pytest.mark.parametrize("is_asked_for", READERS)
@pytest.mark.parametrize("kind", ["pipe", "link", "link-inside", "folder-link"])
def test_a_checkpoint_that_is_no_file_of_the_run_is_refused_and_not_waited_for(
    kind: str, is_asked_for: str, layout: RunLayout
) -> None:
    write_checkpoint(layout, header(1), training(1).tensors)
    path = layout.checkpoints / "ckpt_000002.safetensors"
    outside = layout.directory.parent / "outside"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        checkpoint_path(layout, header(1)).rename(outside)
        path.symlink_to(outside)
    elif kind == "link-inside":
        path.symlink_to(checkpoint_path(layout, header(1)))
    else:
        checkpoint_path(layout, header(1)).rename(path)
        layout.checkpoints.rename(outside)
        layout.checkpoints.symlink_to(outside)
    latest = LatestCheckpoint(window_id=2, env_steps_total=4096, path=layout.relative(path), sha256="", created_at="")
    best = BestCheckpoint(**msgspec.structs.asdict(latest), metric="return", episodes=1, score=1.0)
    replace_document(layout.metadata, msgspec.structs.replace(metadata("run-a"), best_checkpoint=best))

    with pytest.raises(DocumentError, match=r"is a link|is no file"):
        READERS[is_asked_for](layout, path)


def test_a_resume_file_that_is_a_pipe_is_refused_and_not_waited_for(layout: RunLayout) -> None:
    save_training(layout, header(1), training(1), config_hash=CONFIG_HASH, services={})
    os.mkfifo(layout.checkpoints / "resume_000009.safetensors")

    for read in (newest_resume_point, newest_model_shapes):
        with refused(DocumentError, "artifact_not_a_file"):
            read(layout)


def test_the_shapes_of_what_a_run_continues_from_are_known_without_its_tensors(layout: RunLayout) -> None:
    assert newest_model_shapes(layout) is None

    save_training(layout, header(1), training(1), config_hash=CONFIG_HASH, services={})

    wanted = {name: tuple(tensor.shape) for name, tensor in policy().state_dict().items()}
    assert newest_model_shapes(layout) == wanted


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param((1 << 62).to_bytes(8, "little") + b"{}", id="huge-header"),
        pytest.param((200).to_bytes(8, "little") + b"{}", id="cut-short"),
        pytest.param((2).to_bytes(8, "little") + b"[]", id="no-object"),
        pytest.param((8).to_bytes(8, "little") + b'{"a":{}}', id="no-metadata"),
    ],
)
def test_a_header_that_lies_is_refused(data: bytes, layout: RunLayout) -> None:
    path = layout.checkpoints / "ckpt_000002.safetensors"
    layout.checkpoints.mkdir(parents=True)
    path.write_bytes(data)

    with pytest.raises(DocumentError), open_policy(path):
        pass
