"""Credit for the seeds that made another one good, paid when that one becomes permanent."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig


class Boost(NamedTuple):
    """A measured interaction in favor of a seed, in percentage points, and the epoch it was measured in."""

    boost_pp: float
    epoch: int


class HindsightCredit(NamedTuple):
    """What the next step is paid, from how many helpers, and how many epochs ago they helped in all."""

    credit: float = 0.0
    scaffold_count: int = 0
    scaffold_delay_total: float = 0.0


def hindsight_credit(
    boosts: Iterable[Boost], reference: float | None, epoch: int, config: ContributionRewardConfig
) -> HindsightCredit:
    """Return the credit for a seed that has just become permanent; none unless the host is better for it."""
    helpers = tuple(boosts)
    if reference is None or reference <= 0.0 or not helpers:
        return HindsightCredit()
    credit = math.fsum(
        config.hindsight_weight
        * math.tanh(config.hindsight_steepness * helper.boost_pp * reference)
        * config.gamma ** (epoch - helper.epoch)
        for helper in helpers
    )
    return HindsightCredit(
        credit=min(credit, config.hindsight_limit),
        scaffold_count=len(helpers),
        scaffold_delay_total=float(sum(epoch - helper.epoch for helper in helpers)),
    )
