"""Two processes that train one policy: they agree with one process, and report failures."""

from dataclasses import asdict

import pytest
import torch

from diorama.contracts.training_reports import StepView
from diorama.learn.distributed import Team
from diorama.learn.errors import TeamBroken
from diorama.learn.state import TrainerState
from diorama.runs.checkpoints.resume import StoredTraining
from diorama.training.callbacks.base import RunCallback, RunCallbacks
from diorama.training.distributed import LeadingLearner
from diorama.training.envs import training_batch
from diorama.training.learner import PpoLearner
from diorama.training.plan import TrainingPlan, plan_training
from diorama.training.settings import TrainingSettings
from tests.learn.follower_process import follower
from tests.learn.recording_callback import RecordingCallback
from tests.refusals import refused

# With a single minibatch, two processes learn from the same samples as one; only the order of sums differs.
SETTINGS = TrainingSettings.model_validate(
    {
        "world": "prospector",
        "config": {"reward_profile": "v2", "time_max": 60.0},
        "steps": 1024,
        "copies": 16,
        "seed": 5,
        "windows": {"env_steps": 256},
        "checkpoints": {"every_windows": 2},
        "policy": {"arch": "mlp-16-tanh-v1"},
        "ppo": {"rollout_steps": 16, "num_minibatches": 1, "update_epochs": 2},
        "optimizer": {"learning_rate": 1e-3},
        "normalization": {"observations": True, "rewards": "return_std", "values": True},
        "execution": {"lane_copies": 8, "threads": 1},
        "evaluation": {"closing_episodes": 0},
    }
)

CLONED = TrainingSettings.model_validate(
    {**SETTINGS.model_dump(), "cloning": {"bot": "prudent_hauler", "decisions": 256, "copies": 4, "epochs": 1}}
)

COMPARED = (
    "env_steps_total",
    "ticks_total",
    "transitions",
    "loss_value",
    "entropy",
    "grad_norm",
    "explained_variance",
    "adv_mean",
    "adv_std",
    "reward_advantage_corr",
)


class RewardRecorder(RecordingCallback, RunCallback):
    """Also records the rewards of every vector step, all copies in order."""

    def __init__(self) -> None:
        super().__init__()
        self.rewards: list[list[float]] = []

    def on_step(self, step: StepView) -> None:
        super().on_step(step)
        if step.first_copy == 0:
            self.rewards.append([])
        self.rewards[-1] += step.rewards.tolist()


def learner_of(plan: TrainingPlan, *callbacks: RunCallback) -> PpoLearner:
    return PpoLearner(plan, training_batch(plan), RunCallbacks(callbacks))


def leader_of(plan: TrainingPlan, team: Team, *callbacks: RunCallback) -> LeadingLearner:
    return LeadingLearner(plan, training_batch(plan, team=team), RunCallbacks(callbacks), team)


def continued(learner: PpoLearner, state: TrainerState | None, updates: int) -> TrainerState:
    if state is not None:
        learner.load(StoredTraining(tensors=state.tensors, values=dict(state.values), snapshots=state.snapshots))
    for _ in range(updates):
        learner.advance()
    state = learner.state()
    learner.close()
    return state


def test_two_processes_learn_what_one_does_with_all_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    plan, expected, recorder = plan_training(SETTINGS), RewardRecorder(), RewardRecorder()
    alone = continued(learner_of(plan, expected), None, 4)

    # One process begins, two continue, and one ends the run.
    begun = continued(learner_of(plan, recorder), None, 1)
    with follower(plan, monkeypatch) as (team, other):
        leader = leader_of(plan, team, recorder)
        shared = continued(leader, begun, 2)
    assert other.returncode == 0
    together = continued(learner_of(plan, recorder), shared, 1)

    assert recorder.rewards[:32] == expected.rewards[:32]
    one, two = (asdict(item.reports[1]) for item in (expected, recorder))
    assert [two[name] for name in COMPARED] == pytest.approx([one[name] for name in COMPARED], rel=1e-3, abs=1e-6)
    assert together.values == alone.values
    assert len(together.snapshots) == SETTINGS.copies
    assert together.tensors.keys() == alone.tensors.keys()
    for name in (name for name in alone.tensors if not name.startswith("rollout.")):
        torch.testing.assert_close(together.tensors[name], alone.tensors[name], rtol=1e-3, atol=1e-5, msg=name)


@pytest.mark.slow
def test_a_policy_that_differs_between_processes_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_training(SETTINGS)
    with follower(plan, monkeypatch) as (team, other):
        learner = leader_of(plan, team)
        learner.advance()
        with torch.no_grad():
            learner.policy.value_head.bias.add_(0.5)
        with refused(TeamBroken, "replicas_differ", updates=2, rank=1):
            learner.advance()
        learner.close()
    assert other.returncode == 1


def test_the_leader_clones_without_the_others() -> None:
    plan = plan_training(CLONED)
    assert CLONED.cloning is not None
    alone = learner_of(plan)
    alone.imitate(CLONED.cloning)
    # Not connected: a collective would fail.
    team = Team(rank=0, size=2, local_size=2)
    leader = leader_of(plan, team)
    leader.imitate(CLONED.cloning)

    weights = alone.policy.state_dict()
    assert weights["normalizer.moments.count"] > 0
    for name, tensor in leader.policy.state_dict().items():
        torch.testing.assert_close(tensor, weights[name], rtol=0, atol=0, msg=name)
    with pytest.raises(ValueError, match="process group"):
        leader.advance()
    alone.close()
    leader.close()


@pytest.mark.slow
def test_two_processes_continue_from_the_cloned_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_training(CLONED)
    assert CLONED.cloning is not None
    with follower(plan, monkeypatch) as (team, other):
        leader = leader_of(plan, team)
        leader.imitate(CLONED.cloning)
        imitated = leader.policy.state_dict()["normalizer.moments.count"].item()
        # Replicas are compared after every update, and statistics are of all copies again.
        leader.advance()
        leader.advance()
        seen = leader.policy.state_dict()["normalizer.moments.count"].item() - imitated
        leader.close()
    assert other.returncode == 0
    assert seen == 2 * 256


@pytest.mark.slow
def test_the_leader_reports_why_another_process_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_training(SETTINGS)
    with follower(plan, monkeypatch, role="diverge") as (team, _):
        leader = leader_of(plan, team)
        leader.advance()
        reason = "process 1 has ended: the policy's logits are not finite in 3 of 128 rows"
        with refused(TeamBroken, "process_lost", reason=reason):
            leader.advance()
        leader.close()


@pytest.mark.slow
def test_the_leader_reports_why_another_process_did_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_training(SETTINGS)
    with follower(plan, monkeypatch, role="fail_to_build") as (team, _):
        leader = leader_of(plan, team)
        reason = "process 1 has ended: MemoryError: there is no room for the policy"
        with refused(TeamBroken, "process_lost", reason=reason):
            leader.advance()
        leader.close()


@pytest.mark.slow
def test_a_leader_can_be_closed_after_the_follower_was_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_training(SETTINGS)
    with follower(plan, monkeypatch) as (team, other):
        leader = leader_of(plan, team)
        leader.advance()
        other.kill()
        other.wait()
        leader.close()
        assert not torch.distributed.is_initialized()
