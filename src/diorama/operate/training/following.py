"""What a process does that trains with others and does not lead: everything it is told to, and it writes nothing."""

import signal
from contextlib import closing

from diorama.contracts.errors import DioramaError
from diorama.learn.listening import StepView, UpdateReport
from diorama.learn.parallel.team import Team, TeamBroken
from diorama.operate.training.leading import Order, TeamLearner, hear
from diorama.operate.training.learners import training_batch
from diorama.operate.training.plan import TrainingPlan


class _Unheard:
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
            _obey(learner, team)
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


def _obey(learner: TeamLearner, team: Team) -> None:
    while (order := hear(team)) is not Order.END:
        if order is Order.LOAD:
            learner.load_share(team.spread())
        elif order is Order.AGREE:
            learner.agree()
        elif order is Order.ADVANCE:
            learner.advance()
        else:
            learner.state()
