"""`RemoteCollector`: lets workers of a cluster gather a rollout and puts it together in the order of their places."""

import time
from collections.abc import Callable
from typing import Any, Final

import torch

from diorama.contracts.errors import ConfigError, DioramaError
from diorama.learn.buffer import SHOWN, RolloutBuffer, RolloutShape, show_step
from diorama.learn.collector import SamplingParams
from diorama.learn.policies.policy import Policy
from diorama.learn.selfplay.league import Arena
from diorama.operate.training.settings import TrainingSettings
from diorama.scale.rollouts.arrays import place_of, rollout_arrays, shares_of
from diorama.scale.rollouts.matches import LeagueBook
from diorama.scale.rollouts.worker import Brought, RolloutWorker, Standing

_PATIENCE_S: Final = 60.0
_ANOTHER_LIFE: Final = 1 << 32  # turns after a restore are none that a worker can stand at

Tell = Callable[[str], None]


class RemoteCollector:
    """Fills the learner's rollouts; implements `learn.rollouts.gathering.Gatherer`.

    A worker whose process or machine is lost is started again by Ray, and told where its copies stood before the
    rollout, which it gathers again. Nothing in the rollout depends on who was lost and when.

    Attributes:
        rollout: The rollout gathered last.
        upcoming: The one that is filled next, which is the same.
        env_seconds: Of the last rollout, the share of its wall time that went into stepping.
        policy_seconds: The rest of it.
    """

    def __init__(
        self,
        shape: RolloutShape,
        device: torch.device,
        settings: TrainingSettings,
        workers: int,
        *,
        arena: Arena | None,
        tell: Tell,
    ) -> None:
        """Ask for the workers; the caller is connected to a cluster.

        Args:
            shape: Of the rollouts.
            device: Where they are learned from.
            settings: Of the run.
            workers: How many there are.
            arena: Where the results of matches go, if any are played.
            tell: Called with a line for people where the cluster keeps the run waiting.
        """
        import ray

        self.rollout = self.upcoming = RolloutBuffer(shape, device)
        self.env_seconds = self.policy_seconds = 0.0
        self._shares = shares_of(shape.copies, workers)
        self._book = None if arena is None else LeagueBook(arena, self._shares)
        threads = settings.execution.threads or 1
        actor = ray.remote(RolloutWorker).options(num_cpus=threads, max_restarts=-1, max_task_retries=-1)
        self._workers: list[Any] = [actor.remote(settings, place, workers) for place in range(workers)]
        self._snapshots: list[list[bytes]] = [[] for _ in range(workers)]
        self._turn = 0
        self._tell = tell

    def open(self) -> None:
        """Open an episode in every copy."""
        brought = self._brought([worker.open.remote() for worker in self._workers])
        for place, item in enumerate(brought):
            self._snapshots[place] = item.snapshots
            for name in SHOWN:
                _, rows = place_of(f"host.{name}", self.rollout, self._shares[place])
                self.rollout.host[name][0][rows].copy_(torch.from_numpy(item.arrays[name].copy()))
        self._note_matches(brought)

    def collect(self, policy: Policy, acting: SamplingParams) -> None:
        """Gather one rollout."""
        import ray

        began = time.perf_counter()
        self.rollout.begin()
        weights = ray.put({name: tensor.detach().cpu().numpy() for name, tensor in policy.state_dict().items()})
        league = None if self._book is None else self._book.league()
        asked = [
            worker.collect.remote(self._turn, weights, acting, [ray.put(self._standing(place))], league)
            for place, worker in enumerate(self._workers)
        ]
        brought = self._brought(asked)
        for place, item in enumerate(brought):
            self._take(place, item)
        self._note_matches(brought)
        self._turn += 1
        self._show()
        self._share_out(time.perf_counter() - began, brought)

    def release(self) -> None:
        """Hear that nobody reads the rollout but the one who learns from it, who reads the same memory."""

    def turn_over(self) -> None:
        """Make the end of a rollout that has been learned from the beginning of the next."""
        self.rollout.turn_over()

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy, in order."""
        return [data for part in self._snapshots for data in part]

    def restore(self, snapshots: list[bytes]) -> None:
        """Continue every copy from its snapshot."""
        if len(snapshots) != self.rollout.shape.copies:
            raise ConfigError(f"{len(snapshots)} snapshots for {self.rollout.shape.copies} copies; train with as many")
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
            show_step(rollout, step, slice(None))
        rollout.actions.copy_(rollout.host_actions)
        rollout.share_outcomes()

    def _share_out(self, wall: float, brought: list[Brought]) -> None:
        env, policy = sum(item.env_seconds for item in brought), sum(item.policy_seconds for item in brought)
        self.env_seconds = wall * env / (env + policy)
        self.policy_seconds = wall - self.env_seconds
