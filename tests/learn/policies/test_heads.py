"""Autoregressive heads: masks, placeholders, scores and gradients."""

import torch

from diorama.learn.keyed_random import DrawKey
from diorama.learn.policies.distributions import ActionSampling
from diorama.learn.policies.head_plan import HeadPlan, plan_heads
from diorama.learn.policies.heads import StepwiseHeads, build_heads, had_choice
from diorama.learn.settings import HeadSettings
from tests.learn.toys import head, toy_spec

ROWS, FEATURES = 300, 6
SPEC = toy_spec((), (head("slot", 3), head("kind", 4, noop=3), head("op", 3)), has_mask=True)
EXPLORATION = (0.1, 0.0, 0.05)


def made() -> tuple[HeadPlan, StepwiseHeads, torch.Tensor, torch.Tensor, torch.Tensor]:
    settings = {
        "slot": {
            "inputs": ("op",),
            "hidden": (5,),
            "relevance": {"given": "op", "options": ("op1", "op2")},
            "conditional_mask": {"given": "op", "extra": "slot_by_op"},
        },
        "kind": {"inputs": ("op", "slot"), "relevance": {"given": "op", "options": ("op1",)}, "placeholder": "kind2"},
    }
    plan = plan_heads(SPEC, {name: HeadSettings.model_validate(item) for name, item in settings.items()})
    generator = torch.Generator().manual_seed(0)
    heads = build_heads(plan, FEATURES, (), gain=2.0, generator=generator)
    assert isinstance(heads, StepwiseHeads)
    features = torch.randn(ROWS, FEATURES, generator=generator)
    masks = torch.ones(ROWS, 10, dtype=torch.uint8)
    masks[:, 3] = 0
    table = torch.zeros(ROWS, 3, 3, dtype=torch.uint8)
    table[:, 0] = 1
    table[:, 1, :2] = 1
    table[:, 2, 2] = 1
    return plan, heads, features, masks, table.view(ROWS, 9)


def sample(
    heads: StepwiseHeads, features: torch.Tensor, masks: torch.Tensor, table: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    actions = torch.zeros(ROWS, 3, dtype=torch.int32)
    log_probs = torch.zeros(ROWS, 3)
    sampling = ActionSampling(exploration=EXPLORATION, key=DrawKey(seed=1, update=0, step=0))
    heads.sample(features, masks, {"slot_by_op": table}, sampling, actions=actions, log_probs=log_probs)
    return actions, log_probs


def test_conditional_masks_placeholders_and_certainty_hold() -> None:
    _, heads, features, masks, table = made()

    actions, log_probs = sample(heads, features, masks, table)

    slot, kind, op = actions.T
    assert set(op.tolist()) == {0, 1, 2}
    assert (slot[op == 0] == 0).all()
    assert (slot[op == 1] < 2).all()
    assert (slot[op == 2] == 2).all()
    assert (kind[op != 1] == 2).all()
    assert (kind[op == 1] != 0).all()
    assert (log_probs[:, 0][op == 0] == 0).all()
    assert (log_probs[:, 1][op != 1] == 0).all()


def test_scores_are_the_log_probabilities_of_the_samples() -> None:
    _, heads, features, masks, table = made()
    actions, log_probs = sample(heads, features, masks, table)

    scores = heads.score(features, masks, {"slot_by_op": table}, actions, EXPLORATION)

    torch.testing.assert_close(scores.log_probs, log_probs, rtol=1e-5, atol=1e-6)


def test_irrelevant_heads_have_no_gradient() -> None:
    _, heads, features, masks, table = made()
    actions, _ = sample(heads, features, masks, table)
    is_wait = actions[:, 2] == 0

    scores = heads.score(features, masks, {"slot_by_op": table}, actions, EXPLORATION)
    loss = scores.log_probs[is_wait].sum() + scores.entropies[is_wait].sum()
    gradients = torch.autograd.grad(loss, list(heads.towers[0].parameters()) + list(heads.towers[1].parameters()))

    assert all((gradient == 0).all() for gradient in gradients)


def test_a_forced_decision_is_one_without_a_relevant_choice() -> None:
    plan, _, _, masks, table = made()
    masks[:2, 7:] = torch.tensor([1, 0, 0], dtype=torch.uint8)  # only op 0, under which nothing else matters
    actions = torch.tensor([[0, 2, 0], [0, 2, 0], [1, 1, 1], [2, 2, 2]], dtype=torch.int32)

    free = had_choice(plan, masks[:4], {"slot_by_op": table[:4]}, actions)

    assert free.tolist() == [[0, 0, 0], [0, 0, 0], [1, 1, 1], [0, 0, 1]]
