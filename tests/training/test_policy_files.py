"""Policies in checkpoints: built again from their headers, or refused."""

from pathlib import Path

import msgspec
import pytest
import torch

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import JsonObject
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import NormalizationSettings, PolicySettings
from diorama.learn.state import prefixed
from diorama.runs.checkpoints.files import newest_checkpoint, write_checkpoint
from diorama.runs.checkpoints.headers import PolicyCheckpoint
from diorama.runs.layout import RunLayout
from diorama.training.policy_files import load_policy, policy_checkpoint
from diorama.worlds.registry import load_world
from tests.refusals import refused

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
