"""`RemoteCopies`: the copies of a run that live on a cluster."""

from dataclasses import replace

import torch

from diorama.contracts.spec import WorldSpec
from diorama.learn.collector import rollout_shape
from diorama.learn.policies.policy import Policy
from diorama.learn.selfplay.league import League
from diorama.learn.settings import TrainerSettings
from diorama.scale.rollouts.collector import RemoteCollector, Tell
from diorama.training.envs import one_copy
from diorama.training.plan import TrainingPlan


class RemoteCopies:
    """Implements `learn.rollouts.gathering.Elsewhere`; the caller is connected to a cluster."""

    def __init__(self, plan: TrainingPlan, workers: int, tell: Tell) -> None:
        """Share the copies of a plan out among so many workers.

        Args:
            plan: Of the run.
            workers: How many; each has a share of the copies and asks for as many processors as it has threads.
            tell: Called with a line for people where the cluster keeps the run waiting.
        """
        self._plan = plan
        self._workers = workers
        self._tell = tell
        self._league: League | None = None

    @property
    def spec(self) -> WorldSpec:
        """The contract of the world."""
        return self._plan.spec

    @property
    def copies(self) -> int:
        """Number of copies."""
        return self._plan.settings.copies

    def join_league(self, league: League) -> None:
        """Let the copies play matches, whose results go to this league."""
        self._league = league

    def collector(self, policy: Policy, settings: TrainerSettings) -> RemoteCollector:
        """Return who gathers their rollouts."""
        single = one_copy(self._plan)
        shape = replace(rollout_shape(single, policy, settings), copies=self.copies)
        single.close()
        device = torch.device(settings.execution.device)
        return RemoteCollector(shape, device, self._plan.settings, self._workers, league=self._league, tell=self._tell)
