"""Alerts that are read off the town's books: embedding slots, the exit queue, and whom perturbations single out."""

from dataclasses import dataclass, field
from typing import Final

from diorama.contracts.live.stability import TickRecord
from diorama.worlds.townlet.live.analyzers.watching import Reading, TownAnalyzer, count, number
from diorama.worlds.townlet.reference.console.happenings import gini

BACKLOG_TICKS: Final = 200
MAX_GINI: Final = 0.5
MIN_SELECTIONS: Final = 10


@dataclass(slots=True)
class Level:
    """A number and the limit it is held against, as the last tick told them."""

    value: float = 0.0
    limit: float = 0.0


class EmbeddingReuse(TownAnalyzer[Level]):
    """Embedding slots that were given away before they had rested."""

    name = "embedding_reuse_warning"
    state_type = Level

    def note(self, record: TickRecord) -> None:
        """Take note of a tick."""
        self.state = Level(number(record, "embedding_reuse_rate"), number(record, "embedding_reuse_limit"))

    def read(self) -> Reading:
        """Share of slots that were."""
        state = self.state
        return Reading(value=state.value, threshold=state.limit, is_alarming=state.value > state.limit)


@dataclass(slots=True)
class Overflow:
    """Citizens in the exit queue, its limit, and whether somebody was turned away since it last had room."""

    pending: int = 0
    limit: int = 0
    is_over: bool = False


class ExitQueueOverflow(TownAnalyzer[Overflow]):
    """More citizens are about to lose their place than the queue may hold: it turns them away, and says so."""

    name = "employment_exit_queue_overflow"
    state_type = Overflow

    def note(self, record: TickRecord) -> None:
        """Take note of a tick."""
        state = self.state
        state.pending, state.limit = int(number(record, "exit_queue")), int(number(record, "exit_queue_limit"))
        was_told = count(record, "employment_exit_queue_overflow") > 0
        state.is_over = state.pending > state.limit or (state.pending >= state.limit and (was_told or state.is_over))

    def read(self) -> Reading:
        """Citizens in the queue."""
        state = self.state
        return Reading(value=float(state.pending), threshold=float(state.limit), is_alarming=state.is_over)


@dataclass(slots=True)
class Backlog:
    """Ticks in a row in which somebody waited."""

    ticks: int = 0


class ExitBacklog(TownAnalyzer[Backlog]):
    """Somebody waits in the exit queue for too long."""

    name = "employment_exit_backlog"
    state_type = Backlog

    def note(self, record: TickRecord) -> None:
        """Take note of a tick."""
        self.state.ticks = self.state.ticks + 1 if number(record, "exit_queue") > 0 else 0

    def read(self) -> Reading:
        """Ticks in a row."""
        ticks = self.state.ticks
        return Reading(value=float(ticks), threshold=float(BACKLOG_TICKS), is_alarming=ticks >= BACKLOG_TICKS)


@dataclass(slots=True)
class Selections:
    """How often the perturbation scheduler has picked each living citizen."""

    counts: list[int] = field(default_factory=list)


class PerturbationUnfair(TownAnalyzer[Selections]):
    """Perturbations single out the same few."""

    name = "perturbation_unfair"
    state_type = Selections

    def note(self, record: TickRecord) -> None:
        """Take note of a tick."""
        told = record.facts.get("selections")
        self.state.counts = (
            [int(picked) for picked in told if isinstance(picked, int)] if isinstance(told, list) else []
        )

    def read(self) -> Reading:
        """Gini coefficient of the selections."""
        counts = self.state.counts
        value = gini(counts) if sum(counts) else 0.0
        return Reading(
            value=value,
            threshold=MAX_GINI,
            is_alarming=value > MAX_GINI and sum(counts) >= MIN_SELECTIONS,
            samples=float(sum(counts)),
        )
