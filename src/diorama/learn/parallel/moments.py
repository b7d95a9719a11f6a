"""Means and variances over the samples of all processes."""

from torch import Tensor, cat, nn

from diorama.learn.normalize.moments import Moments, RunningMoments
from diorama.learn.parallel.team import Team


def share_moments(team: Team, *modules: nn.Module) -> None:
    """Let every running mean and variance in these modules take in what all processes have seen."""
    for module in modules:
        for part in module.modules():
            if isinstance(part, RunningMoments):
                part.merge = lambda *own: merged_over(team, *own)


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


def _columns(table: Tensor, width: int) -> Moments:
    return table[:, :width], table[:, width : 2 * width], table[:, 2 * width :]
