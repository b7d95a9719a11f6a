"""Who fills rollouts: `Collector` beside the learner, `DeviceCollector` beside a device, or somebody elsewhere."""

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from diorama.contracts.spec import WorldSpec
from diorama.learn.policies.policy import Policy
from diorama.learn.rollouts.lane import Acting
from diorama.learn.rollouts.rollout import Rollout
from diorama.learn.settings import TrainerSettings

if TYPE_CHECKING:
    from diorama.learn.matches.arena import Arena


class Gatherer(Protocol):
    """Owns the copies and the storage.

    Attributes:
        env_seconds: Of the last rollout, the share of its wall time that went into stepping.
        policy_seconds: The rest of it.
    """

    env_seconds: float
    policy_seconds: float

    @property
    def rollout(self) -> Rollout:
        """The rollout gathered last."""

    @property
    def upcoming(self) -> Rollout:
        """The one that is filled next."""

    def open(self) -> None:
        """Open an episode in every copy."""

    def collect(self, policy: Policy, acting: Acting) -> None:
        """Gather one rollout."""

    def release(self) -> None:
        """Hear that nobody reads the rollout but the one who learns from it."""

    def turn_over(self) -> None:
        """Make the end of a rollout that has been learned from the beginning of the next."""

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy, in order."""

    def restore(self, snapshots: list[bytes]) -> None:
        """Continue every copy from its snapshot."""

    def close(self) -> None:
        """End whatever was started."""


@runtime_checkable
class Elsewhere(Protocol):
    """Copies that are not at hand: somebody acts for them where they are."""

    @property
    def spec(self) -> WorldSpec:
        """The contract of the world."""

    @property
    def copies(self) -> int:
        """Number of copies."""

    def attend(self, arena: "Arena") -> None:
        """Let the copies play matches, whose results go to this arena; call it before somebody gathers."""

    def gatherer(self, policy: Policy, settings: TrainerSettings) -> Gatherer:
        """Return who gathers their rollouts."""
