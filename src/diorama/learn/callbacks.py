"""Callbacks of a trainer: what a run, a test or a user adds to training."""

from collections.abc import Sequence

from diorama.contracts.training_reports import StepView, UpdateReport
from diorama.contracts.updates import UpdateDetails


class Callback:
    """What happens in a training, on its thread and in order; override what you need."""

    def on_step(self, step: StepView) -> None:
        """A vector step was taken; within one, shards of copies come in the order of their indices."""

    def on_details(self, details: UpdateDetails) -> None:
        """The policy was updated; comes right before `on_update` where `ppo.diagnosed` asks for diagnostics."""

    def on_update(self, report: UpdateReport) -> None:
        """The policy was updated; only now may a checkpoint be taken."""


class CallbackList(Callback):
    """Calls callbacks one after another, in the order of the list."""

    def __init__(self, callbacks: Sequence[Callback]) -> None:
        """Keep the callbacks."""
        self._callbacks = tuple(callbacks)
        self._detailed = tuple(item for item in callbacks if type(item).on_details is not Callback.on_details)

    @property
    def wants_details(self) -> bool:
        """Whether a callback overrides `on_details`."""
        return bool(self._detailed)

    def on_step(self, step: StepView) -> None:
        """Pass on a vector step."""
        for callback in self._callbacks:
            callback.on_step(step)

    def on_details(self, details: UpdateDetails) -> None:
        """Pass on the diagnostics of an update."""
        for callback in self._detailed:
            callback.on_details(details)

    def on_update(self, report: UpdateReport) -> None:
        """Pass on an update."""
        for callback in self._callbacks:
            callback.on_update(report)
