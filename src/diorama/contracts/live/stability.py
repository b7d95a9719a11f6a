"""What a stability monitor is told every tick, and what its analyzers answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from diorama.contracts.live.events import LiveEvent
from diorama.contracts.values import JsonObject, JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class TickRecord:
    """One tick of a live world.

    Attributes:
        rewards: Total of every seat that was paid, what an ending pays left out.
        exits: Seats that were left, with the world's word for why.
        events: Of this tick, those of the services included.
        facts: Further numbers that the world's own analyzers read, such as hunger by seat.
        transport: Health of the publisher: at least `dropped` and `breaker_open`.
    """

    tick: int
    rewards: Mapping[int, float]
    exits: Mapping[int, str]
    events: Sequence[LiveEvent]
    facts: JsonObject
    transport: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """A threshold that is passed."""

    value: float
    threshold: float


class Analyzer(Protocol):
    """Watches one thing; `name` is that of its alert."""

    @property
    def name(self) -> str:
        """Name of the alert, such as `starvation_spike`."""

    def ingest(self, record: TickRecord) -> None:
        """Take note of a tick."""

    def alert(self) -> Alert | None:
        """Return what is wrong now; None if nothing is."""

    def metrics(self) -> Mapping[str, float]:
        """Return values, sample counts, thresholds and baselines."""

    def export(self) -> JsonValue:
        """Return everything that must survive a snapshot."""

    def load(self, state: JsonValue) -> None:
        """Take over what `export` returned.

        Raises:
            ValueError: It is not a state of this analyzer.
        """
