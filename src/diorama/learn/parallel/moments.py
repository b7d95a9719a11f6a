"""Means and variances over the samples of all processes."""

from collections.abc import Iterator
from contextlib import contextmanager

from torch import Tensor, cat, nn

from diorama.learn.normalize.moments import Moments, RunningMoments
from diorama.learn.parallel.team import Team


def share_moments(team: Team, *modules: nn.Module) -> None:
    """Let every running mean and variance in these modules take in what all processes have seen."""
    for module in modules:
        for part in _moments_in(module):
            part.merge = lambda *own: merged_over(team, *own)


@contextmanager
def own_moments(module: nn.Module) -> Iterator[None]:
    """Let the running means and variances in a module take in what this process alone sees, for a while."""
    before = [(part, part.merge) for part in _moments_in(module)]
    for part, _ in before:
        part.merge = None
    try:
        yield
    finally:
        for part, merge in before:
            part.merge = merge


def merged_over(team: Team, mean: Tensor, variance: Tensor, count: Tensor) -> Moments:
    """Return mean, population variance and count of the samples of all processes together."""
    own = cat([mean.double(), variance.double(), count.double().reshape(1)])
    return merged(*_columns(team.gather(own), len(mean)))


def merged(means: Tensor, variances: Tensor, counts: Tensor) -> Moments:
    """Return the moments of groups taken together.

    Args:
        means: Groups × columns, float64.
        variances: Likewise.
        counts: Groups × 1.
    """
    total = counts.sum(dim=0)
    divisor = total.clamp(min=1)
    mean = (counts * means).sum(dim=0) / divisor
    variance = (counts * (variances + (means - mean).square())).sum(dim=0) / divisor
    return mean, variance, total[0]


def _moments_in(module: nn.Module) -> list[RunningMoments]:
    return [part for part in module.modules() if isinstance(part, RunningMoments)]


def _columns(table: Tensor, width: int) -> Moments:
    return table[:, :width], table[:, width : 2 * width], table[:, 2 * width :]
