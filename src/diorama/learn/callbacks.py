"""Callbacks of a trainer: what a run, a test or a user adds to the training loop."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from diorama.contracts.training_reports import StepView, UpdateReport
from diorama.contracts.updates import UpdateDetails

if TYPE_CHECKING:
    from diorama.learn.buffer import RolloutBuffer


class Callback:
    """Called on the training thread, in the order in which things happen; override what you need."""

    def on_step(self, step: StepView) -> None:
        """A vector step was taken; within one, shards of copies come in the order of their indices."""

    def on_rollout(self, rollout: "RolloutBuffer") -> None:
        """A rollout of this process was collected and all its steps reported; the next one overwrites the buffer."""

    def on_details(self, details: UpdateDetails) -> None:
        """The policy was updated; comes right before `on_update` where `ppo.diagnosed` asks for diagnostics."""

    def on_update(self, report: UpdateReport) -> None:
        """The policy was updated; a checkpoint may be written now."""


class CallbackList(Callback):
    """Calls callbacks one after another, in the order of the list."""

    def __init__(self, callbacks: Sequence[Callback]) -> None:
        """Keep the callbacks."""
        self._callbacks = tuple(callbacks)
        # Steps are many and diagnostics are dear: only callbacks that want them are called.
        self._on_step = tuple(item for item in callbacks if type(item).on_step is not Callback.on_step)
        self._on_details = tuple(item for item in callbacks if type(item).on_details is not Callback.on_details)

    @property
    def wants_details(self) -> bool:
        """Whether a callback overrides `on_details`."""
        return bool(self._on_details)

    def on_step(self, step: StepView) -> None:
        """Pass on a vector step."""
        for callback in self._on_step:
            callback.on_step(step)

    def on_rollout(self, rollout: "RolloutBuffer") -> None:
        """Pass on a rollout."""
        for callback in self._callbacks:
            callback.on_rollout(rollout)

    def on_details(self, details: UpdateDetails) -> None:
        """Pass on the diagnostics of an update."""
        for callback in self._on_details:
            callback.on_details(details)

    def on_update(self, report: UpdateReport) -> None:
        """Pass on an update."""
        for callback in self._callbacks:
            callback.on_update(report)
