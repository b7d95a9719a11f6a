"""The PPO loss and its gradient against a reference that loops over decisions."""

from operator import itemgetter

import pytest
import torch

from diorama.learn.experience import RolloutTargets
from diorama.learn.loss import Coefficients, Denominators, LossTerms, ppo_loss
from diorama.learn.policies.distributions import Scores
from diorama.learn.settings import PpoSettings

DECISIONS, HEADS = 24, 3
COEFFICIENTS = Coefficients(entropy=0.03, value=0.7, entropy_weights=(1.0, 0.5, 2.0), value_unit=torch.tensor(1.7))
CHOICES = torch.tensor([[4.0, 2.0, 1.0]]).repeat(DECISIONS, 1)


class Case:
    """Inputs of a loss; `inputs` are log-probabilities, entropies and values of a policy."""

    def __init__(self) -> None:
        g = torch.Generator().manual_seed(2)
        self.inputs = [
            (torch.randn(DECISIONS, HEADS, generator=g, dtype=torch.float64) * 0.4 - 1).requires_grad_(),
            (torch.rand(DECISIONS, HEADS, generator=g, dtype=torch.float64) + 0.1).requires_grad_(),
            torch.randn(DECISIONS, generator=g, dtype=torch.float64).requires_grad_(),
        ]
        old = self.inputs[0].detach() + torch.randn(DECISIONS, HEADS, generator=g, dtype=torch.float64) * 0.3
        self.targets = RolloutTargets(
            log_probs=old,
            values=torch.randn(DECISIONS, generator=g, dtype=torch.float64),
            advantages=torch.randn(DECISIONS, generator=g, dtype=torch.float64),
            returns=torch.randn(DECISIONS, generator=g, dtype=torch.float64),
            policy_weights=(torch.rand(DECISIONS, generator=g) < 0.7).double(),
            value_weights=torch.rand(DECISIONS, generator=g, dtype=torch.float64),
            head_weights=(torch.rand(DECISIONS, HEADS, generator=g) < 0.6).double(),
        )

    def denominators(self) -> Denominators:
        k = self.targets
        return Denominators(
            policy=k.policy_weights.sum().clamp(min=1),
            value=k.value_weights.sum().clamp(min=1),
            heads=(k.head_weights * k.policy_weights[:, None]).sum(dim=0).clamp(min=1),
        )

    def terms(self, settings: PpoSettings) -> LossTerms:
        scores = Scores(self.inputs[0], self.inputs[1], CHOICES.double())
        return ppo_loss(settings, scores, self.inputs[2], self.targets, self.denominators(), COEFFICIENTS)


def naive(case: Case, settings: PpoSettings) -> torch.Tensor:
    """The formulas of PPO, one decision and head at a time."""
    log_probs, entropies, values = case.inputs
    k, c = case.targets, settings.clip_coef
    free = max(1.0, float(k.policy_weights.sum()))
    policy = value = entropy = torch.zeros((), dtype=torch.float64)
    for t in range(DECISIONS):
        if settings.ratio == "joint":
            ratios = [(1.0, torch.exp((log_probs[t] - k.log_probs[t]).sum()))]
        else:
            ratios = [
                (float(k.head_weights[t, h]), torch.exp(log_probs[t, h] - k.log_probs[t, h])) for h in range(HEADS)
            ]
        for weight, ratio in ratios:
            clipped = min(max(ratio, torch.tensor(1 - c)), torch.tensor(1 + c))
            gain = min(ratio * k.advantages[t], clipped * k.advantages[t])
            policy = policy - k.policy_weights[t] * weight * gain / free
        error = (values[t] - k.returns[t]) ** 2
        if settings.value_clip is not None:
            step = min(
                max(values[t] - k.values[t], torch.tensor(-settings.value_clip)), torch.tensor(settings.value_clip)
            )
            error = max(error, (k.values[t] + step - k.returns[t]) ** 2)
        value = value + 0.5 * k.value_weights[t] * error / max(1.0, float(k.value_weights.sum())) / 1.7**2
        for h in range(HEADS):
            own = entropies[t, h]
            if settings.normalized_entropy:
                own = own / torch.log(torch.clamp(CHOICES[t, h].double(), min=2))
            share, below = k.policy_weights[t], float(free)
            if settings.ratio == "per_head":
                share = share * k.head_weights[t, h]
                below = max(1.0, float((k.head_weights[:, h] * k.policy_weights).sum()))
            entropy = entropy + COEFFICIENTS.entropy_weights[h] * share * own / below
    return policy + COEFFICIENTS.value * value - COEFFICIENTS.entropy * entropy


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(PpoSettings(), id="joint"),
        pytest.param(PpoSettings(value_clip=0.2), id="clipped-values"),
        pytest.param(PpoSettings(ratio="per_head", normalized_entropy=True), id="per-head"),
    ],
)
def test_loss_and_gradient_equal_the_formulas(settings: PpoSettings) -> None:
    mine, theirs = Case(), Case()

    loss = mine.terms(settings).total
    expected = naive(theirs, settings)

    torch.testing.assert_close(loss, expected, rtol=1e-6, atol=1e-6)
    for own, other in zip(
        torch.autograd.grad(loss, mine.inputs), torch.autograd.grad(expected, theirs.inputs), strict=True
    ):
        torch.testing.assert_close(own, other, rtol=1e-6, atol=1e-7)


def test_the_losses_of_shards_add_up_to_that_of_the_minibatch() -> None:
    case, settings = Case(), PpoSettings(ratio="per_head")
    whole = case.terms(settings)

    parts = []
    for rows in (slice(0, 7), slice(7, DECISIONS)):
        scores = Scores(case.inputs[0][rows], case.inputs[1][rows], CHOICES[rows].double())
        targets = case.targets.map(itemgetter(rows))
        parts.append(ppo_loss(settings, scores, case.inputs[2][rows], targets, case.denominators(), COEFFICIENTS))

    for name in LossTerms.__dataclass_fields__:
        if getattr(whole, name) is None:
            continue  # there is no teacher
        added = getattr(parts[0], name) + getattr(parts[1], name)
        torch.testing.assert_close(added, getattr(whole, name).to(added.dtype))


def test_an_unchanged_policy_has_zero_kl_and_no_clipping() -> None:
    case = Case()
    case.inputs[0] = case.targets.log_probs.clone().requires_grad_()

    terms = case.terms(PpoSettings())

    assert terms.approx_kl.item() == 0.0
    assert terms.clip_fraction.item() == 0.0
    expected = -(case.targets.policy_weights * case.targets.advantages).sum() / case.targets.policy_weights.sum()
    torch.testing.assert_close(terms.policy, expected)
