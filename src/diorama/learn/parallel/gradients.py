"""The gradient of a minibatch that several processes hold."""

import torch

from diorama.learn.parallel.team import Team


def add_over(team: Team, gradient: torch.Tensor, terms: torch.Tensor) -> None:
    """Replace a gradient and the loss terms beside it by their sums over all processes, in one transfer."""
    both = torch.cat([gradient, terms])
    team.add_up(both)
    gradient.copy_(both[: len(gradient)])
    terms.copy_(both[len(gradient) :])
