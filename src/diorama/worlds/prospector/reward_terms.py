"""The terms of the reward, for critics that predict each."""

from typing import Final

from diorama.contracts.reward_terms import RewardTerms, terms_of_records
from diorama.contracts.tiers import BatchCore
from diorama.contracts.values import F64
from diorama.native import NativeCore
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.reference.reward import TERM_NAMES


def _names(config: ProspectorConfig) -> tuple[str, ...]:
    return TERM_NAMES[config.reward_profile]


def _read(core: BatchCore, copies: int, names: tuple[str, ...]) -> F64:
    if isinstance(core, NativeCore):
        return core.reward_parts().reshape(copies, len(names))
    return terms_of_records(core, copies, names)


REWARD_TERMS: Final = RewardTerms(names=_names, read=_read)
