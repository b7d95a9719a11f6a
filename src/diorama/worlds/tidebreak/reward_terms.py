"""The terms of the reward, for critics that predict each."""

from typing import Final

from diorama.contracts.reward_terms import RewardTerms, terms_of_records
from diorama.worlds.tidebreak.config import TidebreakConfig
from diorama.worlds.tidebreak.reward_weights import Component


def _names(config: TidebreakConfig) -> tuple[str, ...]:
    shaping = () if config.shaping_discount is None else ("shaping",)
    return (*(component.value for component in Component), "team", *shaping)


# What the mean of the team adds is known to the records alone.
REWARD_TERMS: Final = RewardTerms(names=_names, read=terms_of_records)
