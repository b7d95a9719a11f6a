"""Statistics of an update, computed on the device and copied to the host once."""

import math
from dataclasses import dataclass, fields

import torch

from diorama.learn.distributed import Team, merge_moments
from diorama.learn.errors import TrainingDiverged
from diorama.learn.experience import Experience
from diorama.learn.loss import LossTerms

_TERM_NAMES = ("loss_total", "loss_policy", "loss_value", "entropy", "approx_kl", "clip_fraction")
_TEACHING_NAMES = ("loss_kickstarting", "teacher_agreement")
_GRADIENT_NAME = "grad_norm"
MINIBATCH_NUMBERS = len(_TERM_NAMES) + 1  # without a teacher


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateStatistics:
    """Statistics of an update, means over its minibatches unless the name says otherwise; see `UpdateReport`."""

    loss_policy: float
    loss_value: float
    entropy: float
    entropy_std: float
    loss_total: float
    approx_kl: float
    approx_kl_max: float
    clip_fraction: float
    clip_fraction_max: float
    clip_triggered_minibatches: int
    grad_norm: float
    grad_norm_max: float
    explained_variance: float
    adv_mean: float
    adv_std: float
    reward_advantage_corr: float
    minibatches: int
    transitions: int
    epochs_done: int
    skipped_minibatches: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TaughtStatistics(UpdateStatistics):
    """Statistics of an update with a teacher, which agreed with the policy in a share of the decisions."""

    loss_kickstarting: float
    teacher_agreement: float


def minibatch_row(terms: torch.Tensor, grad_norm: torch.Tensor) -> torch.Tensor:
    """Return the statistics of one minibatch as one row: the loss terms in order, then the gradient norm."""
    return torch.cat([terms, grad_norm.reshape(1)])


def term_row(terms: LossTerms) -> torch.Tensor:
    """Return the loss terms of a shard as one row."""
    values = [getattr(terms, item.name) for item in fields(terms)]
    return torch.stack([value.detach() for value in values if value is not None])


def read_statistics(
    moments: torch.Tensor, rows: list[torch.Tensor], *, update: int, epochs_done: int, skipped: int = 0
) -> UpdateStatistics:
    """Return the statistics of an update, copied in one transfer; zeros if every step was skipped.

    Args:
        moments: Of the experience; see `experience_moments`.
        rows: One per minibatch; see `minibatch_row`.
        update: Number of the update.
        epochs_done: Number of epochs.
        skipped: Number of skipped steps.

    Raises:
        TrainingDiverged: A statistic is not finite; names the first in the order of the computation.
    """
    if not rows:
        return _empty_statistics(epochs_done, skipped)
    table = torch.stack(rows).double()
    width = table.shape[1]
    is_taught = width > MINIBATCH_NUMBERS
    names = (*_TERM_NAMES, *(_TEACHING_NAMES if is_taught else ()), _GRADIENT_NAME)
    clipping = (table[:, names.index("clip_fraction")] > 0).sum().reshape(1)
    numbers = torch.cat([_derived(moments), clipping, table.mean(0), table.amax(0), table.std(0, correction=0)])
    rewards, values, advantages, transitions, explained, mean, std, corr, clipped, *rest = numbers.tolist()
    means = dict(zip(names, rest[:width], strict=True))
    largest = dict(zip(names, rest[width : 2 * width], strict=True))
    spread = dict(zip(names, rest[2 * width :], strict=True))
    _check_finite(update, {"rewards": rewards, "values": values, "advantages": advantages, **means})
    kind = TaughtStatistics if is_taught else UpdateStatistics
    return kind(
        **means,
        approx_kl_max=largest["approx_kl"],
        grad_norm_max=largest["grad_norm"],
        clip_fraction_max=largest["clip_fraction"],
        clip_triggered_minibatches=int(clipped),
        entropy_std=spread["entropy"],
        explained_variance=explained,
        adv_mean=mean,
        adv_std=std,
        reward_advantage_corr=corr,
        minibatches=len(rows),
        transitions=int(transitions),
        epochs_done=epochs_done,
        skipped_minibatches=skipped,
    )


def _empty_statistics(epochs_done: int, skipped: int) -> UpdateStatistics:
    zeros = {item.name: 0 for item in fields(UpdateStatistics)}
    return UpdateStatistics(**{**zeros, "epochs_done": epochs_done, "skipped_minibatches": skipped})


def _check_finite(update: int, numbers: dict[str, float]) -> None:
    for name, number in numbers.items():
        if not math.isfinite(number):
            raise TrainingDiverged(
                f"update {update}: {name} became {number}; lower optimizer.learning_rate or optimizer.max_grad_norm,"
                " or check the rewards",
                code="statistic_not_finite",
                update=update,
                name=name,
                value=number,
            )


class ExperienceMoments:
    """Columns of a row of `experience_moments`, or of a table of such rows.

    Three sums, the number of decisions with a weight, then means and variances of advantages, returns, value errors
    and rewards, and the covariance of advantages and rewards; all float64.
    """

    @staticmethod
    def sums(row: torch.Tensor) -> torch.Tensor:
        """Sums of rewards, values and advantages."""
        return row[..., :3]

    @staticmethod
    def count(row: torch.Tensor) -> torch.Tensor:
        """Number of decisions with a weight."""
        return row[..., 3:4]

    @staticmethod
    def means(row: torch.Tensor) -> torch.Tensor:
        """Means of advantages, returns, value errors and rewards."""
        return row[..., 4:8]

    @staticmethod
    def variances(row: torch.Tensor) -> torch.Tensor:
        """Variances of the same."""
        return row[..., 8:12]

    @staticmethod
    def covariance(row: torch.Tensor) -> torch.Tensor:
        """Covariance of advantages and rewards."""
        return row[..., 12:]


def experience_moments(experience: Experience) -> torch.Tensor:
    """Return the moments of an experience as one row; see `ExperienceMoments`."""
    targets, outcomes = experience.targets, experience.outcomes
    weights = (targets.policy_weights > 0).double()
    rewards, advantages = outcomes.rewards.reshape(-1).double(), targets.advantages.double()
    returns, values = targets.returns.double(), targets.values.double()
    count = weights.sum()
    mean, variance = _moments(advantages, weights)
    return_mean, return_variance = _moments(returns, weights)
    error_mean, error_variance = _moments(returns - values, weights)
    reward_mean, reward_variance = _moments(rewards, weights)
    covariance = (weights * (rewards - reward_mean) * (advantages - mean)).sum() / count.clamp(min=1)
    # The sums cover all entries, so that a NaN shows even where the weight is 0.
    sums = [outcomes.rewards.sum(), outcomes.values.sum(), targets.advantages.sum()]
    means = [mean, return_mean, error_mean, reward_mean]
    variances = [variance, return_variance, error_variance, reward_variance]
    return torch.stack([*(item.double() for item in sums), count, *means, *variances, covariance])


def _derived(moments: torch.Tensor) -> torch.Tensor:
    means, variances = ExperienceMoments.means(moments), ExperienceMoments.variances(moments)
    variance, return_variance, error_variance, reward_variance = variances
    explained = 1.0 - error_variance / return_variance
    deviations = (variance * reward_variance).sqrt()
    covariance = ExperienceMoments.covariance(moments)[0]
    derived = torch.stack(
        [
            torch.where(return_variance > 0, explained, 0.0),
            means[0],
            variance.sqrt(),
            torch.where(deviations > 0, covariance / deviations, 0.0),
        ]
    )
    return torch.cat([ExperienceMoments.sums(moments), ExperienceMoments.count(moments), derived])


def _moments(samples: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    count = weights.sum().clamp(min=1)
    mean = (weights * samples).sum() / count
    return mean, (weights * (samples - mean).square()).sum() / count


def merge_experience_moments(team: Team, own: torch.Tensor) -> torch.Tensor:
    """Return the moments of the experience of all processes; see `ExperienceMoments`."""
    table = team.all_gather(own)
    counts, means = ExperienceMoments.count(table), ExperienceMoments.means(table)
    mean, variance, total = merge_moments(means, ExperienceMoments.variances(table), counts)
    offsets = means - mean
    covariances = ExperienceMoments.covariance(table) + offsets[:, :1] * offsets[:, -1:]
    covariance = (counts * covariances).sum(dim=0) / total.clamp(min=1)
    sums = ExperienceMoments.sums(table).sum(dim=0)
    return torch.cat([sums, total.reshape(1), mean, variance, covariance])
