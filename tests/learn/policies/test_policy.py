"""Layers, weights and inputs of policies."""

import pytest
import torch

from diorama.contracts.errors import ConfigError
from diorama.contracts.spec import Dtype, ObservationField, WorldSpec
from diorama.learn.policies.cnn import PatchConvolution, PictureEncoder
from diorama.learn.policies.layers import Tanh
from diorama.learn.policies.mlp import MlpEncoder
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import NormalizationSettings, PolicySettings
from tests.learn.toys import Corridor, Cues, Picture, head, toy_spec
from tests.refusals import refused


def policy_of(arch: str, spec: WorldSpec = Cues.spec, seed: int = 1, **normalization: object) -> Policy:
    return Policy(spec, PolicySettings(arch=arch), NormalizationSettings.model_validate(normalization), seed=seed)


def features_and_values(
    policy: Policy, obs: torch.Tensor, obs_u8: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    bytes_ = torch.zeros(len(obs), 0, dtype=torch.uint8) if obs_u8 is None else obs_u8
    memory = torch.zeros(len(obs), policy.memory_width)
    features, _ = policy.features(obs, bytes_, memory, torch.ones(1, len(obs)))
    return features.actor, policy.values(features)


def test_the_documented_architecture_has_the_documented_layers() -> None:
    shapes = {name: tuple(p.shape) for name, p in policy_of("mlp-256x256-tanh-v1", Corridor.spec).named_parameters()}

    assert shapes == {
        "encoder.layers.0.weight": (256, 8),
        "encoder.layers.0.bias": (256,),
        "encoder.layers.2.weight": (256, 256),
        "encoder.layers.2.bias": (256,),
        "heads.linear.weight": (3, 256),
        "heads.linear.bias": (3,),
        "value_head.weight": (1, 256),
        "value_head.bias": (1,),
    }


def test_weights_depend_on_the_seed_alone() -> None:
    one, same, other = (policy_of("mlp-8-tanh-v1", seed=seed).state_dict() for seed in (1, 1, 2))

    assert all(torch.equal(one[name], same[name]) for name in one)
    assert not torch.equal(one["value_head.weight"], other["value_head.weight"])


def test_a_separate_critic_shares_nothing_with_the_actor() -> None:
    policy = policy_of("mlp-8-tanh-separate-v1")
    _, values = features_and_values(policy, torch.eye(3))

    gradients = torch.autograd.grad(values.sum(), list(policy.encoder.parameters()), allow_unused=True)

    assert all(gradient is None for gradient in gradients)


def test_bytes_are_scaled_by_the_bounds_of_their_field() -> None:
    spec = toy_spec(
        (
            ObservationField(name="x", start=0, meaning="float"),
            ObservationField(name="code", start=0, shape=(2,), dtype=Dtype.UINT8, low=10, high=20, meaning="bytes"),
        ),
        (head("any", 2),),
    )
    policy = policy_of("mlp-4-relu-v1", spec)

    assert isinstance(policy.encoder, MlpEncoder)
    row = policy.encoder.input(torch.tensor([[0.5]]), torch.tensor([[10, 15]], dtype=torch.uint8))

    assert row.tolist() == [[0.5, 0.0, 0.5]]


@pytest.mark.parametrize("arch", ["cnn-v1", "cnn-separate-v1", "cnn-mingru-32-v1"])
def test_pictures_are_encoded_by_convolutions(arch: str) -> None:
    policy = policy_of(arch, Picture.spec)

    actor, values = features_and_values(policy, torch.zeros(5, 1), torch.randint(0, 255, (5, 144), dtype=torch.uint8))

    assert actor.shape == (5, 32 if "mingru" in arch else 512)
    assert values.shape == (5,)


def test_a_small_encoder_reads_a_large_picture_in_patches() -> None:
    screen = ObservationField(name="screen", start=0, shape=(72, 80), dtype=Dtype.UINT8, high=3.0, meaning="shades")
    policy = policy_of("cnn-small-v1", toy_spec((screen,), (head("any", 2),)))
    pictures = torch.randint(0, 4, (3, 72 * 80), dtype=torch.uint8)

    actor, values = features_and_values(policy, torch.zeros(3, 0), pictures)

    assert (actor.shape, values.shape) == ((3, 128), (3,))
    assert isinstance(policy.encoder, PictureEncoder)
    assert isinstance(policy.encoder.convolutions[0], PatchConvolution)


@pytest.mark.parametrize(("channels", "height", "width"), [(1, 72, 80), (3, 74, 83)])
def test_a_patch_convolution_is_a_convolution(channels: int, height: int, width: int) -> None:
    torch.manual_seed(1)
    patches, plain = PatchConvolution(channels, 5, 4), torch.nn.Conv2d(channels, 5, 4, 4)
    plain.load_state_dict(patches.state_dict())
    picture = torch.rand(2, channels, height, width)

    torch.testing.assert_close(patches(picture), plain(picture))


def test_a_world_without_pictures_refuses_convolutions() -> None:
    with refused(ConfigError, "picture_missing", world="toy"):
        policy_of("cnn-v1")


def test_the_fast_tanh_is_the_tanh() -> None:
    x = torch.linspace(-12.0, 12.0, 4001, requires_grad=True)
    y = Tanh()(x)
    (gradient,) = torch.autograd.grad(y.sum(), x)

    assert (y - torch.tanh(x)).abs().max().item() < 3e-7
    assert (gradient - (1 - torch.tanh(x) ** 2)).abs().max().item() < 1e-6


def test_initial_logits_are_close_to_zero() -> None:
    policy = policy_of("mlp-64x64-tanh-v1")
    actor, _ = features_and_values(policy, torch.eye(3))

    assert policy.heads.linear(actor).abs().max().item() < 0.1  # type: ignore[operator]
