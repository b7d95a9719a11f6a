"""Minibatches in which a channel does not vary: both tiers make the same of them."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from diorama.engine.make import make
from diorama.worlds.morphogenesis.engine.reference import ReferenceEngine
from diorama.worlds.morphogenesis.engine.stacked import StackedEngine
from diorama.worlds.morphogenesis.engine.stacked.layers import normalize_batch
from diorama.worlds.morphogenesis.hosting.steadiness import SteadyBatchNorm, steady_levels
from tests.worlds.morphogenesis.small_setups import small_setup

SINGLE_IMAGES = {"max_epochs": 1, "train_batches_per_epoch": 2, "batch_size": 1, "control_twins": False}
LEVEL = 0.1
"""Its mean over three or six values is rounded."""
STEADY_ROUNDS = (9, 25, 32, 38, 58)
"""Rounds in which no channel of the last block varies within an image."""


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32, 2**63 - 1])
@pytest.mark.parametrize("samples", [1, 2, 3, 10, 17])
def test_few_validation_samples_are_classified_alike_in_both_tiers(samples: int, seed: int) -> None:
    config = {**SINGLE_IMAGES, "val_subset": samples}
    readable, fast = (make("morphogenesis", config=config, tier=tier) for tier in ("reference", "fast"))

    for batch in (readable, fast):
        batch.reset(seeds=[seed])
    for _ in range(3):
        np.testing.assert_allclose(fast.obs, readable.obs, rtol=1e-4, atol=1e-4)
        for batch in (readable, fast):
            batch.step(np.array([batch.spec.noop], np.int32))


@pytest.mark.parametrize("round_index", STEADY_ROUNDS)
def test_hosts_learn_the_same_from_images_that_come_to_nothing(round_index: int) -> None:
    setup = replace(small_setup(envs=1), batch_size=1)
    readable, stacked = ReferenceEngine(setup), StackedEngine(setup)

    for engine in (readable, stacked):
        engine.reset(round_index)
        engine.train_epoch(1)

    wanted, found = readable.write_row(0), stacked.write_row(0)
    apart = {
        name: np.abs(found[name].astype(np.float64) - wanted[name].astype(np.float64)).max(initial=0.0)
        for name in wanted
    }
    assert {name: distance for name, distance in apart.items() if distance > 1e-4} == {}


def readable_norm(features: Tensor) -> tuple[Tensor, Tensor]:
    norm = SteadyBatchNorm(features.shape[1])
    normalized: Tensor = norm(features)
    assert norm.running_mean is not None
    return normalized, norm.running_mean


def stacked_norm(features: Tensor) -> tuple[Tensor, Tensor]:
    channels = features.shape[1]
    weight, bias, mean, variance = (torch.full((1, channels), value) for value in (1.0, 0.0, 0.0, 1.0))
    stacked = features.permute(1, 2, 3, 0)[None]
    normalized = normalize_batch(stacked, weight, bias, mean, variance, is_training=True)
    return normalized[0].permute(3, 0, 1, 2), mean[0]


@pytest.mark.parametrize("norm", [readable_norm, stacked_norm])
@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 1, 1), (1, 2, 3), (2, 7, 5)])
def test_a_steady_channel_is_exactly_its_bias_and_is_still_counted(
    norm: Callable[[Tensor], tuple[Tensor, Tensor]], shape: tuple[int, int, int]
) -> None:
    batch, height, width = shape
    steady = torch.full((batch, 1, height, width), LEVEL)
    varying = torch.linspace(-1.0, 2.0, steady.numel()).view_as(steady)

    normalized, running_mean = norm(torch.cat([steady, varying, -steady], dim=1))

    assert normalized[:, [0, 2]].abs().max() == 0.0
    assert normalized[:, 1].abs().max() > 1.0
    torch.testing.assert_close(running_mean, torch.tensor([0.1 * LEVEL, 0.1 * 0.5, -0.1 * LEVEL]))


def test_what_is_not_a_number_is_not_steady() -> None:
    levels = steady_levels(torch.tensor([[torch.nan, torch.nan], [1.0, torch.nan], [2.0, 2.0], [1.0, 2.0]]))

    assert levels.tolist() == [0.0, 0.0, 2.0, 0.0]
