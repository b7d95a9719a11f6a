"""`Reporter`: tells a listener what training does: every step of a rollout, then what the update did."""

import time
from dataclasses import asdict

from diorama.contracts.updates import UpdateDetails
from diorama.learn.counters import Counters
from diorama.learn.listening import DataMode, DetailedListener, TrainingListener, UpdateReport
from diorama.learn.parallel.team import Team
from diorama.learn.parallel.telling import tell_together
from diorama.learn.ppo.statistics import UpdateStatistics
from diorama.learn.ppo.update import Moment
from diorama.learn.rollouts.collector import tell_steps
from diorama.learn.rollouts.gathering import Gatherer
from diorama.learn.rollouts.rollout import Rollout
from diorama.learn.settings import TrainerSettings, value_at


class Reporter:
    """Speaks to one listener, on the training thread and in the order in which things happen."""

    def __init__(
        self, listener: TrainingListener, settings: TrainerSettings, collector: Gatherer, team: Team | None
    ) -> None:
        """Say nothing yet.

        Args:
            listener: Who is told; with a team, that of the leader alone hears of steps.
            settings: Of the training.
            collector: Who knows how long gathering took.
            team: The processes whose steps are told together.
        """
        self._listener = listener
        self._detailed = listener if settings.ppo.diagnosed and isinstance(listener, DetailedListener) else None
        self._settings = settings
        self._collector = collector
        self._team = team

    @property
    def wants_details(self) -> bool:
        """Whether every update is to be told in detail."""
        return self._detailed is not None

    def tell_steps(self, rollout: Rollout) -> None:
        """Tell every step of a rollout, and of those of a team."""
        if self._team is None:
            tell_steps(rollout, self._listener)
        else:
            tell_together(self._team, rollout, self._listener)

    def tell_details(self, details: UpdateDetails) -> None:
        """Tell an update in detail, to whoever wants that; right before `tell_update`."""
        if self._detailed is not None:
            self._detailed.on_details(details)

    def tell_update(
        self,
        counters: Counters,
        moment: Moment,
        statistics: UpdateStatistics,
        mode: DataMode,
        *,
        began: float,
        learning: float,
        is_replayed: bool,
    ) -> None:
        """Tell what an update did that ends now.

        Args:
            counters: Of the run, with this update.
            moment: Where in the run the update was made.
            statistics: What it did.
            mode: What the run learns from.
            began: When the update began, as `time.perf_counter` tells it.
            learning: When learning began, moved by the time that it rested.
            is_replayed: Whether it was learned from stored episodes.
        """
        ended = time.perf_counter()
        # A replay belongs to the cycle of the rollout that follows it.
        cycle = 0 if mode is DataMode.REPLAY else counters.updates + is_replayed
        self._listener.on_update(
            UpdateReport(
                update=counters.replays - 1 if mode is DataMode.REPLAY else cycle - 1,
                env_steps_total=counters.env_steps_total,
                agent_steps_total=counters.agent_steps_total,
                ticks_total=counters.ticks_total,
                learning_rate=value_at(self._settings.optimizer.learning_rate, moment.env_steps),
                seconds_env=0.0 if is_replayed else self._collector.env_seconds,
                seconds_policy=0.0 if is_replayed else self._collector.policy_seconds,
                seconds_learn=ended - learning,
                seconds_total=ended - began,
                data_mode=mode,
                cycle=cycle,
                is_replayed=is_replayed,
                **asdict(statistics),
            )
        )
