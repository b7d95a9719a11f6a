"""What a trainer works with: who gathers rollouts and who learns from them, on the host or beside a device."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch

from diorama.contracts.errors import ConfigError
from diorama.contracts.resident import ResidentCore
from diorama.device_recording import side_stream
from diorama.learn.device.acting import ActingCopy
from diorama.learn.device.collector import DeviceCollector
from diorama.learn.device.update import DeviceUpdate
from diorama.learn.normalize import RewardScaler
from diorama.learn.parallel.team import Team
from diorama.learn.policies.policy import Policy
from diorama.learn.ppo.learning import HostLearning
from diorama.learn.ppo.update import PpoUpdate
from diorama.learn.rollouts.collector import Collector
from diorama.learn.rollouts.gathering import Elsewhere, Gatherer
from diorama.learn.rollouts.source import Source
from diorama.learn.settings import TrainerSettings
from diorama.learn.settings.execution import Precision
from diorama.learn.workers import Workers


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Who gathers and who learns.

    Attributes:
        acting: The weights that decide, where the others change meanwhile.
        stream: Where learning is asked for; None on a device without streams.
    """

    policy: Policy
    collector: Gatherer
    ppo: PpoUpdate
    learning: HostLearning | DeviceUpdate
    acting: ActingCopy | None = None
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


def open_parts(
    source: Source | Elsewhere | ResidentCore,
    policy: Policy,
    settings: TrainerSettings,
    scaler: RewardScaler,
    workers: Workers,
    team: Team | None = None,
) -> Parts:
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
        return Parts(
            policy=policy,
            collector=_gatherer(source, policy, settings, workers),
            ppo=ppo,
            learning=HostLearning(ppo, policy, settings, scaler),
        )
    if isinstance(source, Elsewhere):
        raise ConfigError("execution.pipeline steps copies that are at hand; set it to false")
    stream = side_stream(torch.device(execution.device), is_urgent=False)
    update = DeviceUpdate(policy, settings, scaler, stream)
    return Parts(
        policy=policy,
        collector=DeviceCollector(source, policy, settings),
        ppo=update,
        learning=update,
        acting=ActingCopy(policy) if execution.overlap else None,
        stream=stream,
    )


def _gatherer(source: Source | Elsewhere, policy: Policy, settings: TrainerSettings, workers: Workers) -> Gatherer:
    if isinstance(source, Elsewhere):
        return source.gatherer(policy, settings)
    return Collector(source, policy, settings, workers)
