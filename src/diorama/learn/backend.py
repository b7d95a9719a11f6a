"""`TrainingBackend`: the collector and the update of a training, on the CPU or beside a GPU."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass

import torch

from diorama.contracts.errors import ConfigError
from diorama.contracts.resident import ResidentCore
from diorama.device_recording import side_stream
from diorama.learn.buffer import RolloutBuffer
from diorama.learn.collector import Collector, RemoteEnvs, RolloutCollector
from diorama.learn.cuda.collector import ActorWeights, DeviceCollector
from diorama.learn.cuda.update import DeviceUpdate
from diorama.learn.distributed import Team
from diorama.learn.envs import TrainingEnvs
from diorama.learn.normalization import RewardScaler
from diorama.learn.policies.policy import Policy
from diorama.learn.ppo import HostUpdate, PpoUpdate, UpdateContext
from diorama.learn.settings import KickstartingSettings, TrainerSettings
from diorama.learn.settings.execution import Precision
from diorama.learn.shard import SamplingParams
from diorama.learn.teachers import TeacherMaker
from diorama.learn.workers import Workers, use_one_thread


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateOverrides:
    """Per-update overrides of scheduled weights.

    Attributes:
        teacher_share: Share of decisions that the world's own controller takes.
        cloning_weight: Weight of the cloning loss beside PPO's.
    """

    teacher_share: float
    cloning_weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingBackend:
    """Collects rollouts and learns from them.

    Attributes:
        actor_weights: A copy of the weights to act with, where rollouts are collected during an update.
        stream: Of the learner's kernels; None on a device without streams.
    """

    policy: Policy
    collector: RolloutCollector
    ppo: PpoUpdate
    learning: HostUpdate | DeviceUpdate
    actor_weights: ActorWeights | None = None
    stream: torch.cuda.Stream | None = None

    @property
    def acting_policy(self) -> Policy:
        """The policy that chooses actions."""
        return self.policy if self.actor_weights is None else self.actor_weights.policy

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Launch everything on the learner's stream; the device is idle before and afterwards."""
        if self.actor_weights is not None:
            self.actor_weights.refresh()
        if self.stream is None:
            yield
            return
        torch.cuda.synchronize(self.stream.device)
        with torch.cuda.stream(self.stream):
            yield
        torch.cuda.synchronize(self.stream.device)

    def refresh_actor(self) -> None:
        """Act with the updated weights from now on."""
        if self.actor_weights is not None:
            self.actor_weights.refresh()
        if self.stream is not None:
            self.stream.synchronize()


def open_backend(
    source: TrainingEnvs | RemoteEnvs | ResidentCore,
    policy: Policy,
    settings: TrainerSettings,
    scaler: RewardScaler,
    workers: Workers,
    team: Team | None = None,
    teacher: TeacherMaker | None = None,
) -> TrainingBackend:
    """Take over copies that have not been reset, and the policy's weights; `teacher` is asked about their rows."""
    execution = settings.execution
    if settings.starts is not None and (execution.is_pipelined or isinstance(source, RemoteEnvs) or team is not None):
        raise ConfigError(
            "starts needs copies that this process alone steps on the host; leave out the pipeline, remote copies and"
            " other processes",
            code="starts_need_local_copies",
        )
    # One switch for the whole process: set every time, so that the next training does not inherit it.
    torch.set_float32_matmul_precision("high" if execution.precision is Precision.TFLOAT32 else "highest")
    if isinstance(source, ResidentCore):
        if not execution.is_pipelined:
            raise ConfigError(
                "execution.pipeline is false, but copies that live on a device need the pipeline; leave it out",
                code="resident_copies_need_pipeline",
            )
        if team is not None:
            raise ConfigError(
                "copies that live on a device can be trained in by one process only",
                code="resident_copies_need_one_process",
            )
    elif not execution.is_pipelined:
        ppo = PpoUpdate(policy, settings, workers, team)
        return TrainingBackend(
            policy=policy,
            collector=_make_collector(source, policy, settings, workers, teacher),
            ppo=ppo,
            learning=HostUpdate(ppo, policy, settings, scaler),
        )
    if isinstance(source, RemoteEnvs):
        raise ConfigError(
            "execution.pipeline steps copies of this process, not remote ones; set it to false",
            code="pipeline_needs_local_copies",
        )
    stream = side_stream(torch.device(execution.device), is_urgent=False)
    update = DeviceUpdate(policy, settings, scaler, stream)
    return TrainingBackend(
        policy=policy,
        collector=DeviceCollector(source, policy, settings),
        ppo=update,
        learning=update,
        actor_weights=ActorWeights(policy) if execution.overlap else None,
        stream=stream,
    )


def _make_collector(
    source: TrainingEnvs | RemoteEnvs,
    policy: Policy,
    settings: TrainerSettings,
    workers: Workers,
    teacher: TeacherMaker | None,
) -> RolloutCollector:
    if isinstance(source, RemoteEnvs):
        if teacher is not None:
            raise ConfigError(
                "kickstarting asks its teacher about copies of this process, not remote ones; leave the section out",
                code="kickstarting_needs_local_copies",
            )
        return source.collector(policy, settings)
    return Collector(source, policy, settings, workers, teacher)


class RolloutPrefetcher:
    """Collects one rollout after another; where learning overlaps, a thread collects the next one during an update."""

    def __init__(
        self,
        backend: TrainingBackend,
        *,
        use_masks: bool,
        first_row: int,
        overlap: bool,
        kickstarting: KickstartingSettings | None = None,
    ) -> None:
        """Collect nothing yet.

        Args:
            backend: Collects, and chooses actions.
            use_masks: Whether masked options are impossible.
            first_row: Index of the first row among those of all processes.
            overlap: Whether to collect ahead; starts the thread.
            kickstarting: Says until when a teacher is asked; None without a teacher.
        """
        self._backend = backend
        self._use_masks = use_masks
        self._first_row = first_row
        self._kickstarting = kickstarting
        self._thread = ThreadPoolExecutor(1, "diorama-ahead", initializer=use_one_thread) if overlap else None
        self._ahead: tuple[RolloutBuffer, UpdateContext] | None = None

    def collect(self, context: UpdateContext, overrides: UpdateOverrides) -> tuple[RolloutBuffer, UpdateContext]:
        """Return the rollout that was collected ahead, with its context; if there is none, collect it now."""
        collected, self._ahead = self._ahead or self._collect(context, overrides), None
        return collected

    @contextmanager
    def collecting_ahead(self, context: UpdateContext, overrides: UpdateOverrides) -> Iterator[None]:
        """Collect the next rollout during the block, where learning overlaps; the block waits for it at its end."""
        if self._thread is None:
            yield
            return
        upcoming = self._thread.submit(self._collect, context, overrides)
        try:
            yield
        finally:
            wait([upcoming])
        self._ahead = upcoming.result()

    def forget(self) -> None:
        """Drop the rollout that was collected ahead; the copies were restored to another state."""
        self._ahead = None

    def close(self) -> None:
        """End the thread."""
        if self._thread is not None:
            self._thread.shutdown()

    def _collect(self, context: UpdateContext, overrides: UpdateOverrides) -> tuple[RolloutBuffer, UpdateContext]:
        sampling = SamplingParams(
            seed=context.seed,
            update=context.update,
            exploration=context.exploration,
            use_masks=self._use_masks,
            teacher_share=overrides.teacher_share,
            first_row=self._first_row,
            asks_teacher=self._kickstarting is not None and self._kickstarting.asks_at(context.env_steps),
        )
        collector = self._backend.collector
        collector.collect(self._backend.acting_policy, sampling)
        return collector.rollout, context
