"""`RolloutWorker`: a share of a run's copies somewhere on a cluster, and who acts for them there."""

from dataclasses import dataclass, replace
from typing import Any

import torch
from numpy.typing import NDArray

from diorama.learn.buffer import INPUT_ARRAYS
from diorama.learn.collector import Collector
from diorama.learn.envs import TrainingEnvs
from diorama.learn.optimizer import FlatParameters
from diorama.learn.policies.policy import build_policy
from diorama.learn.settings.execution import Precision
from diorama.learn.shard import SamplingParams
from diorama.learn.workers import Workers, single_threaded_torch
from diorama.scale.rollouts.arrays import rollout_arrays, shares_of
from diorama.scale.rollouts.matches import LeagueShare, Playing, PoolState, Told
from diorama.training.callbacks.selfplay import make_league
from diorama.training.envs import training_share
from diorama.training.plan import plan_training
from diorama.training.settings import TrainingSettings

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Copies between two rollouts: their snapshots, and what the learner knows of them besides."""

    snapshots: list[bytes]
    starts: NDArray[Any]
    memory: NDArray[Any]
    playing: Playing | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What a worker brings: arrays by name, its copies after the last step, and how it spent its time.

    Attributes:
        told: What came of matches, where any are played.
    """

    arrays: Arrays
    snapshots: list[bytes]
    env_seconds: float
    policy_seconds: float
    told: Told | None


class RolloutWorker:
    """Worker `place` of `parts`; whatever it forgets when its process is lost, it is told again."""

    def __init__(self, settings: TrainingSettings, place: int, parts: int) -> None:
        """Make the copies, and a policy that waits for its weights."""
        settings = _on_the_cpu(settings)
        plan = plan_training(settings)
        threads = settings.execution.threads or 1
        share = shares_of(settings.copies, parts)[place]
        self._league: LeagueShare | None = None
        source: TrainingEnvs
        if settings.has_matches:
            copies = share.stop - share.start
            stepping = settings.execution.stepping_threads(threads, copies)
            self._league = LeagueShare(make_league(plan), share.start, copies, threads=stepping)
            source = self._league.source
        else:
            source = training_share(plan, place, parts, cores=threads)
        with single_threaded_torch():
            self._policy = build_policy(plan.spec, settings.trainer, seed=settings.seed)
        # Weights lie in memory as they do for the learner: products then round alike.
        self._weights = FlatParameters(self._policy)
        self._collector = Collector(source, self._policy, settings.trainer, Workers(threads))
        self._first_row = share.start * plan.spec.agents
        self._turn: int | None = None

    def open(self) -> Brought:
        """Open an episode in every copy and return what they show."""
        self._collector.reset()
        self._turn = 0
        shown = {name: self._collector.rollout.host[name][0].numpy() for name in INPUT_ARRAYS}
        return self._brought(shown)

    def collect(
        self, turn: int, weights: Arrays, acting: SamplingParams, standing: list[Any], pool: PoolState | None
    ) -> Brought:
        """Gather one rollout.

        Args:
            turn: Number of the rollout.
            weights: The policy's, its statistics included.
            acting: How to act.
            standing: Holds a reference to the `Standing` from which copies go on that are not here, or elsewhere.
            pool: Who can be met, where matches are played.
        """
        with single_threaded_torch():
            if self._league is not None and pool is not None:
                self._league.take(pool)
            if self._turn != turn:
                self._go_on_from(_fetched(standing[0]))
            self._policy.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
            collector = self._collector
            collector.collect(self._policy, replace(acting, first_row=self._first_row))
            brought = self._brought({name: array.numpy() for name, array in rollout_arrays(collector.rollout).items()})
            collector.carry_last_step()
        self._turn = turn + 1
        return brought

    def _brought(self, arrays: Arrays) -> Brought:
        collector = self._collector
        return Brought(
            # Copies: the rollout's own memory is written again while these are still on their way.
            arrays={name: array.copy() for name, array in arrays.items()},
            snapshots=collector.snapshots(),
            env_seconds=collector.env_seconds,
            policy_seconds=collector.policy_seconds,
            told=None if self._league is None else self._league.tell(),
        )

    def _go_on_from(self, standing: Standing) -> None:
        if self._league is not None and standing.playing is not None:
            self._league.go_on_from(standing.playing)
        self._collector.restore(standing.snapshots)
        rollout = self._collector.upcoming
        rollout.host["episode_start"][0] = torch.from_numpy(standing.starts.copy())
        rollout.memory.copy_(torch.from_numpy(standing.memory.copy()))


def _on_the_cpu(settings: TrainingSettings) -> TrainingSettings:
    changes = {"device": "cpu", "pipeline": False, "precision": Precision.FLOAT32, "overlap": False, "compile": False}
    return settings.model_copy(update={"execution": settings.execution.model_copy(update=changes)})


def _fetched(reference: Any) -> Standing:
    import ray

    standing: Standing = ray.get(reference)
    return standing
