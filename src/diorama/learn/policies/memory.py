"""Memory between encoder and heads: what a policy carries from one decision to the next.

A row's memory is one flat row of numbers, zeros at the start of an episode. Every kind is called with

* features, steps × rows × width;
* state, rows × state width, before the first step;
* starts, steps × rows, non-zero where the state is forgotten before the step;

and returns what is remembered at every step, like the features, and the state after the last.
"""

from typing import Final

import torch
from torch import nn

from diorama.learn.heads.networks import orthogonal_linear
from diorama.learn.policies.scan import linear_scan


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
        for block in self.from_hidden.data.chunk(_GATES):
            nn.init.orthogonal_(block, generator=generator)
        self.from_input.bias.data[width : 2 * width] = 1.0  # forget gate: remember until told otherwise

    def forward(
        self, features: torch.Tensor, state: torch.Tensor, starts: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Advance by a sequence."""
        h, c = state.chunk(2, dim=-1)
        keeps = (starts == 0).to(features.dtype)[..., None]
        outputs = []
        for given, keep in zip(self.from_input(features), keeps, strict=True):
            h, c = h * keep, c * keep
            i, f, g, o = torch.addmm(given, h, self.from_hidden.t()).chunk(_GATES, dim=-1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            outputs.append(h)
        return torch.stack(outputs), torch.cat([h, c], dim=-1).detach()
