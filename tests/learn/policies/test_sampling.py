"""Sampling of actions: equal in both implementations, independent of other rows, with the right frequencies."""

from collections.abc import Callable

import pytest
import torch

from diorama.learn.keyed_random import DrawKey, permutation, uniforms
from diorama.learn.policies.distributions import (
    ActionSampling,
    head_probabilities,
    sample_actions,
    sample_in_torch,
    score_actions,
)
from diorama.learn.policies.head_plan import HeadLayout
from diorama.learn.streams import ACTIONS
from diorama.rng import draw, u01

LAYOUT = HeadLayout(names=("a", "b"), sizes=(7, 3), noops=(2, 1))
ROWS = 200
KEY = DrawKey(seed=2**63 + 5, update=4, step=9, row=100)
EXPLORATION = (0.2, 0.0)


def case() -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    logits = torch.randn(ROWS, LAYOUT.options, generator=generator) * 2
    masks = (torch.rand(ROWS, LAYOUT.options, generator=generator) < 0.6).to(torch.uint8)
    masks[:5] = 0
    return logits, masks


def sampled(
    logits: torch.Tensor,
    masks: torch.Tensor | None,
    sampling: ActionSampling,
    implementation: Callable[..., None] = sample_actions,
) -> tuple[torch.Tensor, torch.Tensor]:
    actions = torch.full((len(logits), len(LAYOUT.sizes)), -1, dtype=torch.int32)
    log_probs = torch.full((len(logits), len(LAYOUT.sizes)), torch.nan)
    implementation(logits, masks, LAYOUT, sampling, actions=actions, log_probs=log_probs)
    return actions, log_probs


@pytest.mark.parametrize("key", [KEY, None], ids=["drawn", "likeliest"])
def test_the_compiled_draw_agrees_with_torch(key: DrawKey | None) -> None:
    logits, masks = case()
    sampling = ActionSampling(exploration=EXPLORATION, key=key)

    actions, log_probs = sampled(logits, masks, sampling)
    other_actions, other_log_probs = sampled(logits, masks, sampling, sample_in_torch)

    assert torch.equal(actions, other_actions)
    torch.testing.assert_close(log_probs, other_log_probs, rtol=1e-5, atol=1e-6)


def test_a_draw_depends_on_its_row_and_not_on_the_rows_beside_it() -> None:
    logits, masks = case()
    actions, log_probs = sampled(logits, masks, ActionSampling(exploration=EXPLORATION, key=KEY))
    middle = 77

    later_key = DrawKey(seed=KEY.seed, update=KEY.update, step=KEY.step, row=KEY.row + middle)
    later = sampled(logits[middle:], masks[middle:], ActionSampling(exploration=EXPLORATION, key=later_key))

    assert torch.equal(later[0], actions[middle:])
    assert torch.equal(later[1], log_probs[middle:])


def test_log_probabilities_are_those_the_update_finds_again() -> None:
    logits, masks = case()

    actions, log_probs = sampled(logits, masks, ActionSampling(exploration=EXPLORATION, key=KEY))

    scores = score_actions(logits, masks, actions, LAYOUT, EXPLORATION)
    torch.testing.assert_close(log_probs, scores.log_probs, rtol=1e-5, atol=1e-6)


def test_a_row_without_a_valid_option_takes_the_no_op() -> None:
    logits, masks = case()

    actions, log_probs = sampled(logits, masks, ActionSampling(exploration=EXPLORATION, key=KEY))

    assert actions[:5].tolist() == [list(LAYOUT.noops)] * 5
    assert log_probs[:5].tolist() == [[0.0, 0.0]] * 5


def test_only_valid_options_are_chosen() -> None:
    logits, masks = case()
    masks[5:, 0] = 1
    masks[5:, 7] = 1
    logits[:, 1] += 50.0 * (masks[:, 1] == 0)

    for step in range(20):
        key = DrawKey(seed=1, update=0, step=step)
        actions, _ = sampled(logits, masks, ActionSampling(exploration=EXPLORATION, key=key))
        chosen = masks[5:].gather(1, actions[5:].long() + torch.tensor([0, 7]))
        assert (chosen == 1).all()


def test_frequencies_follow_the_probabilities() -> None:
    rows = 40_000
    logits = torch.tensor([[0.0, 1.0, -1.0, 2.0, 0.5, -2.0, 0.0, 0.3, -0.4, 0.0]]).repeat(rows, 1)
    masks = torch.tensor([[1, 1, 1, 1, 0, 1, 1, 1, 1, 1]], dtype=torch.uint8).repeat(rows, 1)

    actions, _ = sampled(logits, masks, ActionSampling(exploration=EXPLORATION, key=KEY))

    for head, p in enumerate(head_probabilities(logits[:1], masks[:1], LAYOUT, EXPLORATION)):
        counted = torch.bincount(actions[:, head].long(), minlength=LAYOUT.sizes[head]) / rows
        deviation = (p[0] * (1 - p[0]) / rows).sqrt()
        assert (counted - p[0]).abs().le(5 * deviation + 1e-9).all()


def test_the_likeliest_option_is_the_first_among_equals() -> None:
    logits = torch.zeros(1, LAYOUT.options)
    masks = torch.tensor([[0, 0, 1, 1, 0, 1, 1, 0, 1, 1]], dtype=torch.uint8)

    actions, _ = sampled(logits, masks, ActionSampling(exploration=(0.0, 0.0), key=None))

    assert actions.tolist() == [[2, 1]]


def test_torch_finds_the_same_fractions_as_the_keyed_draws() -> None:
    fractions = uniforms(KEY, 5, 3, torch.device("cpu"))

    for row in range(5):
        for head in range(3):
            bits = draw(KEY.seed, ACTIONS, KEY.update, KEY.step, KEY.row + row, KEY.head + head)
            assert fractions[row, head].item() == u01(bits)


def test_a_permutation_is_one_and_depends_on_its_update() -> None:
    first, second = (permutation(7, 2, update, 0, 1000) for update in (0, 1))

    assert sorted(first.tolist()) == list(range(1000))
    assert first.tolist() != second.tolist()
    assert torch.equal(first, permutation(7, 2, 0, 0, 1000))
