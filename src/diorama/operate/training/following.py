"""What a process does that trains with others and does not lead: everything it is told to, and it writes nothing."""

import signal
from contextlib import closing

from diorama.contracts.errors import DioramaError
from diorama.contracts.training_reports import StepView, UpdateReport
from diorama.learn.callbacks import Callback
from diorama.learn.distributed import Team
from diorama.learn.errors import TeamBroken
from diorama.operate.training.leading import TeamLearner, TeamOp, recv_op
from diorama.operate.training.learners import training_batch
from diorama.operate.training.plan import TrainingPlan


class _Unheard(Callback):
    def on_step(self, step: StepView) -> None:
        """Steps are told where the run is written."""

    def on_update(self, report: UpdateReport) -> None:
        """So are updates."""


def follow(plan: TrainingPlan, team: Team) -> bool:
    """Train this process's copies until the leader ends the run.

    Returns:
        Whether it was ended; otherwise the leader is gone, or has said why it was not.

    Raises:
        TrainingDiverged: Something that must be a number is none.
    """
    # An interrupt reaches the leader too, which ends the run at the next good moment.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    try:
        with closing(TeamLearner(training_batch(plan, team=team), plan, _Unheard(), team)) as learner:
            _serve(learner, team)
    except TeamBroken:
        return False
    except DioramaError as error:
        team.explain(str(error))
        raise
    except Exception as error:
        team.explain(f"{type(error).__name__}: {error}")
        raise
    finally:
        team.leave()
    return True


def _serve(learner: TeamLearner, team: Team) -> None:
    while (order := recv_op(team)) is not TeamOp.END:
        if order is TeamOp.LOAD:
            learner.load_share(team.broadcast_object())
        elif order is TeamOp.AGREE:
            learner.agree()
        elif order is TeamOp.ADVANCE:
            learner.advance()
        else:
            learner.state()
