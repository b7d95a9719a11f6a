"""`Trainer`: collects rollouts and updates a policy from them with PPO."""

from collections.abc import Sequence
from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.contracts.resident import ResidentCore
from diorama.contracts.training_reports import DataMode
from diorama.contracts.updates import UpdateDetails
from diorama.engine.seeding import as_seed
from diorama.learn.backend import RolloutPrefetcher, UpdateOverrides, open_backend
from diorama.learn.buffer import RolloutBuffer
from diorama.learn.callbacks import Callback
from diorama.learn.collector import RemoteEnvs
from diorama.learn.diagnostics import diagnose
from diorama.learn.distributed import Team, share_moments
from diorama.learn.envs import HasExpert, TrainingEnvs
from diorama.learn.errors import TrainingDiverged
from diorama.learn.experience import scale_values
from diorama.learn.imitation.cloning import BehaviorCloning, CloningReport
from diorama.learn.imitation.demonstrations import Demonstrations
from diorama.learn.imitation.offline_buffer import OFFLINE_UPDATES, OfflineBuffer
from diorama.learn.imitation.stopping import StopCheck, never_stop
from diorama.learn.native import why_torch, why_torch_learns
from diorama.learn.normalization import RewardScaler
from diorama.learn.policies.policy import build_policy
from diorama.learn.ppo import AuxiliaryLoss, UpdateContext
from diorama.learn.reporting import Reporter, Stopwatch
from diorama.learn.settings import TrainerSettings, value_at
from diorama.learn.starts import StoredStarts
from diorama.learn.state import (
    TEACHER_MEMORIES,
    Counters,
    ModelState,
    TrainerState,
    prefixed,
    read_int,
    unprefixed,
)
from diorama.learn.statistics import UpdateStatistics
from diorama.learn.teachers import TeacherMaker
from diorama.learn.workers import Workers, single_threaded_torch

_STARTS: Final = "starts"  # prefix of their tensors


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
        source: TrainingEnvs | RemoteEnvs | ResidentCore,
        settings: TrainerSettings,
        *,
        seed: int,
        callbacks: Sequence[Callback] = (),
        team: Team | None = None,
        teacher: TeacherMaker | None = None,
    ) -> None:
        """Take over a source that has not been reset, and open an episode in every copy.

        Args:
            source: The copies.
            settings: How to train.
            seed: Of everything that is drawn.
            callbacks: Called after every step and update; with a team, those of the leader alone.
            team: Other processes that train the same policy with as many copies each; the counters are of all.
            teacher: Whom the `kickstarting` section of the settings means.
        """
        self.settings = settings
        self.seed = as_seed(seed)
        self._counters = Counters()
        self._team = team
        if settings.ppo.teacher_share != 0.0 and not isinstance(source, HasExpert):
            raise ConfigError(
                "ppo.teacher_share: the environments have no expert to share decisions with; use 0",
                code="expert_missing",
            )
        if (teacher is None) != (settings.kickstarting is None):
            raise ConfigError(
                "kickstarting needs the section of the settings and a teacher; give both or none",
                code="kickstarting_incomplete",
            )
        self._workers = Workers(settings.execution.threads if settings.execution.is_on_cpu else 1)
        with single_threaded_torch():
            self.policy = build_policy(source.spec, settings, seed=self.seed)
            rows = source.copies * source.spec.agents
            scaler = RewardScaler(settings.normalization, rows, settings.ppo.gamma)
            self._scaler = scaler.to(settings.execution.device)
            if team is not None:
                share_moments(team, self.policy, self._scaler)
            self._backend = open_backend(source, self.policy, settings, self._scaler, self._workers, team, teacher)
        self._collector, self._ppo = self._backend.collector, self._backend.ppo
        self.model_state = ModelState(self.policy, self._ppo.adam, self._scaler)
        self._prefetcher = RolloutPrefetcher(
            self._backend,
            use_masks=settings.ppo.use_action_mask and source.spec.has_mask,
            first_row=0 if team is None else team.rank * rows,
            overlap=settings.execution.overlap,
            kickstarting=settings.kickstarting,
        )
        self._reporter = Reporter(callbacks, settings, self._collector, team)
        self._imitation: BehaviorCloning | None = None
        self._offline_buffer: OfflineBuffer | None = None
        self._collector.reset()

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
    def starts(self) -> StoredStarts | None:
        """Stored states in which episodes begin; None without `starts` in the settings."""
        return self._collector.starts

    @property
    def network(self) -> str:
        """What computes the policy: `native`, or `torch` and why; or which of them decides and which learns."""
        reason = why_torch_learns(self.policy, self.settings)
        if reason is None:
            return "native"
        decides = "" if why_torch(self.policy, self.settings) is not None else "native decides, "
        return f"{decides}torch: {reason}"

    def set_demonstrations(self, demonstrations: Demonstrations) -> None:
        """Set the demonstrations for `pretrain` and for the cloning loss beside PPO's; a resumed run needs the same."""
        cloning = self.settings.cloning
        if cloning is None:
            raise ConfigError(
                "demonstrations were given, but the settings have no `cloning` section", code="cloning_settings_missing"
            )
        self._imitation = BehaviorCloning(
            self.policy,
            self._ppo.parameters,
            demonstrations,
            cloning,
            execution=self.settings.execution,
            seed=self.seed,
            native=self._ppo.native,
        )

    def pretrain(self, epochs: int | None = None, *, check_stop: StopCheck = never_stop) -> CloningReport:
        """Clone the demonstrations in `epochs` passes, or as many as the settings say.

        Raises:
            ImitationStopped: By `check_stop`, which is called before every optimizer step.
        """
        if self._imitation is None:
            raise ConfigError(
                "there is nothing to imitate; call set_demonstrations() first", code="demonstrations_missing"
            )
        with single_threaded_torch():
            return self._imitation.pretrain(self._workers, self.settings.optimizer, epochs, check_stop=check_stop)

    def set_offline_buffer(self, buffer: OfflineBuffer) -> None:
        """Learn from some of these stored episodes before every rollout; a resumed run needs the same buffer.

        Raises:
            ConfigError: The critic predicts components of the reward, which stored episodes do not have.
        """
        if self.policy.components:
            raise ConfigError(
                "policy.value_components: stored episodes have whole rewards alone; leave the components out",
                code="components_need_rollouts",
            )
        self._offline_buffer = buffer

    def update_offline(self) -> None:
        """Update the policy once from stored episodes alone, as many transitions as a rollout has.

        Raises:
            ConfigError: There are none; call `set_offline_buffer` first.
            TrainingDiverged: A loss, gradient or logit became NaN or infinite.
        """
        if self._offline_buffer is None:
            raise ConfigError(
                "there are no stored episodes; call set_offline_buffer() first", code="offline_buffer_missing"
            )
        with single_threaded_torch():
            self._learn_offline(self._offline_buffer, DataMode.REPLAY)

    def run(self, env_steps: int) -> None:
        """Update the policy until at least this many env steps have been taken since the beginning of the training.

        Raises:
            TrainingDiverged: A loss, gradient or logit became NaN or infinite.
        """
        while self.env_steps_total < env_steps:
            self.update()

    def update(self, overrides: UpdateOverrides | None = None) -> None:
        """Collect one rollout and update the policy from it; stored episodes, where there are any, come first.

        Args:
            overrides: Weights of this update; the schedules of the settings unless given.

        Raises:
            TrainingDiverged: A loss, gradient or logit became NaN or infinite.
        """
        with single_threaded_torch(), self._backend.at_work():
            if self._offline_buffer is not None:
                self._learn_offline(self._offline_buffer, DataMode.MIXED)
            self._update(overrides or self._scheduled())

    def state(self) -> TrainerState:
        """Return everything needed to continue; call it between updates."""
        rollout, teacher_memories = self._collector.upcoming, self._collector.teacher_memories()
        return TrainerState(
            tensors={
                **self.model_state.tensors(),
                "rollout.episode_start": rollout.initial_episode_starts.clone(),
                "rollout.memory": rollout.memory.cpu().clone(),
                **({} if self.starts is None else prefixed(_STARTS, self.starts.tensors())),
                **({} if teacher_memories is None else {TEACHER_MEMORIES: teacher_memories}),
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
        self._prefetcher.forget()
        self._collector.restore(state.snapshots)
        rollout, tensors = self._collector.upcoming, state.tensors
        self.model_state.load(tensors)
        # Restoring a copy cannot know that its episode has only just begun.
        rollout.initial_episode_starts.copy_(tensors["rollout.episode_start"])
        rollout.memory.copy_(tensors["rollout.memory"])
        stored_starts = unprefixed(_STARTS, tensors)
        if self.starts is not None and stored_starts:
            self.starts.load(stored_starts)
        if TEACHER_MEMORIES in tensors:
            self._collector.load_teacher_memories(tensors[TEACHER_MEMORIES])
        self.seed = read_int(state.values, "seed")
        self._counters = Counters.of(state.values)

    def close(self) -> None:
        """End the trainer's threads; the policy stays."""
        self._prefetcher.close()
        self._collector.close()
        self._workers.close()

    def _scheduled(self) -> UpdateOverrides:
        settings = self.settings
        return UpdateOverrides(
            teacher_share=value_at(settings.ppo.teacher_share, self.env_steps_total),
            cloning_weight=0.0 if settings.cloning is None else value_at(settings.cloning.anneal, self.env_steps_total),
        )

    def _update(self, overrides: UpdateOverrides) -> None:
        backend, learning = self._backend, Stopwatch()
        starts = self.starts
        if starts is not None:
            share = value_at(starts.settings.ordinary_share, self.env_steps_total)
            starts.begin_rollout(seed=self.seed, update=self.updates, ordinary_share=share)
        with Stopwatch() as total:
            self.policy.weigh_components(self.settings.policy.component_weights(self.env_steps_total))
            rollout, context = self._prefetcher.collect(self._context(self.updates), overrides)
            self._counters.count_steps(rollout, self._team)
            with self._prefetcher.collecting_ahead(self._context(self.updates + 1), overrides):
                with learning:
                    backend.learning.begin(rollout, context, self._auxiliary_loss(context, overrides.cloning_weight))
                self._counters.count_decisions(rollout, self._team)
                self._reporter.report_rollout(rollout)
            with learning:
                statistics = backend.learning.finish()
                details = self._diagnose(rollout, context, statistics, seconds=learning.seconds)
                self._normalize_observations(rollout, context)
                if starts is not None:
                    starts.finish_rollout(backend.learning.experience.targets.advantages.view(rollout.shape.steps, -1))
                self._collector.carry_last_step()
                backend.refresh_actor()
            self._counters.updates += 1
            mode = DataMode.ROLLOUT if self._offline_buffer is None else DataMode.MIXED
            self._reporter.report_update(
                self._counters,
                context,
                statistics,
                mode,
                total=total,
                learning=learning,
                is_replayed=False,
                details=details,
            )
        self._count_skips(statistics)

    def _diagnose(
        self, rollout: RolloutBuffer, context: UpdateContext, statistics: UpdateStatistics, *, seconds: float
    ) -> UpdateDetails | None:
        if not self._reporter.wants_details:
            return None
        return diagnose(
            self.policy,
            self._ppo,
            self._backend.learning.experience,
            rollout,
            context,
            statistics,
            self.settings,
            env_steps=self.env_steps_total,
            seconds=seconds,
        )

    def _count_skips(self, statistics: UpdateStatistics) -> None:
        """Count successive updates without an optimizer step.

        Raises:
            TrainingDiverged: There are too many of them in a row.
        """
        counters = self._counters
        counters.skips_in_a_row = 0 if statistics.minibatches else counters.skips_in_a_row + 1
        if counters.skips_in_a_row > self.settings.ppo.skips_allowed:
            raise TrainingDiverged(
                f"update {self.updates - 1}: {counters.skips_in_a_row} updates in a row were skipped because the loss "
                "or the gradient was NaN or infinite; lower optimizer.learning_rate or optimizer.max_grad_norm",
                code="updates_skipped_in_a_row",
                update=self.updates - 1,
                skips=counters.skips_in_a_row,
            )

    def _learn_offline(self, buffer: OfflineBuffer, mode: DataMode) -> None:
        with Stopwatch() as total:
            shape = self._collector.rollout.shape
            # Minibatches are drawn with other keys than those of the rollout that follows.
            context = self._context(OFFLINE_UPDATES + self._counters.replays)
            episodes = buffer.sample(self._counters.replays, shape.steps * shape.rows)
            experience = buffer.experience(episodes, self.policy, self._workers)
            scale_values(experience, self.policy, self.settings)
            statistics = self._ppo.learn(experience, context)
            self._counters.replays += 1
            self._counters.agent_steps_total += statistics.transitions
            self._reporter.report_update(
                self._counters, context, statistics, mode, total=total, learning=total, is_replayed=True
            )

    def _context(self, number: int) -> UpdateContext:
        return UpdateContext(
            seed=self.seed,
            update=number,
            env_steps=self.env_steps_total,
            exploration=self.policy.heads.plan.exploration(self.env_steps_total),
        )

    def _auxiliary_loss(self, context: UpdateContext, weight: float) -> AuxiliaryLoss | None:
        if weight == 0.0 or self.settings.ppo.is_warming_up(context.env_steps):
            return None
        if self._team is not None and not self._team.is_leader:
            # Gradients are summed over a team: demonstrations must count once.
            return None
        if self._imitation is None:
            raise ConfigError(
                "cloning.anneal is set, but there are no demonstrations; call set_demonstrations() first",
                code="demonstrations_missing",
            )
        return self._imitation.auxiliary_loss(context.update, weight)

    def _normalize_observations(self, rollout: RolloutBuffer, context: UpdateContext) -> None:
        # Other statistics would show the policy other observations, so that it would move.
        if self.policy.normalizer is not None and not self.settings.ppo.is_warming_up(context.env_steps):
            alive = rollout.alive_mask().view(-1)
            self.policy.normalizer.update(self._backend.learning.experience.inputs.obs, alive)
