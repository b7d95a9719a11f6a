"""Recurrent cores: MinGRU and LSTM, and the scan that runs a MinGRU over a sequence."""

import math
from typing import Any, Final

import torch
from torch import nn

from diorama.learn import kernels
from diorama.learn.policies.layers import orthogonal_linear
from diorama.native import load_native


def linear_scan(a: torch.Tensor, b: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
    """Return every h.

    Args:
        a: Steps × rows × width; zero where what came before is forgotten.
        b: Like `a`.
        first: Rows × width, h before the first step.
    """
    if kernels.serves(a):
        h: torch.Tensor = _CompiledScan.apply(a, b, first)  # type: ignore[no-untyped-call]
        return h
    if a.shape[0] == 1:
        return a * first + b
    if kernels.triton_serves(a):
        from diorama.learn.triton_kernels import fused_scan

        return fused_scan(a, b, first)
    return scan_by_doubling(a, b, first)


def scan_by_doubling(a: torch.Tensor, b: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
    """Do the same in as many rounds as the number of steps has binary digits, each over all steps at once."""
    h = torch.cat([a[:1] * first + b[:1], b[1:]])
    reach = 1
    while reach < len(a):
        joined = a[reach:] * h[:-reach] + h[reach:]
        h = torch.cat([h[:reach], joined])
        a = torch.cat([a[:reach], a[reach:] * a[:-reach]])
        reach *= 2
    return h


class _CompiledScan(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, a: torch.Tensor, b: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
        a, b, first = (tensor.detach().contiguous() for tensor in (a, b, first))
        h = torch.empty_like(a)
        load_native().scan_forward(_flat(a), _flat(b), first.view(-1).numpy(), _flat(h))
        ctx.save_for_backward(a, first, h)
        return h

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, ...]:
        a, first, h = ctx.saved_tensors
        of_b, of_first = torch.empty_like(a), torch.empty_like(first)
        load_native().scan_backward(_flat(a), _flat(gradients[0].contiguous()), of_first.view(-1).numpy(), _flat(of_b))
        of_a = torch.empty_like(a)
        torch.mul(of_b[0], first, out=of_a[0])
        torch.mul(of_b[1:], h[:-1], out=of_a[1:])
        return of_a, of_b, of_first


def _flat(tensor: torch.Tensor) -> Any:
    return tensor.detach().view(len(tensor), -1).numpy()


class NoMemory(nn.Module):
    """Features pass through."""

    def __init__(self, width: int) -> None:
        """Take the width of the features."""
        super().__init__()
        self.width = width
        self.state_width = 0

    def forward(
        self, features: torch.Tensor, state: torch.Tensor, starts: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return both as they are."""
        return features, state


class MinGru(nn.Module):
    """A gated average without a loop through its own output: h' = (1 - z)·h + z·candidate, both from the input alone.

    Because gate and candidate do not see h, a whole sequence is one linear scan. A residual keeps the input in view.
    """

    def __init__(self, width: int, *, generator: torch.Generator) -> None:
        """Make the layers."""
        super().__init__()
        self.width = self.state_width = width
        self.gates = orthogonal_linear(width, 2 * width, gain=1.0, generator=generator)

    def forward(
        self, features: torch.Tensor, state: torch.Tensor, starts: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Advance by a sequence."""
        gate, candidate = self.gates(features).chunk(2, dim=-1)
        update = torch.sigmoid(gate)
        keep = (1.0 - update) * (starts == 0).to(update.dtype)[..., None]
        remembered = linear_scan(keep, update * candidate, state)
        return remembered + features, remembered[-1].detach()


_GATES: Final = 4


class Lstm(nn.Module):
    """The classic cell; its state is h and c side by side."""

    def __init__(self, width: int, *, generator: torch.Generator) -> None:
        """Make the layers."""
        super().__init__()
        self.width = width
        self.state_width = 2 * width
        self.from_input = orthogonal_linear(width, _GATES * width, gain=1.0, generator=generator)
        self.from_hidden = nn.Parameter(torch.empty(_GATES * width, width))
        _fill_by_gates(self.from_hidden.data, generator)
        self.from_input.bias.data[width : 2 * width] = 1.0  # forget gate: remember until told otherwise

    def forward(
        self, features: torch.Tensor, state: torch.Tensor, starts: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Advance by a sequence."""
        return _run_gates(self.from_input(features), self.from_hidden, state, starts)


class _ResidualLayer(nn.Module):
    """`x + norm(lstm(x))`."""

    def __init__(self, width: int, forget_bias: float, generator: torch.Generator) -> None:
        super().__init__()
        self.from_input, self.from_hidden = nn.Linear(width, _GATES * width), nn.Linear(width, _GATES * width)
        self.norm = nn.LayerNorm(width)
        for linear in (self.from_input, self.from_hidden):
            _fill_by_gates(linear.weight.data, generator)
            nn.init.zeros_(linear.bias)
        self.from_input.bias.data[width : 2 * width] = forget_bias

    def forward(
        self, features: torch.Tensor, state: torch.Tensor, starts: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        given = self.from_input(features) + self.from_hidden.bias
        remembered, after = _run_gates(given, self.from_hidden.weight, state, starts)
        return features + self.norm(remembered), after


class ResidualLstm(nn.Module):
    """Layers of `x + norm(lstm(x))`; the state is h and c of every layer, one after another."""

    def __init__(self, width: int, layers: int, *, generator: torch.Generator) -> None:
        """Make the layers."""
        super().__init__()
        self.width = width
        self.state_width = 2 * width * layers
        # The more layers, the longer what reaches the last of them must be remembered.
        forget_bias = 1.0 + math.log(layers)
        self.layers = nn.ModuleList(_ResidualLayer(width, forget_bias, generator) for _ in range(layers))

    def forward(
        self, features: torch.Tensor, state: torch.Tensor, starts: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Advance by a sequence."""
        states = []
        for layer, own in zip(self.layers, state.chunk(len(self.layers), dim=-1), strict=True):
            features, after = layer(features, own, starts)
            states.append(after)
        return features, torch.cat(states, dim=-1)


def _fill_by_gates(weight: torch.Tensor, generator: torch.Generator) -> None:
    for block in weight.chunk(_GATES):
        nn.init.orthogonal_(block, generator=generator)


def _run_gates(
    given: torch.Tensor, from_hidden: torch.Tensor, state: torch.Tensor, starts: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return h of every step, and h and c after the last; `given` is what the inputs add to the gates."""
    h, c = state.chunk(2, dim=-1)
    keeps = (starts == 0).to(given.dtype)[..., None]
    outputs = []
    for inputs, keep in zip(given, keeps, strict=True):
        h, c = h * keep, c * keep
        i, f, g, o = torch.addmm(inputs, h, from_hidden.t()).chunk(_GATES, dim=-1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        outputs.append(h)
    return torch.stack(outputs), torch.cat([h, c], dim=-1).detach()
