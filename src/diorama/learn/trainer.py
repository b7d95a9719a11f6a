"""`Trainer`: rollout, update, report, until enough env steps have been taken."""

import time

from diorama.contracts.errors import ConfigError
from diorama.contracts.resident import ResidentCore
from diorama.contracts.updates import UpdateDetails
from diorama.engine.seeding import as_seed
from diorama.learn.cloning.demonstrations import Demonstrations
from diorama.learn.cloning.imitation import CloningReport, Imitation
from diorama.learn.counters import Counters, whole_number
from diorama.learn.divergence import TrainingDiverged
from diorama.learn.guidance import Guidance
from diorama.learn.learned import Learned
from diorama.learn.listening import DataMode, TrainingListener
from diorama.learn.native.support import why_torch, why_torch_learns
from diorama.learn.normalize import RewardScaler
from diorama.learn.parallel.moments import share_moments
from diorama.learn.parallel.team import Team
from diorama.learn.parts import open_parts
from diorama.learn.policies.policy import build_policy
from diorama.learn.ppo.diagnosis import diagnose
from diorama.learn.ppo.learning import scale_values
from diorama.learn.ppo.replaying import REPLAYED, ReplayBook
from diorama.learn.ppo.statistics import UpdateStatistics
from diorama.learn.ppo.update import Companion, Moment
from diorama.learn.reporting import Reporter
from diorama.learn.rollouts.gathering import Elsewhere
from diorama.learn.rollouts.next_rollout import Gathered, NextRollout
from diorama.learn.rollouts.rollout import Rollout
from diorama.learn.rollouts.source import Advised, Source
from diorama.learn.settings import TrainerSettings, value_at
from diorama.learn.state import TrainerState
from diorama.learn.workers import Workers, single_threaded_torch


class Trainer:
    """Trains a policy on the copies of one world.

    On the CPU the whole run is a function of the source's seed, the settings and the trainer's seed, whatever the
    number of threads and wherever it was saved and continued.

    Attributes:
        policy: The policy as it stands.
        learned: Everything that updates change.
    """

    def __init__(
        self,
        source: Source | Elsewhere | ResidentCore,
        settings: TrainerSettings,
        *,
        seed: int,
        listener: TrainingListener,
        team: Team | None = None,
    ) -> None:
        """Take over a source that has not been reset, and open an episode in every copy.

        Args:
            source: The copies.
            settings: How to train.
            seed: Of everything that is drawn.
            listener: Told what happens; with a team, that of the leader alone.
            team: Other processes that train the same policy with as many copies each; the counters are of all.
        """
        self.settings = settings
        self.seed = as_seed(seed)
        self._counters = Counters()
        self._team = team
        if settings.ppo.teacher_share != 0.0 and not isinstance(source, Advised):
            raise ConfigError("ppo.teacher_share: there is no controller to share decisions with; use 0")
        self._workers = Workers(settings.execution.threads if settings.execution.is_on_cpu else 1)
        with single_threaded_torch():
            self.policy = build_policy(source.spec, settings, seed=self.seed)
            rows = source.copies * source.spec.agents
            scaler = RewardScaler(settings.normalization, rows, settings.ppo.gamma)
            self._scaler = scaler.to(settings.execution.device)
            if team is not None:
                share_moments(team, self.policy, self._scaler)
            self._parts = open_parts(source, self.policy, settings, self._scaler, self._workers, team)
        self._collector, self._ppo = self._parts.collector, self._parts.ppo
        self.learned = Learned(self.policy, self._ppo.adam, self._scaler)
        self._next = NextRollout(
            self._parts,
            use_masks=settings.ppo.use_action_mask and source.spec.has_mask,
            first_row=0 if team is None else team.rank * rows,
            overlap=settings.execution.overlap,
        )
        self._reporter = Reporter(listener, settings, self._collector, team)
        self._imitation: Imitation | None = None
        self._book: ReplayBook | None = None
        self._collector.open()

    @property
    def updates(self) -> int:
        """Policy updates done so far."""
        return self._counters.updates

    @property
    def env_steps_total(self) -> int:
        """Steps of copies taken so far."""
        return self._counters.env_steps_total

    @property
    def agent_steps_total(self) -> int:
        """Decisions learned from so far."""
        return self._counters.agent_steps_total

    @property
    def ticks_total(self) -> int:
        """Simulated time so far."""
        return self._counters.ticks_total

    @property
    def network(self) -> str:
        """What computes the policy: `native`, or `torch` and why; or which of them decides and which learns."""
        reason = why_torch_learns(self.policy, self.settings)
        if reason is None:
            return "native"
        decides = "" if why_torch(self.policy, self.settings) is not None else "native decides, "
        return f"{decides}torch: {reason}"

    def show(self, demonstrations: Demonstrations) -> None:
        """Take demonstrations for `warm_up` and for the cloning loss beside PPO's; a resumed run needs the same."""
        cloning = self.settings.cloning
        if cloning is None:
            raise ConfigError("demonstrations were given, but the settings have no `cloning` section")
        self._imitation = Imitation(
            self.policy,
            self._ppo.parameters,
            demonstrations,
            cloning,
            execution=self.settings.execution,
            seed=self.seed,
        )

    def warm_up(self, epochs: int | None = None) -> CloningReport:
        """Imitate the demonstrations; `epochs` passes, or as many as the settings say."""
        if self._imitation is None:
            raise ConfigError("there is nothing to imitate; call show() first")
        with single_threaded_torch():
            return self._imitation.warm_up(self._workers, self.settings.optimizer, epochs)

    def replay_from(self, book: ReplayBook) -> None:
        """Learn from a portion of stored episodes before every rollout; a resumed run needs the same book."""
        self._book = book

    def replay(self, book: ReplayBook) -> None:
        """Update the policy once from stored episodes alone, a portion as large as a rollout.

        Raises:
            TrainingDiverged: Something that must be a number is none.
        """
        with single_threaded_torch():
            self._replay(book, DataMode.REPLAY)

    def train_until(self, env_steps: int, guidance: Guidance | None = None) -> None:
        """Update the policy until at least this many env steps of the run have been taken.

        Args:
            env_steps: Of the whole run.
            guidance: How the updates are led; as the schedules of the settings say unless given.

        Raises:
            TrainingDiverged: Something that must be a number is none.
        """
        with single_threaded_torch(), self._parts.at_work():
            while self.env_steps_total < env_steps:
                if self._book is not None:
                    self._replay(self._book, DataMode.MIXED)
                self._update(guidance or self._scheduled())

    def state(self) -> TrainerState:
        """Return everything needed to continue; call it between updates."""
        rollout = self._collector.upcoming
        return TrainerState(
            tensors={
                **self.learned.tensors(),
                "rollout.episode_start": rollout.openings.clone(),
                "rollout.memory": rollout.memory.cpu().clone(),
            },
            values={
                "seed": self.seed,
                "network": self.network,
                **self._counters.values(),
                "learning_rate": value_at(self.settings.optimizer.learning_rate, self.env_steps_total),
            },
            snapshots=self._collector.snapshots(),
        )

    def load_state(self, state: TrainerState) -> None:
        """Continue where another trainer of the same world, settings and number of copies stood."""
        self._next.forget()
        self._collector.restore(state.snapshots)
        rollout, tensors = self._collector.upcoming, state.tensors
        self.learned.take(tensors)
        # Restoring a copy cannot know that its episode has only just begun.
        rollout.openings.copy_(tensors["rollout.episode_start"])
        rollout.memory.copy_(tensors["rollout.memory"])
        self.seed = whole_number(state.values, "seed")
        self._counters = Counters.of(state.values)

    def close(self) -> None:
        """End the trainer's threads; the policy stays."""
        self._next.close()
        self._collector.close()
        self._workers.close()

    def _scheduled(self) -> Guidance:
        settings = self.settings
        return Guidance(
            teacher_share=value_at(settings.ppo.teacher_share, self.env_steps_total),
            cloning_weight=0.0 if settings.cloning is None else value_at(settings.cloning.anneal, self.env_steps_total),
        )

    def _update(self, guidance: Guidance) -> None:
        began = time.perf_counter()
        gathered = self._next.take(self._moment(self.updates), guidance)
        rollout, moment = gathered.rollout, gathered.moment
        self._counters.count_steps(rollout, self._team)
        with self._next.gathered_ahead(self._moment(self.updates + 1), guidance):
            learning = time.perf_counter()
            self._parts.learning.begin(rollout, moment, self._companion(moment, guidance.cloning_weight))
            asked = time.perf_counter()
            self._counters.count_decisions(rollout, self._team)
            self._reporter.tell_steps(rollout)
            self._collector.release()
        waiting = time.perf_counter()
        statistics = self._parts.learning.finish()
        details = self._diagnose(gathered, statistics, seconds=time.perf_counter() - learning - waiting + asked)
        self._normalize_observations(rollout)
        self._collector.turn_over()
        self._parts.take_over()
        self._counters.updates += 1
        if details is not None:
            self._reporter.tell_details(details)
        self._reporter.tell_update(
            self._counters,
            moment,
            statistics,
            DataMode.ROLLOUT if self._book is None else DataMode.MIXED,
            began=began,
            learning=learning + waiting - asked,
            is_replayed=False,
        )
        self._mind_skips(statistics)

    def _diagnose(self, gathered: Gathered, statistics: UpdateStatistics, *, seconds: float) -> UpdateDetails | None:
        if not self._reporter.wants_details:
            return None
        return diagnose(
            self.policy,
            self._ppo,
            self._parts.learning.experience,
            gathered.rollout,
            gathered.moment,
            statistics,
            self.settings,
            env_steps=self.env_steps_total,
            seconds=seconds,
        )

    def _mind_skips(self, statistics: UpdateStatistics) -> None:
        """Count updates in which no step could be taken.

        Raises:
            TrainingDiverged: There are too many of them in a row.
        """
        counters = self._counters
        counters.skips_in_a_row = 0 if statistics.minibatches else counters.skips_in_a_row + 1
        if counters.skips_in_a_row > self.settings.ppo.skips_allowed:
            raise TrainingDiverged(
                f"update {self.updates - 1}: {counters.skips_in_a_row} updates in a row were left out because loss or "
                "gradient were no numbers; lower optimizer.learning_rate or optimizer.max_grad_norm"
            )

    def _replay(self, book: ReplayBook, mode: DataMode) -> None:
        began = time.perf_counter()
        shape = self._collector.rollout.shape
        # Draws of minibatches must not be those of the rollout that follows.
        moment = self._moment(REPLAYED + self._counters.replays)
        episodes = book.portion(self._counters.replays, shape.steps * shape.rows)
        experience = book.experience(episodes, self.policy, self._workers)
        scale_values(experience, self.policy, self.settings)
        statistics = self._ppo.learn(experience, moment)
        self._counters.replays += 1
        self._counters.agent_steps_total += statistics.transitions
        self._reporter.tell_update(
            self._counters, moment, statistics, mode, began=began, learning=began, is_replayed=True
        )

    def _moment(self, number: int) -> Moment:
        return Moment(
            seed=self.seed,
            update=number,
            env_steps=self.env_steps_total,
            exploration=self.policy.heads.plan.exploration(self.env_steps_total),
        )

    def _companion(self, moment: Moment, weight: float) -> Companion | None:
        if weight == 0.0 or (self._team is not None and not self._team.is_leader):
            # Gradients are added up over a team: what is shown weighs once.
            return None
        if self._imitation is None:
            raise ConfigError("cloning.anneal is set, but there are no demonstrations; call show() first")
        return self._imitation.beside(moment.update, weight)

    def _normalize_observations(self, rollout: Rollout) -> None:
        if self.policy.normalizer is not None:
            alive = rollout.deciding().view(-1)
            self.policy.normalizer.update(self._parts.learning.experience.sights.obs, alive)
