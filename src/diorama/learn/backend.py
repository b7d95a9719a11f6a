"""`TrainingBackend`: who collects rollouts and who learns from them, on the CPU or beside a GPU."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass

import torch

from diorama.contracts.errors import ConfigError
from diorama.contracts.resident import ResidentCore
from diorama.device_recording import side_stream
from diorama.learn.buffer import RolloutBuffer
from diorama.learn.collector import Collector, RemoteEnvs, RolloutCollector, SamplingParams
from diorama.learn.cuda.collector import ActorWeights, DeviceCollector
from diorama.learn.cuda.update import DeviceUpdate
from diorama.learn.distributed import Team
from diorama.learn.envs import TrainingEnvs
from diorama.learn.normalization import RewardScaler
from diorama.learn.policies.policy import Policy
from diorama.learn.ppo import HostUpdate, PpoUpdate, UpdateContext
from diorama.learn.settings import TrainerSettings
from diorama.learn.settings.execution import Precision
from diorama.learn.workers import Workers, use_one_thread


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateOverrides:
    """How one update is led.

    Attributes:
        teacher_share: Share of decisions that the world's own controller takes.
        cloning_weight: Weight of the cloning loss beside PPO's.
    """

    teacher_share: float
    cloning_weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingBackend:
    """Who gathers and who learns.

    Attributes:
        acting: The weights that decide, where the others change meanwhile.
        stream: Where learning is asked for; None on a device without streams.
    """

    policy: Policy
    collector: RolloutCollector
    ppo: PpoUpdate
    learning: HostUpdate | DeviceUpdate
    acting: ActorWeights | None = None
    stream: torch.cuda.Stream | None = None

    @property
    def acting_policy(self) -> Policy:
        """The policy that decides."""
        return self.policy if self.acting is None else self.acting.policy

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Ask for everything on the stream of learning; before and afterwards the device is at rest."""
        if self.acting is not None:
            self.acting.refresh()
        if self.stream is None:
            yield
            return
        torch.cuda.synchronize(self.stream.device)
        with torch.cuda.stream(self.stream):
            yield
        torch.cuda.synchronize(self.stream.device)

    def take_over(self) -> None:
        """Let what was learned decide from now on."""
        if self.acting is not None:
            self.acting.refresh()
        if self.stream is not None:
            self.stream.synchronize()


def open_backend(
    source: TrainingEnvs | RemoteEnvs | ResidentCore,
    policy: Policy,
    settings: TrainerSettings,
    scaler: RewardScaler,
    workers: Workers,
    team: Team | None = None,
) -> TrainingBackend:
    """Take over the copies of a source that has not been reset, and the policy's weights."""
    execution = settings.execution
    # One switch for the whole process: whoever trains next must not inherit it.
    torch.set_float32_matmul_precision("high" if execution.precision is Precision.TFLOAT32 else "highest")
    if isinstance(source, ResidentCore):
        if not execution.is_pipelined:
            raise ConfigError(
                "execution.pipeline is false, but copies that live on a device are led by it; leave it out"
            )
        if team is not None:
            raise ConfigError("copies that live on a device are learned from by one process")
    elif not execution.is_pipelined:
        ppo = PpoUpdate(policy, settings, workers, team)
        return TrainingBackend(
            policy=policy,
            collector=_gatherer(source, policy, settings, workers),
            ppo=ppo,
            learning=HostUpdate(ppo, policy, settings, scaler),
        )
    if isinstance(source, RemoteEnvs):
        raise ConfigError("execution.pipeline steps copies that are at hand; set it to false")
    stream = side_stream(torch.device(execution.device), is_urgent=False)
    update = DeviceUpdate(policy, settings, scaler, stream)
    return TrainingBackend(
        policy=policy,
        collector=DeviceCollector(source, policy, settings),
        ppo=update,
        learning=update,
        acting=ActorWeights(policy) if execution.overlap else None,
        stream=stream,
    )


def _gatherer(
    source: TrainingEnvs | RemoteEnvs, policy: Policy, settings: TrainerSettings, workers: Workers
) -> RolloutCollector:
    if isinstance(source, RemoteEnvs):
        return source.collector(policy, settings)
    return Collector(source, policy, settings, workers)


@dataclass(frozen=True, slots=True)
class CollectedRollout:
    """A rollout that has not been learned from, and where in the run it was gathered."""

    rollout: RolloutBuffer
    context: UpdateContext


class RolloutPrefetcher:
    """Gathers one rollout after another.

    Where learning overlaps, a thread gathers ahead, so that copies step and the device decides while learning is asked
    for and told of.
    """

    def __init__(self, backend: TrainingBackend, *, use_masks: bool, first_row: int, overlap: bool) -> None:
        """Gather nothing yet.

        Args:
            backend: Collects, and decides.
            use_masks: Whether options that are masked out are left out of decisions.
            first_row: Number of the first row among those of all processes.
            overlap: Whether to gather ahead; starts the thread.
        """
        self._backend = backend
        self._use_masks = use_masks
        self._first_row = first_row
        self._thread = ThreadPoolExecutor(1, "diorama-ahead", initializer=use_one_thread) if overlap else None
        self._ahead: CollectedRollout | None = None

    def take(self, context: UpdateContext, overrides: UpdateOverrides) -> CollectedRollout:
        """Return the rollout that was gathered ahead; if there is none, gather it now."""
        gathered, self._ahead = self._ahead or self._gather(context, overrides), None
        return gathered

    @contextmanager
    def gathered_ahead(self, context: UpdateContext, overrides: UpdateOverrides) -> Iterator[None]:
        """Gather ahead during the block, where learning overlaps; it is not left before that is done."""
        if self._thread is None:
            yield
            return
        upcoming = self._thread.submit(self._gather, context, overrides)
        try:
            yield
        finally:
            wait([upcoming])
        self._ahead = upcoming.result()

    def forget(self) -> None:
        """Drop what was gathered ahead; the copies went elsewhere."""
        self._ahead = None

    def close(self) -> None:
        """End the thread."""
        if self._thread is not None:
            self._thread.shutdown()

    def _gather(self, context: UpdateContext, overrides: UpdateOverrides) -> CollectedRollout:
        acting = SamplingParams(
            seed=context.seed,
            update=context.update,
            exploration=context.exploration,
            use_masks=self._use_masks,
            teacher_share=overrides.teacher_share,
            first_row=self._first_row,
        )
        collector = self._backend.collector
        collector.collect(self._backend.acting_policy, acting)
        return CollectedRollout(collector.rollout, context)
