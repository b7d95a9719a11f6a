"""An engine that says what it is doing."""

from collections.abc import Callable

from diorama.worlds.morphogenesis.audit.phase_clock import BOOKKEEPING, GRADIENTS, TRAIN, VALIDATE, PhaseClock
from diorama.worlds.morphogenesis.engine.protocol import (
    Fault,
    GradientStats,
    HostEngine,
    Overrides,
    RowScores,
    RowState,
)
from diorama.worlds.morphogenesis.hosting.seed_bed import SeedBed


class ProfiledEngine:
    """An engine that says when it trains, reads gradients and validates; everything else goes straight through."""

    def __init__(self, engine: HostEngine, clock: PhaseClock, finish_epoch: Callable[[], None]) -> None:
        """Stand before an engine.

        Args:
            engine: Does the work.
            clock: Is told which phase begins.
            finish_epoch: Called before an epoch begins: whatever was counted is of the one before.
        """
        self._engine = engine
        self._clock = clock
        self._finish_epoch = finish_epoch

    @property
    def host_params(self) -> int:
        """Parameters of one host without seeds."""
        return self._engine.host_params

    @property
    def execution_order(self) -> tuple[str, ...]:
        """Slots in the order features meet them."""
        return self._engine.execution_order

    def train_epoch(self, epoch: int) -> RowScores:
        """Train every row."""
        self._finish_epoch()
        self._clock.enter(TRAIN)
        trained = self._engine.train_epoch(epoch)
        self._clock.enter(BOOKKEEPING)
        return trained

    def gradient_stats(self) -> GradientStats:
        """Return what the last training epoch showed of the gradients."""
        self._clock.enter(GRADIENTS)
        found = self._engine.gradient_stats()
        self._clock.enter(BOOKKEEPING)
        return found

    def validate(self, overrides: Overrides) -> RowScores:
        """Measure every row."""
        self._clock.enter(VALIDATE)
        scores = self._engine.validate(overrides)
        self._clock.enter(BOOKKEEPING)
        return scores

    def reset(self, round_index: int) -> None:
        """Begin a round."""
        self._engine.reset(round_index)

    def bed(self, row: int) -> SeedBed:
        """Return the modules of one row."""
        return self._engine.bed(row)

    def freeze(self, row: int) -> None:
        """Train a row no more."""
        self._engine.freeze(row)

    def snapshot(self, row: int) -> None:
        """Keep a copy of a host."""
        self._engine.snapshot(row)

    def snapshot_slots(self, row: int) -> frozenset[str]:
        """Return the slots whose permanent seeds are in the snapshot."""
        return self._engine.snapshot_slots(row)

    def restore(self, row: int) -> None:
        """Put the snapshot back."""
        self._engine.restore(row)

    def inject(self, row: int, fault: Fault) -> None:
        """Damage a row for a drill."""
        self._engine.inject(row, fault)

    def write_row(self, row: int) -> RowState:
        """Return copies of all tensors of a row."""
        return self._engine.write_row(row)

    def read_row(self, row: int, state: RowState) -> None:
        """Take over tensors written by `write_row`."""
        self._engine.read_row(row, state)
