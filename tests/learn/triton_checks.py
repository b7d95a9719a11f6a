"""Triton kernels agree with torch; run by `test_triton_kernels.py` in a process of their own."""

import pytest
import torch

from diorama.learn.policies.distributions import ActionSampling, sample_in_torch, score_in_torch
from diorama.learn.policies.head_plan import HeadLayout
from diorama.learn.policies.recurrent import scan_by_doubling

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS = 40
LAYOUT = HeadLayout(names=("many", "few"), sizes=(69, 5), noops=(0, 2))


def masks_with_an_empty_row(*, is_masked: bool) -> torch.Tensor | None:
    masks = (torch.rand(ROWS, LAYOUT.options, device=DEVICE) < 0.4).to(torch.uint8)
    masks[3] = 0
    return masks if is_masked else None


@pytest.mark.parametrize("steps", [1, 7])
def test_a_scan_and_its_gradient(steps: int) -> None:
    from diorama.learn.triton_kernels import linear_scan

    given = [
        torch.rand(*shape, device=DEVICE, requires_grad=True) for shape in ((steps, 3, 100), (steps, 3, 100), (3, 100))
    ]
    weight = torch.randn(steps, 3, 100, device=DEVICE)

    found, wanted = linear_scan(*given), scan_by_doubling(*given)

    torch.testing.assert_close(found, wanted)
    torch.testing.assert_close(
        torch.autograd.grad((found * weight).sum(), given), torch.autograd.grad((wanted * weight).sum(), given)
    )


@pytest.mark.parametrize("is_masked", [True, False])
def test_samples_are_those_of_torch(is_masked: bool) -> None:
    from diorama.learn.triton_kernels import sample_heads

    logits, masks = 3.0 * torch.randn(ROWS, LAYOUT.options, device=DEVICE), masks_with_an_empty_row(is_masked=is_masked)
    uniforms = torch.rand(ROWS, 2, dtype=torch.float64, device=DEVICE)
    actions = [torch.full((ROWS, 2), -1, dtype=torch.int32, device=DEVICE) for _ in range(2)]
    log_probs = [torch.full((ROWS, 2), torch.nan, device=DEVICE) for _ in range(2)]

    sample_heads(logits, masks, LAYOUT, uniforms, actions=actions[0], log_probs=log_probs[0])
    # A tiny share of exploration keeps `sample_in_torch` from using the kernels under test.
    sampling = ActionSampling(exploration=(1e-12, 1e-12), key=None, uniforms=uniforms)
    sample_in_torch(logits, masks, LAYOUT, sampling, actions=actions[1], log_probs=log_probs[1])

    assert actions[0].equal(actions[1])
    torch.testing.assert_close(log_probs[0], log_probs[1])


@pytest.mark.parametrize("is_masked", [True, False])
def test_scores_and_their_gradient(is_masked: bool) -> None:
    from diorama.learn.triton_kernels import score_heads

    logits = (3.0 * torch.randn(ROWS, LAYOUT.options, device=DEVICE)).requires_grad_()
    masks = masks_with_an_empty_row(is_masked=is_masked)
    actions = torch.randint(0, 5, (ROWS, 2), dtype=torch.int32, device=DEVICE)
    weights = torch.randn(2, ROWS, 2, device=DEVICE)

    log_probs, entropies, choices = score_heads(logits, masks, actions, LAYOUT)
    wanted = score_in_torch(logits, masks, actions, LAYOUT, (0.0, 0.0))

    torch.testing.assert_close(log_probs, wanted.log_probs)
    torch.testing.assert_close(entropies, wanted.entropies)
    assert choices.equal(wanted.choices)
    found = torch.autograd.grad((weights[0] * log_probs + weights[1] * entropies).sum(), logits)
    meant = torch.autograd.grad((weights[0] * wanted.log_probs + weights[1] * wanted.entropies).sum(), logits)
    torch.testing.assert_close(found, meant)
