"""What several processes learned from, told as one."""

import torch

from diorama.learn.parallel.team import Team
from diorama.learn.statistics import ExperienceMoments


def merged_experience(team: Team, own: torch.Tensor) -> torch.Tensor:
    """Return the moments of the experience of all processes; see `ExperienceMoments`."""
    table = team.gather(own)
    sums, counts = ExperienceMoments.sums(table), ExperienceMoments.count(table)
    total = counts.sum(dim=0)
    means, variances = ExperienceMoments.means(table), ExperienceMoments.variances(table)
    shares = counts / total.clamp(min=1)
    mean = (shares * means).sum(dim=0)
    apart = means - mean
    variance = (shares * (variances + apart.square())).sum(dim=0)
    covariance = (shares * (ExperienceMoments.covariance(table) + apart[:, :1] * apart[:, -1:])).sum(dim=0)
    return torch.cat([sums.sum(dim=0), total, mean, variance, covariance])
