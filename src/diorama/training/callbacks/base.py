"""`RunCallback`: what a run does besides collecting rollouts and updating its policy."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from diorama.contracts.training_reports import UpdateReport
from diorama.contracts.values import JsonObject, JsonValue
from diorama.learn.callbacks import Callback, CallbackList
from diorama.runs.checkpoints.resume import StoredTraining
from diorama.runs.metadata import LatestCheckpoint
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.windows.row import WindowRow
from diorama.runs.writer import RunWriter
from diorama.telemetry.hub import TelemetryHub

if TYPE_CHECKING:
    from torch import Tensor

    from diorama.learn.backend import UpdateOverrides
    from diorama.learn.trainer import Trainer
    from diorama.training.learner import Learner


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """What a callback may use once the run's directory is open.

    Attributes:
        writer: Writes the directory.
        hub: Publishes telemetry.
        learner: What takes the steps.
        callbacks: All callbacks of the run.
    """

    writer: RunWriter
    hub: TelemetryHub
    learner: "Learner"
    callbacks: "RunCallbacks"


class RunCallback(Callback):
    """Override what you need; callbacks are called on the training thread, in the order of the run's list.

    Attributes:
        run: Set by `on_run_start`.
        state_key: Names the callback's state in a checkpoint; None for a callback without a state.
    """

    run: RunContext
    state_key: str | None = None

    def on_run_start(self, run: RunContext) -> None:
        """The run's directory is open; no step has been taken by this process."""
        self.run = run

    def before_update(self, trainer: "Trainer") -> "UpdateOverrides | None":
        """A rollout is about to be collected; may return weights for the update that follows."""
        return None

    def update_fields(self, report: UpdateReport, fields: Mapping[str, float]) -> Mapping[str, float]:
        """Return what telemetry reports of an update besides `fields`, which earlier callbacks returned."""
        return {}

    def after_update(self, trainer: "Trainer") -> None:
        """The policy was updated and every `on_update` was called."""

    def on_advance(self, env_steps_total: int) -> None:
        """The run has taken so many env steps; a checkpoint may be written now."""

    def window_fields(self) -> JsonObject:
        """Return columns for the window that is closing."""
        return {}

    def on_window(self, rows: Sequence[WindowRow]) -> None:
        """Windows closed and were written."""

    def on_checkpoint(self, checkpoint: LatestCheckpoint) -> None:
        """A checkpoint was written."""

    def on_replay(self, entry: ReplayEntry) -> None:
        """A replay was recorded."""

    def on_validation(self) -> None:
        """A checkpoint was judged on validation seeds."""

    def on_run_end(self, *, is_complete: bool) -> None:
        """No more steps are taken; `is_complete` is False where the operator stopped the run."""

    def close(self) -> None:
        """Release files and processes, however the run ended."""

    def state(self) -> JsonValue:
        """Return everything a resumed run needs; stored where `state_key` is set."""
        return None

    def tensors(self) -> "dict[str, Tensor]":
        """Return tensors that a checkpoint stores besides the state."""
        return {}

    def load(self, state: JsonValue, stored: StoredTraining) -> None:
        """Continue from `state`; the environments are not restored yet."""

    def after_restore(self, state: JsonValue) -> None:
        """The environments are restored."""


class RunCallbacks(CallbackList):
    """Calls the callbacks of a run one after another, in the order of the list."""

    def __init__(self, callbacks: Sequence[RunCallback]) -> None:
        """Keep the callbacks."""
        super().__init__(callbacks)
        self.items = tuple(callbacks)

    def on_run_start(self, writer: RunWriter, hub: TelemetryHub, learner: "Learner") -> None:
        """Give every callback the open run."""
        run = RunContext(writer=writer, hub=hub, learner=learner, callbacks=self)
        for callback in self.items:
            callback.on_run_start(run)

    def before_update(self, trainer: "Trainer") -> "UpdateOverrides | None":
        """Return the overrides of the last callback that has any."""
        given = [callback.before_update(trainer) for callback in self.items]
        return next((overrides for overrides in reversed(given) if overrides is not None), None)

    def update_fields(self, report: UpdateReport, fields: Mapping[str, float]) -> dict[str, float]:
        """Return `fields` and what every callback adds to them."""
        merged = dict(fields)
        for callback in self.items:
            merged |= callback.update_fields(report, merged)
        return merged

    def after_update(self, trainer: "Trainer") -> None:
        """Call every callback."""
        for callback in self.items:
            callback.after_update(trainer)

    def on_advance(self, env_steps_total: int) -> None:
        """Call every callback."""
        for callback in self.items:
            callback.on_advance(env_steps_total)

    def window_fields(self) -> JsonObject:
        """Return the columns of all callbacks."""
        return {name: value for callback in self.items for name, value in callback.window_fields().items()}

    def on_window(self, rows: Sequence[WindowRow]) -> None:
        """Call every callback."""
        for callback in self.items:
            callback.on_window(rows)

    def on_checkpoint(self, checkpoint: LatestCheckpoint) -> None:
        """Call every callback."""
        for callback in self.items:
            callback.on_checkpoint(checkpoint)

    def on_replay(self, entry: ReplayEntry) -> None:
        """Call every callback."""
        for callback in self.items:
            callback.on_replay(entry)

    def on_validation(self) -> None:
        """Call every callback."""
        for callback in self.items:
            callback.on_validation()

    def on_run_end(self, *, is_complete: bool) -> None:
        """Call every callback."""
        for callback in self.items:
            callback.on_run_end(is_complete=is_complete)

    def close(self) -> None:
        """Close every callback, also where one of them fails."""
        with ExitStack() as stack:
            for callback in reversed(self.items):
                stack.callback(callback.close)

    def states(self) -> JsonObject:
        """Return the states of all callbacks by their keys."""
        return {callback.state_key: callback.state() for callback in self.items if callback.state_key is not None}

    def tensors(self) -> "dict[str, Tensor]":
        """Return the tensors of all callbacks."""
        return {name: tensor for callback in self.items for name, tensor in callback.tensors().items()}

    def load(self, stored: StoredTraining) -> None:
        """Continue every callback from its stored state."""
        for callback in self.items:
            if callback.state_key is not None:
                callback.load(stored.values.get(callback.state_key), stored)

    def after_restore(self, stored: StoredTraining) -> None:
        """Call every callback with its stored state."""
        for callback in self.items:
            if callback.state_key is not None:
                callback.after_restore(stored.values.get(callback.state_key))
