"""`Decider`: whoever selects the actions of all seats."""

from typing import Protocol

from diorama.contracts.live.world import LiveWorld, PolicyIdentity, Selection
from diorama.contracts.values import JsonValue
from diorama.operate.promotion.pointers import PolicyPointer


class Decider(Protocol):
    """Selects once a tick, between stages 2 and 3."""

    @property
    def pointer(self) -> PolicyPointer:
        """Which policy it is."""

    @property
    def is_learned(self) -> bool:
        """Whether it was trained."""

    @property
    def identity(self) -> PolicyIdentity:
        """What telemetry tells of it."""

    @property
    def remembers(self) -> bool:
        """Whether what it selects depends on what it saw before."""

    def decide(self, world: LiveWorld) -> Selection:
        """Select for every seat; what is said for free ones is the no-op."""

    def forget(self) -> None:
        """Clear what it remembers of every seat."""

    def export(self) -> JsonValue:
        """What it remembers."""

    def load(self, state: JsonValue) -> None:
        """Take over what `export` returned; what is of another decider is forgotten instead.

        Raises:
            SnapshotError: It is nothing that such a decider could remember.
        """
