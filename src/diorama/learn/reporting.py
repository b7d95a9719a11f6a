"""Reports of rollouts and updates to callbacks, of one process or of a whole team."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, Final, Self

import numpy as np
import torch
from numpy.typing import NDArray

from diorama.contracts.training_reports import DataMode, StepView, TaughtUpdateReport, UpdateReport
from diorama.contracts.updates import UpdateDetails
from diorama.contracts.values import F32, U8
from diorama.learn.buffer import RolloutBuffer, RolloutShape
from diorama.learn.callbacks import Callback, CallbackList
from diorama.learn.collector import RolloutCollector
from diorama.learn.distributed import Team
from diorama.learn.ppo import UpdateContext
from diorama.learn.settings import TrainerSettings, value_at
from diorama.learn.state import Counters
from diorama.learn.statistics import TaughtStatistics, UpdateStatistics

# Wide types first, so that every array of the packed bytes is aligned.
_REPORTED: Final = ("events", "rewards", "metrics", "dt", "terminated", "truncated", "alive")


def report_team_steps(team: Team, rollout: RolloutBuffer, callback: Callback) -> None:
    """Report every step of the rollouts of all processes to the leader's callback, copies in the order of the ranks.

    The reported steps have no observations.
    """
    reported = {name: rollout.host[name] for name in _REPORTED}
    parts = team.gather(torch.cat([array.reshape(-1).view(torch.uint8) for array in reported.values()]))
    arrays = [{name: array.numpy() for name, array in _unpacked(part, reported)} for part in parts]
    shape = rollout.shape
    no_obs = np.zeros((shape.rows, 0), np.float32)
    for step in range(1, shape.steps + 1):
        for rank, host in enumerate(arrays):
            callback.on_step(step_view(host, lambda: no_obs, step, shape, first_copy=rank * shape.copies))


def _unpacked(packed: torch.Tensor, like: dict[str, torch.Tensor]) -> Iterator[tuple[str, torch.Tensor]]:
    start = 0
    for name, array in like.items():
        size = array.numel() * array.element_size()
        yield name, packed[start : start + size].view(array.dtype).view(array.shape)
        start += size


class Stopwatch:
    """Adds up the time spent inside of its `with` blocks."""

    def __init__(self) -> None:
        """Begin at 0."""
        self._ended = 0.0
        self._began: float | None = None

    @property
    def seconds(self) -> float:
        """Time so far, an open block included."""
        return self._ended + (0.0 if self._began is None else time.perf_counter() - self._began)

    def __enter__(self) -> Self:
        """Start."""
        self._began = time.perf_counter()
        return self

    def __exit__(self, *exception: object) -> None:
        """Stop."""
        self._ended, self._began = self.seconds, None


class Reporter:
    """Reports rollouts and updates to callbacks, on the training thread and in order."""

    def __init__(
        self, callbacks: Sequence[Callback], settings: TrainerSettings, collector: RolloutCollector, team: Team | None
    ) -> None:
        """Prepare the reports.

        Args:
            callbacks: With a team, only those of the leader receive steps.
            settings: Of the training.
            collector: Measures how long collecting took.
            team: The processes whose steps are reported together.
        """
        self._callbacks = CallbackList(callbacks)
        self.wants_details = settings.ppo.diagnosed and self._callbacks.wants_details
        self._settings = settings
        self._collector = collector
        self._team = team

    def report_rollout(self, rollout: RolloutBuffer) -> None:
        """Report a rollout and all its steps, those of a whole team included."""
        if self._team is None:
            report_steps(rollout, self._callbacks)
        else:
            report_team_steps(self._team, rollout, self._callbacks)
        self._callbacks.on_rollout(rollout)

    def report_update(
        self,
        counters: Counters,
        context: UpdateContext,
        statistics: UpdateStatistics,
        mode: DataMode,
        *,
        total: Stopwatch,
        learning: Stopwatch,
        is_replayed: bool,
        details: UpdateDetails | None = None,
    ) -> None:
        """Report an update that has just ended.

        Args:
            counters: Of the run, with this update.
            context: Where in the run the update was made.
            statistics: Losses, gradients and counts.
            mode: Where the transitions of the run come from.
            total: Time of the whole update.
            learning: Time of it that was spent on learning.
            is_replayed: Whether it was learned from stored episodes.
            details: Diagnostics, where a callback wants them.
        """
        if details is not None:
            self._callbacks.on_details(details)
        # A replay belongs to the cycle of the rollout that follows it.
        cycle = 0 if mode is DataMode.REPLAY else counters.updates + is_replayed
        figures: dict[str, Any] = asdict(statistics)
        kind: type[UpdateReport] = UpdateReport
        if isinstance(statistics, TaughtStatistics):
            kind = TaughtUpdateReport
            figures |= self._teaching_figures(context)
        self._callbacks.on_update(
            kind(
                update=counters.replays - 1 if mode is DataMode.REPLAY else cycle - 1,
                env_steps_total=counters.env_steps_total,
                agent_steps_total=counters.agent_steps_total,
                ticks_total=counters.ticks_total,
                learning_rate=value_at(self._settings.optimizer.learning_rate, context.env_steps),
                seconds_env=0.0 if is_replayed else self._collector.env_seconds,
                seconds_policy=0.0 if is_replayed else self._collector.policy_seconds,
                seconds_learn=learning.seconds,
                seconds_total=total.seconds,
                data_mode=mode,
                cycle=cycle,
                is_replayed=is_replayed,
                **figures,
            )
        )

    def _teaching_figures(self, context: UpdateContext) -> dict[str, float]:
        kickstarting = self._settings.kickstarting
        assert kickstarting is not None, "only kickstarting asks a teacher"
        return {
            "kickstarting_weight": value_at(kickstarting.weight, context.env_steps),
            "seconds_teacher": self._collector.teacher_seconds,
        }


def report_steps(rollout: RolloutBuffer, callback: Callback) -> None:
    """Report every step of a rollout."""
    host = {name: array.numpy() for name, array in rollout.host.items()}
    for step in range(1, rollout.shape.steps + 1):
        obs = partial(rollout.observations, step - 1)
        starts = None if rollout.stored_starts is None else rollout.stored_starts[step - 1].numpy()
        callback.on_step(step_view(host, obs, step, rollout.shape, first_copy=0, stored_starts=starts))


def step_view(
    host: Mapping[str, NDArray[Any]],
    obs: Callable[[], F32],
    step: int,
    shape: RolloutShape,
    *,
    first_copy: int,
    stored_starts: U8 | None = None,
) -> StepView:
    """Return one step of a rollout.

    Args:
        host: Its arrays.
        obs: Returns the observations its decisions were taken from.
        step: From 1 on.
        shape: Of the rollout.
        first_copy: Index of its first copy in the run.
        stored_starts: By copy, whether its episode began in a stored state; None where none does.
    """
    return StepView(
        first_copy=first_copy,
        copies=shape.copies,
        agents=shape.spec.agents,
        rewards=host["rewards"][step],
        terminated=host["terminated"][step],
        truncated=host["truncated"][step],
        alive_before=host["alive"][step - 1],
        obs=obs,
        metrics=host["metrics"][step],
        dt=host["dt"][step],
        events=host["events"][step],
        stored_starts=stored_starts,
    )
