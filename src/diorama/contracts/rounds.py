"""Worlds whose copies play in rounds and want to hear of the policy update that closes each."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from diorama.contracts.tiers import BatchCore
from diorama.contracts.updates import UpdateDetails
from diorama.contracts.values import JsonObject


class TellingLevel(StrEnum):
    """How much of what happens in a world is told."""

    OFF = "off"
    MINIMAL = "minimal"
    NORMAL = "normal"
    DEBUG = "debug"


class CollapseRule(StrEnum):
    """How a critic that has collapsed is told from one that has not."""

    ROBUST = "robust"
    EXPLAINED_VARIANCE = "explained_variance"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsPlan:
    """What a world is told about the run it is trained in.

    Attributes:
        rounds: Planned for the whole run.
        learning_rate: At the beginning; likewise the entropy coefficient.
        device: Of the policy.
    """

    rounds: int
    learning_rate: float
    clip_coef: float
    entropy_coefficient: float
    device: str
    level: TellingLevel = TellingLevel.NORMAL
    collapse_rule: CollapseRule = CollapseRule.ROBUST


class RoundKeeper(Protocol):
    """Closes the rounds of a run."""

    def close(self, update: UpdateDetails) -> JsonObject:
        """Tell the end of the round that was learned from, and return its line in the history."""

    def state(self) -> JsonObject:
        """Return what must be known to go on after the last round."""

    def load(self, state: JsonObject) -> None:
        """Go on after the round this state is of."""


Teller = Callable[[JsonObject], None]
RoundsOpener = Callable[[BatchCore, RoundsPlan, Teller], RoundKeeper]
