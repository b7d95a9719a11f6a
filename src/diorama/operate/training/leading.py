"""`LeadingLearner`: the learner of the process that writes the run, and tells the others of its team what to do."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from enum import IntEnum

import torch

from diorama.engine.batch import Batch
from diorama.learn.callbacks import Callback
from diorama.learn.distributed import Team, own_moments, refuse_different_replicas
from diorama.learn.errors import TeamBroken
from diorama.learn.settings import CloningSettings
from diorama.learn.state import TrainerState, gather_state, share_of
from diorama.operate.training.conductors import TrainingCallbacks
from diorama.operate.training.plan import TrainingPlan
from diorama.operate.training.ppo_learner import Imitated, PpoLearner
from diorama.runs.checkpoints.resume import StoredTraining


class TeamOp(IntEnum):
    """What all processes do next."""

    END = 0
    LOAD = 1
    AGREE = 2
    ADVANCE = 3
    STATE = 4


def send_op(team: Team, order: TeamOp) -> None:
    """Tell the others what comes next."""
    team.broadcast(torch.tensor([order]))


def recv_op(team: Team) -> TeamOp:
    """Wait for what the leader says."""
    said = torch.zeros(1, dtype=torch.int64)
    team.broadcast(said)
    return TeamOp(int(said))


class TeamLearner(PpoLearner):
    """A learner that is one of several; every call is made in all of them."""

    def __init__(
        self,
        batch: Batch,
        plan: TrainingPlan,
        listener: Callback,
        team: Team,
        conductors: TrainingCallbacks | None = None,
    ) -> None:
        """Take over this process's copies."""
        super().__init__(batch, plan, listener, conductors=conductors, team=team)
        self._team = team

    def agree(self) -> None:
        """Take over weights, momenta and statistics of the leader."""
        model_state = self._trainer.model_state
        model_state.take(
            self._team.broadcast_object(model_state.tensors(of_rows=False) if self._team.is_leader else None),
            of_rows=False,
        )

    def advance(self) -> None:
        """Gather a rollout and update the policy; once in a window the replicas are compared.

        Raises:
            TeamBroken: Somebody is gone, or the policies differ.
        """
        every = self._plan.settings.windows.env_steps
        before = self.env_steps_total
        super().advance()
        if self.env_steps_total // every > before // every:
            refuse_different_replicas(
                self._team, self._trainer.model_state.tensors(of_rows=False), updates=self._trainer.updates
            )

    def state(self) -> TrainerState:
        """Return everything needed to continue, everybody's copies included; only the leader gets them all."""
        return gather_state(self._team, super().state())

    def load_share(self, stored: StoredTraining) -> None:
        """Continue this process's share of a state."""
        whole = TrainerState(tensors=stored.tensors, values=stored.values, snapshots=stored.snapshots)
        own = share_of(self._team, whole)
        super().load(StoredTraining(tensors=own.tensors, values=stored.values, snapshots=own.snapshots))


class LeadingLearner(TeamLearner):
    """A `Learner` like any other: the session that drives it does not know of the team."""

    def __init__(
        self,
        batch: Batch,
        plan: TrainingPlan,
        listener: Callback,
        team: Team,
        conductors: TrainingCallbacks | None = None,
    ) -> None:
        """Take over this process's copies."""
        super().__init__(batch, plan, listener, team, conductors)
        self._launcher = os.getppid()
        self._have_agreed = False
        self._is_at_work = False

    def imitate(self, cloning: CloningSettings) -> Imitated | None:
        """Imitate in this process alone; the others take over what came of it before the first rollout."""
        with own_moments(self.policy):
            return super().imitate(cloning)

    def advance(self) -> None:
        """Let everybody gather a rollout and update the policy.

        Raises:
            TeamBroken: Somebody is gone, or the policies differ.
        """
        if os.getppid() != self._launcher:
            raise TeamBroken("the process that started this run is gone")
        if not self._have_agreed:
            # Whatever the policy began from, all begin from the same bits.
            with self._together(TeamOp.AGREE):
                self.agree()
            self._have_agreed = True
        with self._together(TeamOp.ADVANCE):
            super().advance()

    def state(self) -> TrainerState:
        """Return everything needed to continue."""
        with self._together(TeamOp.STATE):
            return super().state()

    def load(self, stored: StoredTraining) -> None:
        """Continue from a state that any number of processes has saved."""
        with self._together(TeamOp.LOAD):
            self.load_share(self._team.broadcast_object(stored))

    def close(self) -> None:
        """Let the others go, and end the trainer's threads."""
        with ExitStack() as at_last:
            at_last.callback(self._team.leave)
            at_last.callback(super().close)
            if not self._is_at_work:
                # Whoever is gone need not be let go.
                with suppress(TeamBroken):
                    send_op(self._team, TeamOp.END)

    @contextmanager
    def _together(self, order: TeamOp) -> Iterator[None]:
        # Left standing by an error: the others are then in the middle of something and hear no order.
        self._is_at_work = True
        send_op(self._team, order)
        yield
        self._is_at_work = False
