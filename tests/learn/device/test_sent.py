"""What the host keeps of rollouts that are learned from elsewhere."""

from typing import Any

import pytest
import torch

from diorama.contracts.training_reports import StepView
from diorama.learn.collector import rollout_shape
from diorama.learn.cuda.rollouts import SENT, SentRollout
from diorama.learn.policies.policy import build_policy
from diorama.learn.settings import TrainerSettings
from diorama.learn.trainer import Trainer
from tests.learn.listening import Ear
from tests.learn.toys import Corridor

COPIES, STEPS = 12, 8
SETTINGS: dict[str, Any] = {"policy": {"arch": "mlp-8-tanh-v1"}, "ppo": {"rollout_steps": STEPS, "num_minibatches": 3}}


class Looker(Ear):
    """Remembers what every decision was taken from."""

    def __init__(self) -> None:
        super().__init__()
        self.looked: list[torch.Tensor] = []

    def on_step(self, step: StepView) -> None:
        super().on_step(step)
        self.looked.append(torch.from_numpy(step.seen().copy()))


def looked_at(**execution: Any) -> torch.Tensor:
    looker = Looker()
    settings = TrainerSettings.model_validate({**SETTINGS, "execution": {"threads": 1, "native": False, **execution}})
    trainer = Trainer(Corridor(COPIES), settings, seed=5, callbacks=[looker])
    trainer.train_until(2 * COPIES * STEPS)
    trainer.close()
    return torch.stack(looker.looked)


def rollout(beside: SentRollout | None = None) -> SentRollout:
    settings = TrainerSettings.model_validate(SETTINGS)
    source = Corridor(COPIES)
    shape = rollout_shape(source, build_policy(source.spec, settings, seed=1), settings)
    return SentRollout(shape, torch.device("cpu"), beside)


def test_the_host_holds_one_step_of_what_decisions_are_made_from() -> None:
    found = rollout()

    assert all(len(found.host[name]) == COPIES for name in SENT)
    assert len(found.seen["obs"]) == STEPS + 1
    found.buffers(0, 0, COPIES).obs[:] = 3.0
    assert (found.buffers(5, 0, COPIES).obs == 3.0).all()


def test_rollouts_filled_in_turn_share_what_is_always_the_newest_and_nothing_else() -> None:
    first = rollout()
    second = rollout(first)

    assert all(second.host[name] is first.host[name] for name in SENT)
    assert second.host["rewards"] is not first.host["rewards"]
    assert second.memory is first.memory
    assert second.seen["obs"] is not first.seen["obs"]


@pytest.mark.parametrize("threads", [1, 3])
def test_listeners_are_shown_what_every_decision_was_taken_from(threads: int) -> None:
    assert torch.equal(looked_at(pipeline=True, lane_copies=5, threads=threads), looked_at(lane_copies=5))
