"""`RemoteCollector`: lets workers of a cluster gather a rollout and puts it together in the order of their places."""

import time
from collections.abc import Callable
from typing import Any, Final

import torch

from diorama.contracts.errors import DioramaError
from diorama.learn.buffer import INPUT_ARRAYS, RolloutBuffer, RolloutShape, copy_step_to_device
from diorama.learn.collector import RolloutCollector
from diorama.learn.policies.policy import Policy
from diorama.learn.selfplay.league import League
from diorama.learn.shard import SamplingParams, ShardSeconds
from diorama.scale.rollouts.arrays import place_of, rollout_arrays, shares_of
from diorama.scale.rollouts.matches import LeagueBook
from diorama.scale.rollouts.worker import Brought, RolloutWorker, Standing
from diorama.training.settings import TrainingSettings

_PATIENCE_S: Final = 60.0
_ANOTHER_LIFE: Final = 1 << 32  # turns after a restore are none that a worker can stand at

Tell = Callable[[str], None]


class RemoteCollector(RolloutCollector):
    """Fills the learner's rollouts.

    A worker whose process or machine is lost is started again by Ray, and told where its copies stood before the
    rollout, which it gathers again. Nothing in the rollout depends on who was lost and when.
    """

    def __init__(
        self,
        shape: RolloutShape,
        device: torch.device,
        settings: TrainingSettings,
        workers: int,
        *,
        league: League | None,
        tell: Tell,
    ) -> None:
        """Ask for the workers; the caller is connected to a cluster.

        Args:
            shape: Of the rollouts.
            device: Where they are learned from.
            settings: Of the run.
            workers: How many there are.
            league: Where the results of matches go, if any are played.
            tell: Called with a line for people where the cluster keeps the run waiting.
        """
        import ray

        self.rollout = self.upcoming = RolloutBuffer(shape, device)
        self._shares = shares_of(shape.copies, workers)
        self._book = None if league is None else LeagueBook(league, self._shares)
        threads = settings.execution.threads or 1
        actor = ray.remote(RolloutWorker).options(num_cpus=threads, max_restarts=-1, max_task_retries=-1)
        self._workers: list[Any] = [actor.remote(settings, place, workers) for place in range(workers)]
        self._snapshots: list[list[bytes]] = [[] for _ in range(workers)]
        self._turn = 0
        self._tell = tell

    def reset(self) -> None:
        """Open an episode in every copy."""
        brought = self._brought([worker.open.remote() for worker in self._workers])
        for place, item in enumerate(brought):
            self._snapshots[place] = item.snapshots
            for name in INPUT_ARRAYS:
                _, rows = place_of(f"host.{name}", self.rollout, self._shares[place])
                self.rollout.host[name][0][rows].copy_(torch.from_numpy(item.arrays[name].copy()))
        self._note_matches(brought)

    def collect(self, policy: Policy, params: SamplingParams) -> None:
        """Gather one rollout."""
        import ray

        began = time.perf_counter()
        self.rollout.reset()
        weights = ray.put({name: tensor.detach().cpu().numpy() for name, tensor in policy.state_dict().items()})
        pool = None if self._book is None else self._book.pool_state()
        asked = [
            worker.collect.remote(self._turn, weights, params, [ray.put(self._standing(place))], pool)
            for place, worker in enumerate(self._workers)
        ]
        brought = self._brought(asked)
        for place, item in enumerate(brought):
            self._take(place, item)
        self._note_matches(brought)
        self._turn += 1
        self._show()
        seconds = [ShardSeconds(item.env_seconds, item.policy_seconds) for item in brought]
        self._split_wall_time(time.perf_counter() - began, seconds)

    def carry_last_step(self) -> None:
        """Make the end of a rollout that has been learned from the beginning of the next."""
        self.rollout.carry_last_step()

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy, in order."""
        return [data for part in self._snapshots for data in part]

    def restore(self, snapshots: list[bytes]) -> None:
        """Continue every copy from its snapshot."""
        self._check_snapshots(snapshots)
        self._snapshots = [snapshots[share] for share in self._shares]
        self._turn += _ANOTHER_LIFE
        if self._book is not None:
            self._book.restore()

    def close(self) -> None:
        """Let the workers go."""
        import ray

        for worker in self._workers:
            ray.kill(worker)

    def _standing(self, place: int) -> Standing:
        starts = self.rollout.host["episode_start"][0]
        rows = place_of("memory", self.rollout, self._shares[place])
        return Standing(
            snapshots=self._snapshots[place],
            starts=starts[rows].numpy().copy(),
            memory=self.rollout.memory[rows].cpu().numpy().copy(),
            playing=None if self._book is None else self._book.playing(place),
        )

    def _brought(self, asked: list[Any]) -> list[Brought]:
        import ray

        left = asked
        while left:
            _, left = ray.wait(left, num_returns=len(left), timeout=_PATIENCE_S)
            if left:
                self._tell(
                    f"{len(left)} of {len(asked)} rollout workers have not answered for {_PATIENCE_S:.0f} seconds;"
                    " they may be waiting for a free processor of the cluster (ray status)"
                )
        try:
            answers: list[Brought] = ray.get(asked)
        except ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, DioramaError):
                raise error.cause from None
            raise
        except ray.exceptions.RayError as error:
            # Of what a worker met while it was made only the text arrives, and its last line says what it was.
            raise DioramaError(f"a rollout worker is gone for good: {str(error).strip().splitlines()[-1]}") from None
        return answers

    def _take(self, place: int, brought: Brought) -> None:
        self._snapshots[place] = brought.snapshots
        for name, array in rollout_arrays(self.rollout).items():
            there = place_of(name, self.rollout, self._shares[place])
            array[there].copy_(torch.from_numpy(brought.arrays[name].copy()))

    def _note_matches(self, brought: list[Brought]) -> None:
        if self._book is not None:
            self._book.take([item.told for item in brought if item.told is not None])

    def _show(self) -> None:
        """Bring what came to where the policy learns, if that is another device."""
        rollout = self.rollout
        if rollout.device.type == "cpu":
            return
        for step in range(rollout.shape.steps + 1):
            copy_step_to_device(rollout, step, slice(None))
        rollout.actions.copy_(rollout.host_actions)
        rollout.sync_outcomes()
