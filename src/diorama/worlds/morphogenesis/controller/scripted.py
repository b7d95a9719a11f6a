"""Controllers that look at nothing, or at the masks alone: wait, random, schedule and replay."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import F32
from diorama.worlds.morphogenesis.contracts.actions import HEAD_NAMES, LifecycleOp
from diorama.worlds.morphogenesis.contracts.errors import ContractError
from diorama.worlds.morphogenesis.controller.choices import OP_COLUMN, WAIT, Action, canonical
from diorama.worlds.morphogenesis.controller.deciding import Actions, stack
from diorama.worlds.morphogenesis.controller.masks import ActionMasks, options
from diorama.worlds.morphogenesis.controller.reports import EnvReport
from diorama.worlds.morphogenesis.controller.schedules import Schedule
from diorama.worlds.morphogenesis.streams import Streams


class WaitController:
    """Never does anything."""

    def decide(self, obs: F32, masks: ActionMasks, reports: Sequence[EnvReport]) -> Actions:
        """Return WAIT for every env."""
        return stack([WAIT] * len(reports))


class ScheduleController:
    """Follows a schedule; whether its actions are valid is not asked."""

    def __init__(self, schedule: Schedule) -> None:
        """Follow this schedule in every env."""
        self.schedule = schedule

    def decide(self, obs: F32, masks: ActionMasks, reports: Sequence[EnvReport]) -> Actions:
        """Return what the schedule has for the epoch of each env."""
        return stack([self.schedule.at(report.epoch) for report in reports])


class ReplayController:
    """Does again what a log says; it waits once the log has ended."""

    def __init__(self, actions: Actions) -> None:
        """Take the actions of one round, epochs × envs × heads, beginning with epoch 1."""
        if actions.ndim != 3 or actions.shape[2] != len(HEAD_NAMES):
            raise ContractError(f"actions of shape {actions.shape}; a log is epochs × envs × {len(HEAD_NAMES)}")
        self.actions = actions

    def decide(self, obs: F32, masks: ActionMasks, reports: Sequence[EnvReport]) -> Actions:
        """Return the logged action of each env, in the order of the log's envs."""
        if self.actions.shape[1] != len(reports):
            raise ContractError(f"the log has {self.actions.shape[1]} envs, the run {len(reports)}")
        return stack([self._at(row, report.epoch) for row, report in enumerate(reports)])

    def _at(self, row: int, epoch: int) -> Action:
        return tuple(map(int, self.actions[epoch - 1, row])) if epoch <= len(self.actions) else WAIT


class RandomController:
    """Draws every head that matters evenly from its valid options; an env's draws depend on no other env."""

    def __init__(self, streams: Streams) -> None:
        """Draw from a stream of its own of this run."""
        self._streams = streams

    def decide(self, obs: F32, masks: ActionMasks, reports: Sequence[EnvReport]) -> Actions:
        """Return a random valid action for every env."""
        return stack([self._draw(masks, row, report) for row, report in enumerate(reports)])

    def _draw(self, masks: ActionMasks, row: int, report: EnvReport) -> Action:
        draws = self._streams.open("random_controller", report.round_index, report.epoch, report.env_id)
        # One number for each head whether it matters or not, so that a choice never shifts another.
        uniforms = draws.random(len(HEAD_NAMES))
        op = LifecycleOp(_pick(masks.op[row], uniforms[OP_COLUMN]))
        return canonical(
            [_pick(valid, uniform) for valid, uniform in zip(options(masks, row, op)[:-1], uniforms, strict=False)]
            + [op]
        )


def _pick(valid: NDArray[np.bool_], uniform: float) -> int:
    places = np.flatnonzero(valid)
    return int(places[int(uniform * len(places))])
