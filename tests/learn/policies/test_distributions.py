"""Masked log-probabilities and entropies against a reference that loops over rows and heads."""

import math
from collections.abc import Callable

import pytest
import torch

from diorama.learn.policies.distributions import LOG_IMPOSSIBLE, Scores, score_actions, score_in_torch
from diorama.learn.policies.head_plan import HeadLayout

LAYOUT = HeadLayout(names=("a", "b", "c"), sizes=(5, 2, 11), noops=(0, 0, 0))
ROWS = 64
NO_EXPLORATION = (0.0, 0.0, 0.0)
SOME_EXPLORATION = (0.1, 0.0, 0.4)

Score = Callable[..., Scores]


def random_case(seed: int = 0) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Logits, masks with at least one valid option per head, and valid actions."""
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(ROWS, LAYOUT.options, generator=generator) * 3
    masks = (torch.rand(ROWS, LAYOUT.options, generator=generator) < 0.5).to(torch.uint8)
    actions = torch.zeros(ROWS, len(LAYOUT.sizes), dtype=torch.int32)
    for head, (columns, size) in enumerate(zip(LAYOUT.slices(), LAYOUT.sizes, strict=True)):
        chosen = torch.randint(0, size, (ROWS,), generator=generator)
        masks[torch.arange(ROWS), columns.start + chosen] = 1
        actions[:, head] = chosen
    return logits, masks, actions


def naive(
    logits: torch.Tensor, masks: torch.Tensor, actions: torch.Tensor, exploration: tuple[float, ...]
) -> tuple[torch.Tensor, torch.Tensor]:
    """Log-probabilities and entropies in float64, one row and head at a time, built only from exp, sum and log."""
    log_probs, entropies = [], []
    for row in range(len(logits)):
        for head, columns in enumerate(LAYOUT.slices()):
            valid = [j for j in range(columns.start, columns.stop) if masks[row, j]]
            weights = {j: torch.exp(logits[row, j].double()) for j in valid}
            total = torch.stack(list(weights.values())).sum()
            share = exploration[head]
            p = {j: (1 - share) * weight / total + share / len(valid) for j, weight in weights.items()}
            log_probs.append(torch.log(p[columns.start + int(actions[row, head])]))
            entropies.append(-torch.stack([q * torch.log(q) for q in p.values()]).sum())
    shape = (len(logits), len(LAYOUT.sizes))
    return torch.stack(log_probs).view(shape), torch.stack(entropies).view(shape)


IMPLEMENTATIONS = pytest.mark.parametrize("score", [score_actions, score_in_torch], ids=["compiled", "torch"])
EXPLORATIONS = pytest.mark.parametrize("exploration", [NO_EXPLORATION, SOME_EXPLORATION], ids=["greedy", "mixed"])


@IMPLEMENTATIONS
@EXPLORATIONS
def test_scores_equal_the_reference(score: Score, exploration: tuple[float, ...]) -> None:
    logits, masks, actions = random_case()

    scores: Scores = score(logits, masks, actions, LAYOUT, exploration)

    log_probs, entropies = naive(logits, masks, actions, exploration)
    torch.testing.assert_close(scores.log_probs.double(), log_probs, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(scores.entropies.double(), entropies, rtol=1e-5, atol=1e-5)
    counts = torch.stack([masks[:, columns].sum(dim=1) for columns in LAYOUT.slices()], dim=1)
    assert torch.equal(scores.choices, counts.float())


@IMPLEMENTATIONS
@EXPLORATIONS
def test_the_gradient_equals_that_of_the_reference(score: Score, exploration: tuple[float, ...]) -> None:
    logits, masks, actions = random_case(seed=5)
    generator = torch.Generator().manual_seed(9)
    grad_log_probs, grad_entropies = torch.randn(2, ROWS, len(LAYOUT.sizes), generator=generator)

    mine = logits.clone().requires_grad_()
    scores: Scores = score(mine, masks, actions, LAYOUT, exploration)
    (grad_log_probs * scores.log_probs + grad_entropies * scores.entropies).sum().backward()

    theirs = logits.double().requires_grad_()
    log_probs, entropies = naive(theirs, masks, actions, exploration)
    (grad_log_probs * log_probs + grad_entropies * entropies).sum().backward()
    assert mine.grad is not None
    assert theirs.grad is not None
    torch.testing.assert_close(mine.grad.double(), theirs.grad, rtol=2e-4, atol=2e-5)
    assert torch.equal(mine.grad == 0, (masks == 0) | (mine.grad == 0))


@IMPLEMENTATIONS
@EXPLORATIONS
def test_a_head_without_a_valid_option_has_zero_entropy_and_no_gradient(
    score: Score, exploration: tuple[float, ...]
) -> None:
    logits, masks, actions = random_case()
    masks[:, LAYOUT.slices()[0]] = 0
    logits.requires_grad_()

    scores: Scores = score(logits, masks, actions, LAYOUT, exploration)
    (scores.log_probs.sum() + scores.entropies.sum()).backward()

    assert scores.log_probs[:, 0].tolist() == [0.0] * ROWS
    assert scores.entropies[:, 0].tolist() == [0.0] * ROWS
    assert scores.choices[:, 0].tolist() == [0.0] * ROWS
    assert logits.grad is not None
    assert (logits.grad[:, LAYOUT.slices()[0]] == 0).all()
    assert torch.isfinite(logits.grad).all()


@IMPLEMENTATIONS
@EXPLORATIONS
def test_an_invalid_action_is_very_unlikely_and_has_no_gradient(score: Score, exploration: tuple[float, ...]) -> None:
    logits, masks, actions = random_case()
    columns = LAYOUT.slices()[2]
    masks[:, columns] = 1
    masks[:, columns.start + 4] = 0
    actions[:, 2] = 4
    logits.requires_grad_()

    scores: Scores = score(logits, masks, actions, LAYOUT, exploration)
    scores.log_probs[:, 2].sum().backward()

    assert scores.log_probs[:, 2].tolist() == [LOG_IMPOSSIBLE] * ROWS
    assert logits.grad is not None
    assert (logits.grad == 0).all()


@IMPLEMENTATIONS
def test_without_masks_every_option_is_valid(score: Score) -> None:
    logits, _, actions = random_case()

    scores: Scores = score(torch.zeros_like(logits), None, actions, LAYOUT, NO_EXPLORATION)

    for head, size in enumerate(LAYOUT.sizes):
        assert scores.log_probs[0, head].item() == pytest.approx(-math.log(size), rel=1e-6)
        assert scores.entropies[0, head].item() == pytest.approx(math.log(size), rel=1e-6)


def test_an_action_that_is_no_option_is_refused() -> None:
    logits, masks, actions = random_case()
    actions[3, 1] = 2

    with pytest.raises(ValueError, match=r"action 2 is outside 0\.\.1"):
        score_actions(logits, masks, actions, LAYOUT, NO_EXPLORATION)
