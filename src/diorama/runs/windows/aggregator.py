"""`WindowAggregator`: turns vector steps into window rows."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import ConfigError, ContractError, DocumentError
from diorama.contracts.spec import WorldSpec
from diorama.contracts.training_reports import StepView, UpdateReport
from diorama.contracts.values import U8, JsonObject
from diorama.runs.clock import Clock
from diorama.runs.windows.row import (
    Closing,
    PhaseSeconds,
    Totals,
    TrainerFields,
    WindowRow,
    add_phases,
    build_row,
    stored_start_fields,
    trainer_fields,
)
from diorama.runs.windows.state import AggregatorState
from diorama.runs.windows.tally import Counter, StoredStarts, Tally


class WindowAggregator:
    """Counts env steps of all copies in their order and closes a window at every exact multiple.

    A window may close in the middle of a vector step: the copies before the boundary belong to it, the others
    to the next. Every row (a seat of a copy) has a return and a length of its own, and an episode belongs to the
    window in which its last step falls. Episodes that began in stored states are counted apart, in fields that only
    runs with such episodes have.
    """

    def __init__(self, spec: WorldSpec, *, run_id: str, copies: int, window_env_steps: int, clock: Clock) -> None:
        """Open the first window.

        Raises:
            ConfigError: The window has no steps.
        """
        if window_env_steps < 1:
            raise ConfigError(f"window_env_steps is {window_env_steps}; use 1 or more")
        self._spec = spec
        self._run_id = run_id
        self._window_env_steps = window_env_steps
        self._clock = clock
        self._counter = Counter(spec)
        self._returns = np.zeros(copies * spec.agents)
        self._lengths = np.zeros(copies * spec.agents, np.int64)
        self._tally = Tally()
        self._stored: StoredStarts | None = None
        self._trainer: TrainerFields = {}
        self._phase_seconds: PhaseSeconds = {}
        self._opened_at = clock.seconds()
        self.totals = Totals()
        self._further: Callable[[], JsonObject] | None = None

    def add_fields(self, further: Callable[[], JsonObject]) -> None:
        """Let every row that closes carry what this returns besides."""
        self._further = further

    def consume(self, step: StepView) -> list[WindowRow]:
        """Count a vector step and return the rows of the windows it closes."""
        self._check(step)
        rows: list[WindowRow] = []
        start = 0
        while start < step.copies:
            room = self._window_env_steps - self._tally.env_steps
            stop = min(start + room, step.copies)
            self._count(step if stop - start == step.copies else _piece(step, start, stop))
            if self._tally.env_steps == self._window_env_steps:
                rows.append(self._close())
            start = stop
        return rows

    def note_update(self, report: UpdateReport) -> None:
        """Let the rows that follow carry the numbers of this update."""
        self._trainer = trainer_fields(report)
        self._phase_seconds = add_phases(self._phase_seconds, report)
        self.totals.policy_updates += 1

    def partial_row(self) -> WindowRow | None:
        """Return the row of the open window as it stands, marked incomplete; None if it has no steps yet."""
        return self._row(is_complete=False) if self._tally.env_steps else None

    def state(self) -> JsonObject:
        """Return everything that later rows depend on, as JSON values."""
        return AggregatorState(
            window_env_steps=self._window_env_steps,
            totals=self.totals,
            tally=self._tally,
            stored_starts=self._stored,
            returns=self._returns.tolist(),
            lengths=self._lengths.tolist(),
            trainer=self._trainer,
            phase_seconds=self._phase_seconds,
            wall_seconds=self._clock.seconds() - self._opened_at,
        ).to_json()

    def load_state(self, stored: JsonObject) -> None:
        """Continue from what `state` returned.

        Raises:
            DocumentError: It was written by another kind of run.
        """
        state = AggregatorState.from_json(stored)
        found, wanted = (state.window_env_steps, len(state.returns)), (self._window_env_steps, len(self._returns))
        if found != wanted:
            raise DocumentError(
                f"the stored windows have {found[0]} env steps over {found[1]} rows; "
                f"this run has {wanted[0]} over {wanted[1]}, and both must stay as they were"
            )
        self.totals, self._tally, self._stored = state.totals, state.tally, state.stored_starts
        self._returns[:], self._lengths[:] = state.returns, state.lengths
        self._trainer, self._phase_seconds = state.trainer, state.phase_seconds
        self._opened_at = self._clock.seconds() - state.wall_seconds

    def _check(self, step: StepView) -> None:
        stop = (step.first_copy + step.copies) * step.agents
        if step.agents != self._spec.agents or not 0 <= step.first_copy * step.agents <= stop <= len(self._returns):
            raise ContractError(
                f"copies {step.first_copy}..{step.first_copy + step.copies - 1} with {step.agents} seats do not fit "
                f"a run of {len(self._returns) // self._spec.agents} copies with {self._spec.agents} seats"
            )

    def _count(self, piece: StepView) -> None:
        tally, totals = self._tally, self.totals
        rows = slice(piece.first_copy * piece.agents, (piece.first_copy + piece.copies) * piece.agents)
        returns, lengths = self._returns[rows], self._lengths[rows]
        returns += piece.rewards
        lengths += piece.alive_before != 0
        ticks, agent_steps = tally.ticks, tally.agent_steps
        self._counter.add_steps(tally, piece)
        totals.env_steps += piece.copies
        totals.ticks += tally.ticks - ticks
        totals.agent_steps += tally.agent_steps - agent_steps
        all_ended = ((piece.terminated | piece.truncated) != 0).nonzero()[0]
        ended = all_ended if piece.stored_starts is None else self._count_stored(piece, all_ended, piece.stored_starts)
        if len(ended):
            totals.episodes += len(ended)
            self._counter.add_ends(tally, piece, ended)
            tally.returns += returns[ended].tolist()
            tally.lengths += lengths[ended].tolist()
        if len(all_ended):
            returns[all_ended] = 0.0
            lengths[all_ended] = 0

    def _count_stored(self, piece: StepView, ended: NDArray[np.intp], stored_starts: U8) -> NDArray[np.intp]:
        """Count the episodes that began in stored states, and return the rows of the others."""
        if self._stored is None:
            self._stored = StoredStarts()
        is_stored: NDArray[np.bool_] = stored_starts[ended // piece.agents] != 0
        rows = ended[is_stored] + piece.first_copy * piece.agents
        self._stored.returns += self._returns[rows].tolist()
        self._stored.lengths += self._lengths[rows].tolist()
        others: NDArray[np.intp] = ended[~is_stored]
        return others

    def _close(self) -> WindowRow:
        row = self._row(is_complete=True)
        if self._further is not None:
            row.update(self._further())
        self.totals.windows += 1
        self._tally = Tally()
        self._stored = None if self._stored is None else StoredStarts()
        self._phase_seconds = {}
        self._opened_at = self._clock.seconds()
        return row

    def _row(self, *, is_complete: bool) -> WindowRow:
        closing = Closing(
            is_complete=is_complete,
            wall_seconds=self._clock.seconds() - self._opened_at,
            phase_seconds=self._phase_seconds,
            moment=self._clock.now(),
            trainer=self._trainer,
        )
        row = build_row(self._spec, self._run_id, self._tally, self.totals, closing)
        return row if self._stored is None else {**row, **stored_start_fields(self._stored)}


def _piece(step: StepView, start: int, stop: int) -> StepView:
    rows = slice(start * step.agents, stop * step.agents)
    return StepView(
        first_copy=step.first_copy + start,
        copies=stop - start,
        agents=step.agents,
        rewards=step.rewards[rows],
        terminated=step.terminated[rows],
        truncated=step.truncated[rows],
        alive_before=step.alive_before[rows],
        obs=lambda: step.obs()[rows],
        metrics=step.metrics[rows],
        dt=step.dt[start:stop],
        events=step.events[start:stop],
        stored_starts=None if step.stored_starts is None else step.stored_starts[start:stop],
    )
