"""Recurrent cores: scans against loops, sequences against single steps, resets at episode starts."""

from collections.abc import Callable

import pytest
import torch
from torch import nn

from diorama.learn.policies.recurrent import Lstm, MinGru, linear_scan, scan_by_doubling

STEPS, ROWS, WIDTH = 13, 6, 8

Scan = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


def generator() -> torch.Generator:
    return torch.Generator().manual_seed(4)


def looped(a: torch.Tensor, b: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
    h, states = first, []
    for own_a, own_b in zip(a, b, strict=True):
        h = own_a * h + own_b
        states.append(h)
    return torch.stack(states)


@pytest.mark.parametrize("scan", [linear_scan, scan_by_doubling], ids=["compiled", "doubling"])
@pytest.mark.parametrize("steps", [1, 2, 8, STEPS])
def test_a_scan_equals_the_loop_with_its_gradient(scan: Scan, steps: int) -> None:
    g = generator()
    a = torch.rand(steps, ROWS, WIDTH, generator=g)
    a[torch.rand(steps, ROWS, generator=g) < 0.3] = 0.0
    inputs = [a, torch.randn(steps, ROWS, WIDTH, generator=g), torch.randn(ROWS, WIDTH, generator=g)]
    weights = torch.randn(steps, ROWS, WIDTH, generator=g)
    results = []
    for implementation in (scan, looped):
        own = [tensor.clone().requires_grad_() for tensor in inputs]
        h = implementation(*own)
        results.append([h, *torch.autograd.grad((weights * h).sum(), own)])

    for mine, expected in zip(*results, strict=True):
        torch.testing.assert_close(mine, expected, rtol=1e-5, atol=1e-5)


def memories() -> list[MinGru | Lstm]:
    return [MinGru(WIDTH, generator=generator()), Lstm(WIDTH, generator=generator())]


@pytest.mark.parametrize("memory", memories(), ids=["mingru", "lstm"])
def test_a_sequence_equals_its_steps_one_by_one(memory: MinGru | Lstm) -> None:
    g = generator()
    features = torch.randn(STEPS, ROWS, WIDTH, generator=g)
    starts = (torch.rand(STEPS, ROWS, generator=g) < 0.3).to(torch.uint8)
    state = torch.randn(ROWS, memory.state_width, generator=g)

    whole, last = memory(features, state, starts)

    for step in range(STEPS):
        output, state = memory(features[step : step + 1], state, starts[step : step + 1])
        torch.testing.assert_close(output[0], whole[step], rtol=1e-5, atol=1e-6)
    torch.testing.assert_close(state, last, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("memory", memories(), ids=["mingru", "lstm"])
def test_nothing_crosses_the_start_of_an_episode(memory: MinGru | Lstm) -> None:
    g = generator()
    features = torch.randn(STEPS, ROWS, WIDTH, generator=g, requires_grad=True)
    starts = torch.zeros(STEPS, ROWS, dtype=torch.uint8)
    starts[5] = 1
    state = torch.randn(ROWS, memory.state_width, generator=g)

    whole, _ = memory(features, state, starts)
    fresh, _ = memory(features[5:], torch.zeros_like(state), starts[5:])
    (gradient,) = torch.autograd.grad(whole[5:].sum(), features)

    torch.testing.assert_close(whole[5:], fresh)
    assert (gradient[:5] == 0).all()
    assert (gradient[5:] != 0).any()


def test_the_lstm_is_torchs_own_where_no_episode_starts() -> None:
    memory = Lstm(WIDTH, generator=generator())
    theirs = nn.LSTM(WIDTH, WIDTH)
    theirs.load_state_dict(
        {
            "weight_ih_l0": memory.from_input.weight,
            "weight_hh_l0": memory.from_hidden,
            "bias_ih_l0": memory.from_input.bias,
            "bias_hh_l0": torch.zeros(4 * WIDTH),
        }
    )
    g = generator()
    features, state = torch.randn(STEPS, ROWS, WIDTH, generator=g), torch.randn(ROWS, 2 * WIDTH, generator=g)

    mine, _ = memory(features, state, torch.zeros(STEPS, ROWS, dtype=torch.uint8))
    h, c = state.chunk(2, dim=-1)
    expected, _ = theirs(features, (h[None].contiguous(), c[None].contiguous()))

    torch.testing.assert_close(mine, expected, rtol=1e-5, atol=1e-6)
