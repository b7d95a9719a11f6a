"""`DeviceCollector`: steps shards of copies while the device computes the actions of others."""

import time
from copy import deepcopy
from functools import partial

import torch

from diorama.contracts.resident import ResidentCore
from diorama.learn.buffer import RolloutShape
from diorama.learn.collector import RolloutCollector, rollout_shape
from diorama.learn.cuda.rollouts import DeviceRollout, ResidentRollout
from diorama.learn.cuda.shard import DeviceShard
from diorama.learn.cuda.storage import HostStorage, ResidentStorage, ShardStorage
from diorama.learn.envs import TrainingEnvs
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import ExecutionSettings, TrainerSettings
from diorama.learn.shard import SamplingParams
from diorama.learn.workers import Workers


class ActorWeights:
    """A copy of a policy for acting, while the original is being trained.

    Attributes:
        policy: The copy.
    """

    def __init__(self, policy: Policy) -> None:
        """Copy the policy."""
        self.policy = deepcopy(policy)
        self._pairs: list[tuple[torch.Tensor, torch.Tensor]] = [
            *zip(self.policy.parameters(), policy.parameters(), strict=True),
            *zip(self.policy.buffers(), policy.buffers(), strict=True),
        ]

    @torch.no_grad()
    def refresh(self) -> None:
        """Copy the current weights of the original."""
        for own, trained in self._pairs:
            own.copy_(trained)


class DeviceCollector(RolloutCollector):
    """Collects rollouts for a policy on a GPU.

    Each shard has its own thread, which requests actions from the device, sleeps until they arrive, and steps the
    copies. Environments with their own threads share them over all shards, and the threads do not sleep between steps.
    With a single thread, the shards take turns.
    """

    def __init__(self, envs: TrainingEnvs | ResidentCore, policy: Policy, settings: TrainerSettings) -> None:
        """Split environments that have not been reset into shards."""
        execution = settings.execution
        self._current = 0
        self._overlap = execution.overlap
        storages = _storages(envs, rollout_shape(envs, policy, settings), execution)
        self._threads = Workers(min(len(storages), execution.threads or len(storages)))
        self._shards = [DeviceShard(items, graphs=execution.graphs) for items in storages]
        self._rollouts = [storage.rollout for storage in storages[0]]
        self.rollout = self.upcoming = self._rollouts[0]

    def reset(self) -> None:
        """Start an episode in every copy."""
        for shard in self._shards:
            shard.reset()

    def collect(self, policy: Policy, params: SamplingParams) -> None:
        """Fill one rollout."""
        began = time.perf_counter()
        self.rollout = rollout = self.upcoming
        with self._shards[0].awake():
            if self._threads.threads == 1:
                self._collect_in_turn(policy, params)
            else:
                self._threads.run([partial(self._collect_shard, shard, policy, params) for shard in self._shards])
        for shard in self._shards:
            shard.synchronize()
        rollout.sync_outcomes()
        if self._overlap:
            self._switch_rollouts()
        wall = time.perf_counter() - began
        stepping = sum(shard.env_seconds for shard in self._shards) / min(self._threads.threads, len(self._shards))
        self.env_seconds = min(wall, stepping)
        self.policy_seconds = wall - self.env_seconds

    def carry_last_step(self) -> None:
        """Start the next rollout where the last one ended; with overlap `collect` has done so."""
        if not self._overlap:
            self.rollout.carry_last_step()

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy, in order."""
        return [data for shard in self._shards for data in shard.snapshots()]

    def restore(self, snapshots: list[bytes]) -> None:
        """Continue every copy from its snapshot."""
        self._check_snapshots(snapshots)
        self._current = 0
        self.upcoming = self._rollouts[0]
        for shard in self._shards:
            shard.use_rollout(0)
            shard.restore(snapshots)

    def close(self) -> None:
        """End the threads."""
        self._threads.close()

    def _switch_rollouts(self) -> None:
        self._current = 1 - self._current
        self.upcoming = self._rollouts[self._current]
        self.rollout.carry_last_step(self.upcoming)
        for shard in self._shards:
            shard.use_rollout(self._current)

    def _collect_in_turn(self, policy: Policy, params: SamplingParams) -> None:
        for shard in self._shards:
            with shard.on_stream():
                shard.begin(self._current, policy, params)
        for step in range(self.upcoming.shape.steps):
            for shard in self._shards:
                with shard.on_stream():
                    shard.step(step)

    def _collect_shard(self, shard: DeviceShard, policy: Policy, params: SamplingParams) -> None:
        with shard.on_stream():
            shard.begin(self._current, policy, params)
            for step in range(self.upcoming.shape.steps):
                shard.step(step)


def _storages(
    envs: TrainingEnvs | ResidentCore, shape: RolloutShape, execution: ExecutionSettings
) -> list[list[ShardStorage]]:
    """Return the storages of every shard: one per rollout, two if collecting overlaps learning."""
    device = torch.device(execution.device)
    if isinstance(envs, ResidentCore):
        # The device steps all copies at once, so there is only one shard.
        resident = ResidentRollout(shape, device)
        rollouts = [resident, ResidentRollout(shape, device, twin=resident)] if execution.overlap else [resident]
        return [[ResidentStorage(envs, rollout) for rollout in rollouts]]
    first = DeviceRollout(shape, device)
    host_rollouts = [first, DeviceRollout(shape, device, twin=first)] if execution.overlap else [first]
    storages: list[list[ShardStorage]] = []
    first_copy = 0
    for part in envs.split(execution.env_shards(envs.copies)):
        storages.append([HostStorage(part, rollout, first_copy) for rollout in host_rollouts])
        first_copy += part.copies
    return storages
