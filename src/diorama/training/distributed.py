"""Training in several processes: the leader writes the run, the followers train their share of the copies."""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from enum import IntEnum

import torch

from diorama.contracts.errors import DioramaError
from diorama.learn.distributed import Team, check_replicas, local_moments
from diorama.learn.envs import TrainingEnvs
from diorama.learn.errors import TeamBroken
from diorama.learn.imitation.stopping import StopCheck, never_stop
from diorama.learn.settings import CloningSettings
from diorama.learn.state import TrainerState, gather_state, state_share
from diorama.runs.checkpoints.resume import StoredTraining
from diorama.training.callbacks.base import RunCallbacks
from diorama.training.envs import training_batch
from diorama.training.imitation import CloningResult
from diorama.training.learner import PpoLearner
from diorama.training.plan import TrainingPlan


class TeamOp(IntEnum):
    """What all processes do next, together."""

    END = 0
    LOAD = 1
    SYNC = 2
    ADVANCE = 3
    STATE = 4


def send_op(team: Team, op: TeamOp) -> None:
    """Send the followers the next operation."""
    team.broadcast(torch.tensor([op]))


def recv_op(team: Team) -> TeamOp:
    """Wait for the leader's next operation."""
    op = torch.zeros(1, dtype=torch.int64)
    team.broadcast(op)
    return TeamOp(int(op))


class TeamLearner(PpoLearner):
    """The learner of one process of a team; all processes make the same calls."""

    def __init__(self, plan: TrainingPlan, envs: TrainingEnvs, callbacks: RunCallbacks, team: Team) -> None:
        """Take over this process's copies."""
        super().__init__(plan, envs, callbacks, team=team)
        self._team = team

    def sync(self) -> None:
        """Copy weights, momenta and statistics of the leader."""
        model_state = self._trainer.model_state
        model_state.load(
            self._team.broadcast_object(model_state.tensors(with_rows=False) if self._team.is_leader else None),
            with_rows=False,
        )

    def advance(self) -> None:
        """Collect a rollout and update the policy; once in a window the replicas are compared.

        Raises:
            TeamBroken: A process has ended, or the policies differ.
        """
        every = self._plan.settings.windows.env_steps
        before = self.env_steps_total
        super().advance()
        if self.env_steps_total // every > before // every:
            check_replicas(
                self._team, self._trainer.model_state.tensors(with_rows=False), updates=self._trainer.updates
            )

    def state(self) -> TrainerState:
        """Return everything needed to continue; the leader's state has the copies of all processes."""
        return gather_state(self._team, super().state())

    def load_share(self, stored: StoredTraining) -> None:
        """Continue this process's share of a state."""
        whole = TrainerState(tensors=stored.tensors, values=stored.values, snapshots=stored.snapshots)
        own = state_share(self._team, whole)
        super().load(StoredTraining(tensors=own.tensors, values=stored.values, snapshots=own.snapshots))


class LeadingLearner(TeamLearner):
    """The learner of the process that writes the run; it makes the followers call what it calls."""

    def __init__(self, plan: TrainingPlan, envs: TrainingEnvs, callbacks: RunCallbacks, team: Team) -> None:
        """Take over this process's copies."""
        super().__init__(plan, envs, callbacks, team)
        self._launcher = os.getppid()
        self._is_synced = False
        self._in_collective = False

    def imitate(self, cloning: CloningSettings, check_stop: StopCheck = never_stop) -> CloningResult | None:
        """Imitate in this process alone; the followers copy the weights before the first rollout."""
        with local_moments(self.policy):
            return super().imitate(cloning, check_stop)

    def advance(self) -> None:
        """Collect a rollout and update the policy in every process.

        Raises:
            TeamBroken: A process has ended, or the policies differ.
        """
        if os.getppid() != self._launcher:
            raise TeamBroken("the process that started this run has ended", code="launcher_ended")
        if not self._is_synced:
            # All processes begin from the same bits, whatever the policy started from.
            with self._collective(TeamOp.SYNC):
                self.sync()
            self._is_synced = True
        with self._collective(TeamOp.ADVANCE):
            super().advance()

    def state(self) -> TrainerState:
        """Return everything needed to continue."""
        with self._collective(TeamOp.STATE):
            return super().state()

    def load(self, stored: StoredTraining) -> None:
        """Continue from a state that any number of processes may have saved."""
        with self._collective(TeamOp.LOAD):
            self.load_share(self._team.broadcast_object(stored))

    def close(self) -> None:
        """End the followers and the trainer's threads."""
        with ExitStack() as at_last:
            at_last.callback(self._team.close)
            at_last.callback(super().close)
            if not self._in_collective:
                # A process that has ended already cannot be sent anything.
                with suppress(TeamBroken):
                    send_op(self._team, TeamOp.END)

    @contextmanager
    def _collective(self, op: TeamOp) -> Iterator[None]:
        # Stays set after an error: the followers are then inside of the operation and receive no other.
        self._in_collective = True
        send_op(self._team, op)
        yield
        self._in_collective = False


def follow(plan: TrainingPlan, team: Team) -> bool:
    """Train this process's copies until the leader ends the run.

    Returns:
        Whether the leader ended the run; False where it has ended itself, or reports why.

    Raises:
        TrainingDiverged: A loss, gradient or logit became NaN or infinite.
    """
    # An interrupt reaches the leader, too, which ends the run after the current update.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    try:
        with closing(TeamLearner(plan, training_batch(plan, team=team), RunCallbacks([]), team)) as learner:
            _serve(learner, team)
    except TeamBroken:
        return False
    except DioramaError as error:
        team.report_failure(str(error))
        raise
    except Exception as error:
        team.report_failure(f"{type(error).__name__}: {error}")
        raise
    finally:
        team.close()
    return True


def _serve(learner: TeamLearner, team: Team) -> None:
    while (op := recv_op(team)) is not TeamOp.END:
        if op is TeamOp.LOAD:
            learner.load_share(team.broadcast_object())
        elif op is TeamOp.SYNC:
            learner.sync()
        elif op is TeamOp.ADVANCE:
            learner.advance()
        else:
            learner.state()
