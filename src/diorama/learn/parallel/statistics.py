"""What several processes learned from, told as one."""

import torch

from diorama.learn.parallel.moments import merged
from diorama.learn.parallel.team import Team
from diorama.learn.ppo.statistics import ExperienceMoments


def merged_experience(team: Team, own: torch.Tensor) -> torch.Tensor:
    """Return the moments of the experience of all processes; see `ExperienceMoments`."""
    table = team.gather(own)
    counts, means = ExperienceMoments.count(table), ExperienceMoments.means(table)
    mean, variance, total = merged(means, ExperienceMoments.variances(table), counts)
    apart = means - mean
    covariances = ExperienceMoments.covariance(table) + apart[:, :1] * apart[:, -1:]
    covariance = (counts * covariances).sum(dim=0) / total.clamp(min=1)
    sums = ExperienceMoments.sums(table).sum(dim=0)
    return torch.cat([sums, total.reshape(1), mean, variance, covariance])
