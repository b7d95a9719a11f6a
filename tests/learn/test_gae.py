"""Advantages against closed forms on a one-state world, and both implementations against each other."""

import pytest
import torch

from diorama.learn.gae import GaeParams, Outcomes, VtraceCorrection, advantages_in_torch, compute_advantages

STEPS = 12
REWARD = 1.0


def one_state(value: float, *, end: str | None = None, bootstrap: float = 0.0) -> Outcomes:
    """Reward 1 at every step of a state with this value; the last step may end the episode."""
    flags = torch.zeros(STEPS, 1, dtype=torch.uint8)
    ended = flags.clone()
    ended[-1] = 1
    return Outcomes(
        rewards=torch.full((STEPS, 1), REWARD),
        values=torch.full((STEPS + 1, 1), value),
        terminated=ended if end == "terminated" else flags,
        truncated=ended if end == "truncated" else flags,
        bootstrap=torch.full((STEPS, 1), bootstrap),
    )


def geometric(ratio: float, terms: int) -> float:
    return float(terms) if ratio == 1.0 else (1.0 - ratio**terms) / (1.0 - ratio)


@pytest.mark.parametrize("gae_lambda", [0.0, 0.5, 0.95, 1.0])
@pytest.mark.parametrize("gamma", [0.0, 0.9, 1.0])
def test_without_an_end_the_advantage_is_a_geometric_sum_of_equal_deltas(gamma: float, gae_lambda: float) -> None:
    value = 3.0
    delta = REWARD + gamma * value - value

    advantages = compute_advantages(one_state(value), GaeParams(gamma=gamma, gae_lambda=gae_lambda))

    for step in range(STEPS):
        expected = delta * geometric(gamma * gae_lambda, STEPS - step)
        assert advantages[step, 0].item() == pytest.approx(expected, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize(
    ("end", "last_next_value"), [("terminated", 0.0), ("truncated", 5.0)], ids=["terminated", "truncated"]
)
def test_termination_is_worth_zero_and_truncation_is_worth_the_bootstrap_value(
    end: str, last_next_value: float
) -> None:
    gamma, gae_lambda, value = 0.9, 0.8, 3.0
    delta = REWARD + gamma * value - value
    last = REWARD + gamma * last_next_value - value

    advantages = compute_advantages(
        one_state(value, end=end, bootstrap=5.0), GaeParams(gamma=gamma, gae_lambda=gae_lambda)
    )

    for step in range(STEPS):
        left = STEPS - 1 - step
        expected = delta * geometric(gamma * gae_lambda, left) + (gamma * gae_lambda) ** left * last
        assert advantages[step, 0].item() == pytest.approx(expected, rel=1e-5)


def test_a_perfect_critic_has_no_advantage_at_a_truncation() -> None:
    gamma = 0.9
    worth = REWARD / (1.0 - gamma)

    advantages = compute_advantages(
        one_state(worth, end="truncated", bootstrap=worth), GaeParams(gamma=gamma, gae_lambda=0.95)
    )

    assert advantages.abs().max().item() < 1e-5


@pytest.mark.parametrize(
    ("ratio", "rho", "c"),
    [pytest.param(0.5, 0.5, 0.5, id="rarer"), pytest.param(3.0, 1.5, 1.0, id="likelier-and-clipped")],
)
def test_vtrace_multiplies_deltas_by_clipped_ratios(ratio: float, rho: float, c: float) -> None:
    gamma, gae_lambda, value = 0.9, 0.8, 3.0
    delta = REWARD + gamma * value - value
    correction = VtraceCorrection(ratios=torch.full((STEPS, 1), ratio), rho_clip=1.5, c_clip=1.0)

    advantages = compute_advantages(one_state(value), GaeParams(gamma=gamma, gae_lambda=gae_lambda), correction)

    for step in range(STEPS):
        expected = rho * delta * geometric(gamma * gae_lambda * c, STEPS - step)
        assert advantages[step, 0].item() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("corrected", [False, True], ids=["plain", "vtrace"])
def test_the_compiled_loop_agrees_with_torch_on_ragged_episodes(corrected: bool) -> None:
    generator = torch.Generator().manual_seed(3)
    steps, rows = 40, 33
    outcomes = Outcomes(
        rewards=torch.randn(steps, rows, generator=generator),
        values=torch.randn(steps + 1, rows, generator=generator),
        terminated=(torch.rand(steps, rows, generator=generator) < 0.1).to(torch.uint8),
        truncated=(torch.rand(steps, rows, generator=generator) < 0.1).to(torch.uint8),
        bootstrap=torch.randn(steps, rows, generator=generator),
    )
    params = GaeParams(gamma=0.97, gae_lambda=0.9)
    ratios = torch.rand(steps, rows, generator=generator) * 2
    correction = VtraceCorrection(ratios=ratios, rho_clip=1.2, c_clip=0.9) if corrected else None

    compiled = compute_advantages(outcomes, params, correction)

    torch.testing.assert_close(compiled, advantages_in_torch(outcomes, params, correction))
