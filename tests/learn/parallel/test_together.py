"""Two processes that train one policy."""

from dataclasses import asdict

import pytest
import torch

from diorama.contracts.training_reports import StepView
from diorama.learn.distributed import Team
from diorama.learn.errors import TeamBroken
from diorama.learn.state import TrainerState
from diorama.operate.training.leading import LeadingLearner
from diorama.operate.training.learners import training_batch
from diorama.operate.training.plan import plan_training
from diorama.operate.training.ppo_learner import PpoLearner
from diorama.operate.training.settings import TrainingSettings
from diorama.runs.checkpoints.resume import StoredTraining
from tests.learn.listening import Ear
from tests.learn.parallel.companion import companion

# One minibatch holds everything: what two processes learn from is then what one does, but for the order of sums.
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

TOLD = (
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


class Told(Ear):
    """Remembers the rewards of every vector step, all copies in order."""

    def __init__(self) -> None:
        super().__init__()
        self.rewards: list[list[float]] = []

    def on_step(self, step: StepView) -> None:
        super().on_step(step)
        if step.first_copy == 0:
            self.rewards.append([])
        self.rewards[-1] += step.rewards.tolist()


def continued(learner: PpoLearner, state: TrainerState | None, updates: int) -> TrainerState:
    if state is not None:
        learner.load(StoredTraining(tensors=state.tensors, values=dict(state.values), snapshots=state.snapshots))
    for _ in range(updates):
        learner.advance()
    state = learner.state()
    learner.close()
    return state


def test_two_processes_learn_what_one_does_with_all_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    plan, told_alone, told = plan_training(SETTINGS), Told(), Told()
    alone = continued(PpoLearner(training_batch(plan), plan, told_alone), None, 4)

    # One begins, two go on, and one ends it: whoever saved a run, anybody continues it.
    begun = continued(PpoLearner(training_batch(plan), plan, told), None, 1)
    with companion(plan, monkeypatch) as (team, other):
        leader = LeadingLearner(training_batch(plan, team=team), plan, told, team)
        shared = continued(leader, begun, 2)
    assert other.returncode == 0
    together = continued(PpoLearner(training_batch(plan), plan, told), shared, 1)

    assert told.rewards[:32] == told_alone.rewards[:32]
    one, two = (asdict(ear.reports[1]) for ear in (told_alone, told))
    assert [two[name] for name in TOLD] == pytest.approx([one[name] for name in TOLD], rel=1e-3, abs=1e-6)
    assert together.values == alone.values
    assert len(together.snapshots) == SETTINGS.copies
    assert together.tensors.keys() == alone.tensors.keys()
    for name in (name for name in alone.tensors if not name.startswith("rollout.")):
        torch.testing.assert_close(together.tensors[name], alone.tensors[name], rtol=1e-3, atol=1e-5, msg=name)


@pytest.mark.slow
def test_a_policy_that_is_not_the_same_everywhere_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_training(SETTINGS)
    with companion(plan, monkeypatch) as (team, other):
        learner = LeadingLearner(training_batch(plan, team=team), plan, Ear(), team)
        learner.advance()
        with torch.no_grad():
            learner.policy.value_head.bias.add_(0.5)
        with pytest.raises(TeamBroken, match="after update 2 the policy of process 1 is not that of process 0"):
            learner.advance()
        learner.close()
    assert other.returncode == 1


def test_the_leader_imitates_without_the_others() -> None:
    plan = plan_training(CLONED)
    assert CLONED.cloning is not None
    alone = PpoLearner(training_batch(plan), plan, Ear())
    alone.imitate(CLONED.cloning)
    # Nobody is connected: whatever asks the others for something fails at once.
    nobody = Team(rank=0, size=2, local_size=2)
    leader = LeadingLearner(training_batch(plan, team=nobody), plan, Ear(), nobody)
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
def test_two_processes_go_on_from_what_one_has_imitated(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_training(CLONED)
    assert CLONED.cloning is not None
    with companion(plan, monkeypatch) as (team, other):
        leader = LeadingLearner(training_batch(plan, team=team), plan, Ear(), team)
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
def test_a_leader_says_why_another_process_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_training(SETTINGS)
    with companion(plan, monkeypatch, role="diverge") as (team, _):
        leader = LeadingLearner(training_batch(plan, team=team), plan, Ear(), team)
        leader.advance()
        with pytest.raises(TeamBroken, match="process 1 has ended: the policy's logits are not finite in 3 of 128"):
            leader.advance()
        leader.close()


@pytest.mark.slow
def test_a_leader_says_why_another_process_has_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_training(SETTINGS)
    with companion(plan, monkeypatch, role="fail_to_build") as (team, _):
        leader = LeadingLearner(training_batch(plan, team=team), plan, Ear(), team)
        with pytest.raises(TeamBroken, match="process 1 has ended: MemoryError: there is no room for the policy"):
            leader.advance()
        leader.close()


@pytest.mark.slow
def test_a_leader_whose_companion_is_gone_can_still_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_training(SETTINGS)
    with companion(plan, monkeypatch) as (team, other):
        leader = LeadingLearner(training_batch(plan, team=team), plan, Ear(), team)
        leader.advance()
        other.kill()
        other.wait()
        leader.close()
        assert not torch.distributed.is_initialized()
