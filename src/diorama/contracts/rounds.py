"""Worlds whose copies play in rounds; a policy update closes each round."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from diorama.contracts.tiers import BatchCore
from diorama.contracts.updates import UpdateDetails
from diorama.contracts.values import JsonObject


class EventLevel(StrEnum):
    """Which events of a world are published."""

    OFF = "off"
    MINIMAL = "minimal"
    NORMAL = "normal"
    DEBUG = "debug"


class CollapseRule(StrEnum):
    """How a collapsed critic is detected."""

    ROBUST = "robust"
    EXPLAINED_VARIANCE = "explained_variance"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsPlan:
    """What a world knows of the run it is trained in.

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
    level: EventLevel = EventLevel.NORMAL
    collapse_rule: CollapseRule = CollapseRule.ROBUST


class RoundTracker(Protocol):
    """Closes the rounds of a run."""

    def close(self, update: UpdateDetails) -> JsonObject:
        """Publish the end of the round that was learned from, and return its line in the history."""

    def state(self) -> JsonObject:
        """Return everything later rounds depend on."""

    def load(self, state: JsonObject) -> None:
        """Continue after the round of a state."""


PublishEvent = Callable[[JsonObject], None]
RoundsOpener = Callable[[BatchCore, RoundsPlan, PublishEvent], RoundTracker]
