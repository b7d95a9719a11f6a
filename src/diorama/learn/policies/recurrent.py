"""Recurrent cores: MinGRU, LSTM and residual LSTM, and the linear scan of a MinGRU."""

import math
from typing import Any, Final

import torch
from torch import nn

from diorama.learn import kernels
from diorama.learn.policies.layers import orthogonal_linear
from diorama.native import load_native


def linear_scan(a: torch.Tensor, b: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
    """Return all h of h[t] = a[t]·h[t-1] + b[t], steps × rows × width.

    Args:
        a: Steps × rows × width.
        b: Like `a`.
        first: Rows × width, h before the first step.
    """
    if kernels.can_use_native(a):
        h: torch.Tensor = _CompiledScan.apply(a, b, first)  # type: ignore[no-untyped-call]
        return h
    if a.shape[0] == 1:
        return a * first + b
    if kernels.can_use_triton(a):
        from diorama.learn import triton_kernels

        return triton_kernels.linear_scan(a, b, first)
    return scan_by_doubling(a, b, first)


def scan_by_doubling(a: torch.Tensor, b: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
    """Compute the same in log2(steps) rounds, each over all steps at once."""
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
        grad_b, grad_first = torch.empty_like(a), torch.empty_like(first)
        load_native().scan_backward(
            _flat(a), _flat(gradients[0].contiguous()), grad_first.view(-1).numpy(), _flat(grad_b)
        )
        grad_a = torch.empty_like(a)
        torch.mul(grad_b[0], first, out=grad_a[0])
        torch.mul(grad_b[1:], h[:-1], out=grad_a[1:])
        return grad_a, grad_b, grad_first


def _flat(tensor: torch.Tensor) -> Any:
    return tensor.detach().view(len(tensor), -1).numpy()


class NoMemory(nn.Module):
    """Identity, for policies without memory."""

    def __init__(self, width: int) -> None:
        """Pass features of this width through."""
        super().__init__()
        self.width = width
        self.state_width = 0

    def forward(
        self, features: torch.Tensor, state: torch.Tensor, starts: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return features and state unchanged."""
        return features, state


class MinGru(nn.Module):
    """MinGRU with a residual connection: h' = (1 - z)·h + z·candidate.

    Gate and candidate depend on the input alone, so a whole sequence is one linear scan.
    """

    def __init__(self, width: int, *, generator: torch.Generator) -> None:
        """Create the layers."""
        super().__init__()
        self.width = self.state_width = width
        self.gates = orthogonal_linear(width, 2 * width, gain=1.0, generator=generator)

    def forward(
        self, features: torch.Tensor, state: torch.Tensor, starts: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the outputs of a sequence, and the state after it."""
        gate, candidate = self.gates(features).chunk(2, dim=-1)
        update = torch.sigmoid(gate)
        keep = (1.0 - update) * (starts == 0).to(update.dtype)[..., None]
        hidden = linear_scan(keep, update * candidate, state)
        return hidden + features, hidden[-1].detach()


_GATES: Final = 4


class Lstm(nn.Module):
    """LSTM; its state is h and c, concatenated."""

    def __init__(self, width: int, *, generator: torch.Generator) -> None:
        """Create the layers."""
        super().__init__()
        self.width = width
        self.state_width = 2 * width
        self.from_input = orthogonal_linear(width, _GATES * width, gain=1.0, generator=generator)
        self.from_hidden = nn.Parameter(torch.empty(_GATES * width, width))
        _fill_by_gates(self.from_hidden.data, generator)
        self.from_input.bias.data[width : 2 * width] = 1.0  # forget gate: keep the state at first

    def forward(
        self, features: torch.Tensor, state: torch.Tensor, starts: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the outputs of a sequence, and the state after it."""
        return _run_lstm(self.from_input(features), self.from_hidden, state, starts)


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
        inputs = self.from_input(features) + self.from_hidden.bias
        hidden, next_state = _run_lstm(inputs, self.from_hidden.weight, state, starts)
        return features + self.norm(hidden), next_state


class ResidualLstm(nn.Module):
    """Layers of `x + norm(lstm(x))`; the state is h and c of every layer, concatenated."""

    def __init__(self, width: int, layers: int, *, generator: torch.Generator) -> None:
        """Create the layers."""
        super().__init__()
        self.width = width
        self.state_width = 2 * width * layers
        # Deeper networks need longer memory.
        forget_bias = 1.0 + math.log(layers)
        self.layers = nn.ModuleList(_ResidualLayer(width, forget_bias, generator) for _ in range(layers))

    def forward(
        self, features: torch.Tensor, state: torch.Tensor, starts: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the outputs of a sequence, and the state after it."""
        states = []
        for layer, own in zip(self.layers, state.chunk(len(self.layers), dim=-1), strict=True):
            features, next_state = layer(features, own, starts)
            states.append(next_state)
        return features, torch.cat(states, dim=-1)


def _fill_by_gates(weight: torch.Tensor, generator: torch.Generator) -> None:
    for block in weight.chunk(_GATES):
        nn.init.orthogonal_(block, generator=generator)


def _run_lstm(
    gate_inputs: torch.Tensor, from_hidden: torch.Tensor, state: torch.Tensor, starts: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return h of every step, and the state after the last step."""
    h, c = state.chunk(2, dim=-1)
    keeps = (starts == 0).to(gate_inputs.dtype)[..., None]
    outputs = []
    for inputs, keep in zip(gate_inputs, keeps, strict=True):
        h, c = h * keep, c * keep
        i, f, g, o = torch.addmm(inputs, h, from_hidden.t()).chunk(_GATES, dim=-1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        outputs.append(h)
    return torch.stack(outputs), torch.cat([h, c], dim=-1).detach()
