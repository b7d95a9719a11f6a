"""Policies in checkpoints: built again from their headers, or refused."""

from pathlib import Path

import msgspec
import pytest
import torch

from diorama.contracts.errors import CheckpointMismatch, DocumentError
from diorama.contracts.values import JsonObject
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import NormalizationSettings, PolicySettings
from diorama.learn.state import prefixed
from diorama.runs.checkpoints.files import newest_checkpoint, write_checkpoint
from diorama.runs.checkpoints.headers import PolicyCheckpoint
from diorama.runs.checkpoints.resume import StoredTraining, save_training
from diorama.runs.layout import RunLayout
from diorama.training.policy_files import load_policy, policy_checkpoint
from diorama.training.run_directory import check_model_fits
from diorama.worlds.registry import load_world
from tests.refusals import refused
from tests.training.small_runs import small_plan

WORLD = load_world("prospector")
SPEC = WORLD.describe(WORLD.config_type())
SETTINGS = PolicySettings(arch="mlp-8-relu-separate-v1")
NORMALIZATION = NormalizationSettings(observations=True)


def header() -> PolicyCheckpoint:
    return policy_checkpoint(
        SPEC, SETTINGS, NORMALIZATION, run_id="run-a", window_id=3, env_steps_total=4096, created_at="then"
    )


def written(folder: Path, checkpoint: PolicyCheckpoint) -> tuple[Path, Policy]:
    policy, layout = Policy(SPEC, SETTINGS, NORMALIZATION, seed=1), RunLayout(folder / "run-a")
    write_checkpoint(layout, checkpoint, prefixed("model_state_dict", policy.state_dict()))
    return newest_checkpoint(layout), policy


def test_a_policy_is_built_again_with_its_settings_and_normalization(tmp_path: Path) -> None:
    path, policy = written(tmp_path, header())

    loaded, stored = load_policy(path, SPEC)

    assert stored.header == header()
    assert loaded.arch == SETTINGS.arch
    assert loaded.normalizer is not None
    assert not loaded.training
    assert loaded.state_dict().keys() == policy.state_dict().keys()
    for name, tensor in policy.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], tensor), name


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({}, id="none"),
        pytest.param({"policy": {"arch": "mlp-8-relu-separate-v1"}}, id="no-normalization"),
        pytest.param({"policy": {"size": 8}, "normalization": {}}, id="unknown-setting"),
        pytest.param({"policy": "mlp", "normalization": {}}, id="no-section"),
    ],
)
def test_a_checkpoint_whose_settings_are_broken_is_refused(tmp_path: Path, settings: JsonObject) -> None:
    path, _ = written(tmp_path, msgspec.structs.replace(header(), policy_settings=settings))

    with refused(DocumentError, "policy_settings_invalid", path=path):
        load_policy(path, SPEC)


def claiming(policy: JsonObject) -> PolicyCheckpoint:
    """Return the header of a checkpoint that says its policy has other settings."""
    stored = {**header().policy_settings["policy"], **policy}
    return msgspec.structs.replace(
        header(),
        policy_arch=str(stored["arch"]),
        policy_settings={**header().policy_settings, "policy": stored},
    )


@pytest.fixture
def initialized(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Devices of the tensors that were initialized from here on."""
    devices: set[str] = set()
    initialize = torch.nn.init.orthogonal_

    def noting(tensor: torch.Tensor, *args: float, **kwargs: torch.Generator) -> torch.Tensor:
        devices.add(tensor.device.type)
        return initialize(tensor, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(torch.nn.init, "orthogonal_", noting)
    return devices


@pytest.mark.parametrize(
    "policy",
    [
        pytest.param({"arch": "mlp-8000x8000-tanh-v1"}, id="wide"),
        pytest.param({"arch": "mlp-" + "x".join(["64"] * 60) + "-relu-v1"}, id="deep"),
        pytest.param({"arch": "residual-lstm-65536x9-v1"}, id="lstm"),
        pytest.param({"critic_hidden": [65536] * 64}, id="critic"),
    ],
)
def test_an_architecture_that_the_file_does_not_hold_is_refused_before_it_takes_memory(
    policy: JsonObject, tmp_path: Path, initialized: set[str]
) -> None:
    path, _ = written(tmp_path, claiming(policy))
    initialized.clear()

    with refused(CheckpointMismatch, "checkpoint_mismatch"):
        load_policy(path, SPEC)

    assert initialized <= {"meta"}


@pytest.mark.parametrize(
    "policy",
    [
        pytest.param({"arch": "mlp-65537-tanh-v1"}, id="wide"),
        pytest.param({"arch": "mlp-" + "x".join(["8"] * 65) + "-relu-v1"}, id="deep"),
        pytest.param({"arch": "mlp-" + "9" * 200 + "-relu-v1"}, id="huge-number"),
        pytest.param({"arch": "mlp-" + "8x" * 5000 + "8-relu-v1"}, id="long-name"),
        pytest.param({"critic_hidden": [8] * 65}, id="critic-deep"),
        pytest.param({"critic_hidden": [1 << 40]}, id="critic-wide"),
        pytest.param({"heads": {"move": {"hidden": [8] * 65}}}, id="head"),
        pytest.param({"heads": {"no-such-head": {}}}, id="unknown-head"),
        pytest.param({"arch": "no-such-network"}, id="unknown-network"),
        pytest.param({"auxiliary": {f"a{n}": {"target": "t", "width": 1} for n in range(65)}}, id="many-heads"),
    ],
)
def test_an_architecture_beyond_the_limits_is_refused(policy: JsonObject, tmp_path: Path) -> None:
    path, _ = written(tmp_path, claiming(policy))

    with refused(DocumentError, "policy_settings_invalid", path=path):
        load_policy(path, SPEC)


def test_a_policy_that_fits_is_loaded_without_being_initialized(tmp_path: Path, initialized: set[str]) -> None:
    path, policy = written(tmp_path, header())
    initialized.clear()
    observation = torch.rand(3, SPEC.obs_width), torch.zeros(3, SPEC.obs_u8_width, dtype=torch.uint8)

    loaded, _ = load_policy(path, SPEC)
    path.write_bytes(bytes(path.stat().st_size))  # what was loaded does not depend on the file any more

    assert initialized <= {"meta"}
    assert {tensor.device.type for tensor in (*loaded.parameters(), *loaded.buffers())} == {"cpu"}
    assert all(parameter.requires_grad for parameter in loaded.parameters())
    starts = torch.ones(1, 3)
    ours, theirs = (
        of.values(of.features(*observation, torch.zeros(3, of.memory_width), starts)[0])
        for of in (loaded, policy.eval())
    )
    assert torch.equal(ours, theirs)


def test_a_run_whose_settings_claim_another_network_is_not_continued(tmp_path: Path, initialized: set[str]) -> None:
    layout, model = RunLayout(tmp_path / "run-a"), Policy(SPEC, SETTINGS, NORMALIZATION, seed=1).state_dict()
    stored = StoredTraining(tensors=prefixed("model_state_dict", model), values={}, snapshots=[])
    save_training(layout, header(), stored, config_hash="", services={})
    initialized.clear()

    check_model_fits(layout, small_plan(policy={"arch": SETTINGS.arch}))
    with refused(CheckpointMismatch, "checkpoint_mismatch"):
        check_model_fits(layout, small_plan(policy={"arch": "mlp-8000x8000-tanh-v1"}))

    assert initialized <= {"meta"}
