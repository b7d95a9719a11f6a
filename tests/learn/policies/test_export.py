"""Exported policies agree with the originals."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from diorama.engine.venue import open_venue
from diorama.learn.policies.distributions import ActionSampling
from diorama.learn.policies.export import Agreement, PolicyStep, compare, onnx_metadata, write_onnx
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import NormalizationSettings, PolicySettings
from diorama.training.presets import Layer, load_preset, settings_of

ENTITIES = {"asteroids": {"options": "SELECT_ASTEROID_", "width": 8}, "neighbors": {"width": 5}}
EXPORTS = [
    pytest.param("prospector", "mingru-16-v1", {}, id="memory"),
    pytest.param("prospector", "mlp-24x16-relu-mingru-v1", {}, id="layers-and-memory"),
    pytest.param("prospector", "mlp-24-relu-mingru-v1", ENTITIES, id="entities"),
    pytest.param("prospector", "mlp-32-gelu-v1", {}, marks=pytest.mark.slow, id="plain"),
    pytest.param("prospector", "lstm-16-v1", {}, marks=pytest.mark.slow, id="lstm"),
    pytest.param("gameboy", "cnn-small-v1", {}, marks=pytest.mark.slow, id="pixels"),
    pytest.param("townlet", "branches-lstm-32-v1", {}, marks=pytest.mark.slow, id="branches"),
    pytest.param("tidebreak", "mlp-16-relu-separate-v1", {}, marks=pytest.mark.slow, id="heads"),
]


def step_of(world: str, arch: str, entities: dict[str, object]) -> PolicyStep:
    """Return one step of an untrained policy."""
    spec = open_venue(world, {}).spec
    settings = PolicySettings.model_validate({"arch": arch, "entities": entities, "actor_gain": 1.0})
    return PolicyStep(Policy(spec, settings, NormalizationSettings(), seed=5).eval(), spec)


@pytest.mark.parametrize(("world", "arch", "entities"), EXPORTS)
def test_file_and_policy_agree(world: str, arch: str, entities: dict[str, object], tmp_path: Path) -> None:
    import onnxruntime

    venue, step, path = open_venue(world, {}), step_of(world, arch, entities), tmp_path / "policy.onnx"

    write_onnx(step, path, onnx_metadata(step, {"world": world}))
    batch = venue.batch(venue.config, 3)
    agreement = compare(step, path, batch, decisions=60)
    batch.close()

    assert agreement.is_close
    assert agreement.decisions >= 60
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    assert f'"world": "{world}"' in session.get_modelmeta().custom_metadata_map["diorama"]
    assert b".py" not in path.read_bytes(), "no line of a file on this machine"
    with torch.no_grad():
        step.policy.value_head.bias.add_(0.01)
    other = venue.batch(venue.config, 3)
    assert not compare(step, path, other, decisions=3).is_close
    other.close()


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["quick", "default"])
def test_a_policy_whose_heads_have_masks_of_their_own_takes_any_number_of_rows(preset: str, tmp_path: Path) -> None:
    import onnx

    settings = settings_of([load_preset("morphogenesis", preset), Layer(source="t", values={"world": "morphogenesis"})])
    spec = open_venue("morphogenesis", dict(settings.config)).spec
    step = PolicyStep(Policy(spec, settings.policy, settings.normalization, seed=5).eval(), spec)

    write_onnx(step, tmp_path / "policy.onnx", onnx_metadata(step, {}))

    inputs = onnx.load(tmp_path / "policy.onnx").graph.input
    assert {one.name: one.type.tensor_type.shape.dim[0].dim_param for one in inputs} == dict.fromkeys(
        step.inputs, "rows"
    )
    assert "slot_by_op" in step.inputs


def test_actions_are_the_most_likely_ones() -> None:
    step = step_of("tidebreak", "mlp-16-relu-v1", {})
    obs, mask = torch.randn(9, step.inputs["obs"]), torch.randint(0, 2, (9, step.inputs["mask"]), dtype=torch.uint8)
    actions, probabilities, values = step(obs, mask)
    features, _ = step.policy.features(obs, torch.zeros(9, 0, dtype=torch.uint8), torch.zeros(9, 0), torch.zeros(1, 9))
    heads = len(step.policy.heads.plan.heads)
    wanted, log_probs = torch.zeros(9, heads, dtype=torch.int32), torch.zeros(9, heads)
    sampling = ActionSampling(exploration=(0.0,) * heads, key=None)
    step.policy.heads.sample(features.actor, mask, {}, sampling, actions=wanted, log_probs=log_probs)

    assert torch.equal(actions, wanted.long())
    assert torch.equal(values, step.policy.values(features))
    assert (probabilities[mask == 0] == 0).all()


def test_one_large_difference_is_enough() -> None:
    close = Agreement(decisions=10, probabilities=1e-6, values=1e-6, memories=0.0)

    assert close.is_close
    not_a_number = {"values": float("nan")}
    for change in ({"probabilities": 1e-3}, {"values": 1e-3}, {"memories": 1e-3}, {"other_choices": 1}, not_a_number):
        assert not replace(close, **change).is_close
        assert not close.joined(replace(close, **change)).is_close
