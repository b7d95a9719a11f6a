"""Running moments, and the normalization of observations, rewards and values."""

import pytest
import torch
from torch import nn

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.spec import ObservationField
from diorama.learn.normalization import ObservationNormalizer, RewardScaler, RunningMoments, ValueScale, block_moments
from diorama.learn.settings import NormalizationSettings
from tests.learn.toys import head, toy_spec
from tests.refusals import refused

SPEC = toy_spec(
    (
        ObservationField(name="wide", start=0, shape=(2,), low=-100, high=100, meaning="to be scaled"),
        ObservationField(name="flag", start=2, meaning="left alone"),
    ),
    (head("any", 2),),
)


def samples(rows: int, seed: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(rows, 3, generator=generator) * torch.tensor([5.0, 0.1, 1.0]) + torch.tensor([3.0, -2.0, 30.0])


def test_blocks_add_up_to_the_moments_of_all_samples() -> None:
    moments = RunningMoments(3, None)
    blocks = [samples(rows, seed) for seed, rows in enumerate((5000, 17, 400))]

    for block in blocks:
        moments.update(*block_moments(block, torch.ones(len(block))))

    everything = torch.cat(blocks).double()
    torch.testing.assert_close(moments.mean, everything.mean(dim=0))
    torch.testing.assert_close(moments.variance, everything.var(dim=0, correction=0))
    assert moments.count.item() == 5417


def test_momentum_makes_an_exponential_average_with_a_cross_term() -> None:
    moments = RunningMoments(3, 0.01)
    first, second = samples(500, 0).double(), samples(500, 1).double() + 1.0
    weights = torch.ones(500)

    moments.update(*block_moments(first, weights))
    moments.update(*block_moments(second, weights))

    mean, variance = first.mean(dim=0), first.var(dim=0, correction=0)
    gap = second.mean(dim=0) - mean
    torch.testing.assert_close(moments.mean, 0.99 * mean + 0.01 * second.mean(dim=0))
    expected = 0.99 * variance + 0.01 * second.var(dim=0, correction=0) + 0.99 * 0.01 * gap**2
    torch.testing.assert_close(moments.variance, expected)


def test_rows_with_weight_zero_and_empty_blocks_change_nothing() -> None:
    moments = RunningMoments(3, None)
    block = samples(100, 0)
    weights = (torch.arange(100) < 60).float()

    moments.update(*block_moments(block, torch.zeros(100)))
    moments.update(*block_moments(block, weights))

    torch.testing.assert_close(moments.mean, block[:60].double().mean(dim=0))


def test_observations_are_centered_scaled_and_clipped_except_passthrough_fields() -> None:
    normalizer = ObservationNormalizer(SPEC, passthrough=("flag",), clip=2.0, momentum=None)
    obs = samples(4000, 0)

    normalizer.update(obs, torch.ones(4000))
    result = normalizer(obs)

    assert result[:, :2].mean(dim=0).abs().max().item() < 0.05
    assert result[:, :2].abs().max().item() == 2.0
    assert torch.equal(result[:, 2], obs[:, 2])


def test_an_unknown_passthrough_field_is_refused() -> None:
    with refused(UnknownName, "unknown_observation_field", name="flags", known=("wide", "flag")):
        ObservationNormalizer(SPEC, passthrough=("flags",), clip=2.0, momentum=None)


def test_passthrough_entries_outside_of_their_field_are_refused() -> None:
    with refused(ConfigError, "passthrough_out_of_range", name="wide[1:3]", field="wide", width=2):
        ObservationNormalizer(SPEC, passthrough=("wide[1:3]",), clip=2.0, momentum=None)


@pytest.mark.parametrize("kind", ["reward_std", "return_std"])
def test_rewards_are_divided_by_a_running_standard_deviation(kind: str) -> None:
    scaler = RewardScaler(NormalizationSettings.model_validate({"rewards": kind}), rows=2, gamma=0.5)
    rewards = torch.tensor([[1.0, -2.0], [3.0, 0.0], [0.5, 4.0]])
    ended = torch.tensor([[False, False], [True, False], [False, False]])

    scaled = scaler(rewards, ended, torch.ones(3, 2))

    returns = torch.tensor([[1.0, -2.0], [3.5, -1.0], [0.5, 3.5]])
    base = rewards if kind == "reward_std" else returns
    torch.testing.assert_close(scaled, rewards / base.std(correction=0))


def test_values_stay_the_same_when_their_scale_changes() -> None:
    scale, layer = ValueScale(momentum=None), nn.Linear(4, 1)
    features = torch.randn(10, 4, generator=torch.Generator().manual_seed(0))
    before = layer(features) * scale.unit

    scale.update(torch.randn(1000, generator=torch.Generator().manual_seed(1)) * 40.0, torch.ones(1000), layer)

    assert scale.unit.item() == pytest.approx(40.0, rel=0.1)
    torch.testing.assert_close(layer(features) * scale.unit, before)
