"""The controller's network: what it consists of, how it draws, and that the update sees what the rollout saw."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

from diorama.learn.keyed_random import DrawKey
from diorama.learn.policies.distributions import ActionSampling, sample_actions
from diorama.learn.policies.heads import Extras, StepwiseHeads
from diorama.learn.policies.policy import Policy
from diorama.training.plan import plan_training
from diorama.training.presets import preset_names
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contracts.actions import (
    CAUSAL_RELEVANCE,
    HEAD_NAMES,
    PLACEHOLDERS,
    LifecycleOp,
    head_sizes,
)
from tests.worlds.morphogenesis.learners import SLOTS, controller_policy, controller_settings, rows_of

SIZES = head_sizes(SLOTS)
OP = HEAD_NAMES.index("op")
EPSILONS = dict(
    zip(
        ("op", "slot", "blueprint", "style", "tempo", "alpha_target", "alpha_speed", "alpha_curve"),
        (0.12, 0.06, 0.15, 0.10, 0.15, 0.10, 0.08, 0.08),
        strict=True,
    )
)
EXPLORATION = tuple(EPSILONS[name] for name in HEAD_NAMES)


@pytest.mark.parametrize(("preset", "parameters"), [("default", 380_645), ("cifar_baseline", 3_849_317)])
def test_the_network_has_as_many_parameters_as_it_should(preset: str, parameters: int) -> None:
    policy = controller_policy(preset)

    assert sum(tensor.numel() for tensor in policy.parameters()) == parameters


def test_every_preset_is_a_valid_plan_of_this_world() -> None:
    for name in preset_names("morphogenesis"):
        settings = controller_settings(name)
        plan = plan_training(settings)

        config = MorphogenesisConfig.model_validate(settings.config)
        assert plan.settings.ppo.rollout_steps == config.episode_epochs
        assert settings.ppo.gamma == 0.995
        assert settings.execution.env_shards(settings.copies) == 1


def test_relevance_placeholders_and_weights_are_those_of_the_tables() -> None:
    plan = controller_policy().heads.plan

    assert plan.order[:2] == (OP, HEAD_NAMES.index("slot"))
    for place, head in enumerate(plan.heads):
        table = head.relevance.table if head.relevance is not None else (True,) * len(LifecycleOp)
        assert table == tuple(row[place] for row in CAUSAL_RELEVANCE)
        assert head.placeholder == PLACEHOLDERS[place]
    assert plan.exploration(0) == EXPLORATION
    planned = controller_settings().steps
    assert plan.exploration(round(0.6 * planned)) == pytest.approx([0.25 * share for share in EXPLORATION])
    assert plan.exploration(planned) == pytest.approx([0.25 * share for share in EXPLORATION])
    weights = dict(zip(HEAD_NAMES, plan.entropy_weights, strict=True))
    assert weights == {
        "op": 1.0,
        "slot": 1.0,
        "blueprint": 1.3,
        "style": 1.2,
        "tempo": 1.3,
        "alpha_target": 1.2,
        "alpha_speed": 1.2,
        "alpha_curve": 1.2,
    }


def test_the_first_weights_are_orthogonal_and_small_where_they_decide() -> None:
    policy = controller_policy()
    weights = dict(policy.named_parameters())

    for name, gain in (("heads.towers.7.2", 0.01), ("value_head", 0.1), ("auxiliary.contribution.layers.5", 0.1)):
        rows = weights[f"{name}.weight"]
        assert torch.allclose(rows @ rows.T, gain**2 * torch.eye(len(rows)), atol=1e-6)
    for name in ("from_input", "from_hidden"):
        for block in weights[f"memory.layers.0.{name}.weight"].chunk(4):
            assert torch.allclose(block @ block.T, torch.eye(len(block)), atol=1e-5)
    bias = weights["memory.layers.0.from_input.bias"].detach().chunk(4)
    assert [float(part.sum()) for part in bias] == [0.0, 128.0, 0.0, 0.0]
    assert not weights["memory.layers.0.from_hidden.bias"].any()


def masks_of(rows: int, seed: int = 2) -> tuple[torch.Tensor, Extras]:
    """Return masks with a valid option in every head, and the slots of every op; GERMINATE is open in slot 1 alone."""
    generator = torch.Generator().manual_seed(seed)
    masks = (torch.rand(rows, sum(SIZES), generator=generator) < 0.6).to(torch.uint8)
    start = 0
    for size in SIZES:
        masks[:, start] = 1
        start += size
    by_op = (torch.rand(rows, len(LifecycleOp), SLOTS, generator=generator) < 0.5).to(torch.uint8)
    by_op[:, :, 2] = 1
    by_op[:, LifecycleOp.GERMINATE] = torch.tensor([0, 1, 0], dtype=torch.uint8)
    return masks, {"slot_by_op": by_op.flatten(1)}


def features_of(policy: Policy, rows: int) -> torch.Tensor:
    obs, obs_u8 = rows_of(rows)
    starts = torch.ones(1, rows, dtype=torch.uint8)
    features, _ = policy.features(obs, obs_u8, torch.zeros(rows, policy.memory_width), starts)
    return features.actor


@torch.no_grad()
def test_given_draws_decide_by_cumulative_probability_one_head_after_another() -> None:
    rows = 64
    policy = controller_policy()
    for head in range(len(HEAD_NAMES)):
        sharpen(policy, head)
    features = features_of(policy, rows)
    masks, extras = masks_of(rows)
    fractions = torch.rand(rows, len(HEAD_NAMES), generator=torch.Generator().manual_seed(9), dtype=torch.float64)
    drawn = draw(policy, features, masks, extras, fractions)

    wanted_actions, wanted_logs = slow_draw(policy, features, masks, extras, fractions.numpy())

    assert drawn[0].tolist() == wanted_actions.tolist()
    assert np.allclose(drawn[1].numpy(), wanted_logs, atol=1e-5)
    again = draw(policy, features, masks, extras, fractions)
    assert torch.equal(drawn[0], again[0])
    assert torch.equal(drawn[1], again[1])


def tower(policy: Policy, head: int) -> nn.Sequential:
    assert isinstance(policy.heads, StepwiseHeads)
    found = policy.heads.towers[head]
    assert isinstance(found, nn.Sequential)
    return found


def sharpen(policy: Policy, head: int) -> None:
    """Make the options of a head differ: a fresh policy hardly prefers any."""
    last = tower(policy, head)[-1]
    assert isinstance(last, nn.Linear)
    last.weight.mul_(200.0)


def draw(
    policy: Policy, features: torch.Tensor, masks: torch.Tensor, extras: Extras, fractions: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    actions = torch.zeros(len(features), len(HEAD_NAMES), dtype=torch.int32)
    log_probs = torch.zeros(len(features), len(HEAD_NAMES))
    drawing = ActionSampling(exploration=EXPLORATION, key=None, uniforms=fractions)
    policy.heads.sample(features, masks, extras, drawing, actions=actions, log_probs=log_probs)
    return actions, log_probs


def slow_draw(
    policy: Policy, features: torch.Tensor, masks: torch.Tensor, extras: Extras, fractions: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Do the same by the formulas, row by row."""
    starts = np.cumsum([0, *SIZES])
    actions, logs = np.zeros((len(features), 8), np.int64), np.zeros((len(features), 8))
    for row in range(len(features)):
        for head in (OP, *range(OP)):
            inputs = [features[row]]
            inputs += [one_hot(actions[row, OP], 6)] if head != OP else []
            inputs += [one_hot(actions[row, 0], SLOTS)] if head not in (OP, 0) else []
            logits = tower(policy, head)(torch.cat(inputs)[None])[0].double().numpy()
            mask = masks[row, starts[head] : starts[head + 1]].numpy() != 0
            if head == 0:
                mask = extras["slot_by_op"][row].view(6, SLOTS)[actions[row, OP]].numpy() != 0
            soft = np.where(mask, np.exp(logits - logits[mask].max()), 0.0)
            p = (1 - EXPLORATION[head]) * soft / soft.sum() + EXPLORATION[head] * mask / mask.sum()
            chosen = int(np.searchsorted(np.cumsum(p), fractions[row, head], side="right"))
            is_relevant = CAUSAL_RELEVANCE[actions[row, OP] if head != OP else chosen][head]
            actions[row, head] = chosen if is_relevant else PLACEHOLDERS[head]
            logs[row, head] = np.log(p[chosen]) if is_relevant else 0.0
    return actions, logs


def one_hot(place: int, size: int) -> torch.Tensor:
    return torch.eye(size)[int(place)]


@torch.no_grad()
def test_options_come_as_often_as_they_are_likely_and_masked_ones_never() -> None:
    rows = 100_000
    policy = controller_policy()
    sharpen(policy, OP)
    logits = tower(policy, OP)(features_of(policy, 1))
    mask = torch.tensor([[1, 1, 0, 1, 0, 1]], dtype=torch.uint8)
    layout = policy.heads.plan.layout.only(OP)
    drawing = ActionSampling(exploration=(0.12,), key=DrawKey(seed=4, update=0, step=0))
    actions, log_probs = torch.zeros(rows, 1, dtype=torch.int32), torch.zeros(rows, 1)

    sample_actions(logits.repeat(rows, 1), mask.repeat(rows, 1), layout, drawing, actions=actions, log_probs=log_probs)

    shares = torch.bincount(actions[:, 0].long(), minlength=6) / rows
    soft = torch.softmax(logits[0].masked_fill(mask[0] == 0, -1e4), dim=0)
    likely = 0.88 * soft + 0.12 * mask[0] / 4
    assert torch.allclose(shares, likely, atol=0.01)
    assert not shares[mask[0] == 0].any()
    assert torch.allclose(log_probs[:, 0], likely.log()[actions[:, 0].long()], atol=1e-5)


@torch.no_grad()
def test_a_sequence_gives_the_log_probabilities_and_values_of_its_single_steps() -> None:
    steps, rows = 12, 5
    policy = controller_policy()
    obs, obs_u8 = rows_of(steps * rows)
    starts = torch.zeros(steps, rows, dtype=torch.uint8)
    starts[0] = 1
    starts[5, 2] = starts[6, 2] = 1
    masks, extras = masks_of(steps * rows)
    memory = torch.randn(rows, policy.memory_width)
    actions = torch.zeros(steps * rows, 8, dtype=torch.int32)
    log_probs, values = torch.zeros(steps * rows, 8), torch.zeros(steps * rows)
    after = memory
    for step in range(steps):
        part = slice(step * rows, (step + 1) * rows)
        features, after = policy.features(obs[part], obs_u8[part], after, starts[step : step + 1])
        drawing = ActionSampling(exploration=EXPLORATION, key=None, uniforms=torch.rand(rows, 8, dtype=torch.float64))
        own = {"slot_by_op": extras["slot_by_op"][part]}
        policy.heads.sample(features.actor, masks[part], own, drawing, actions=actions[part], log_probs=log_probs[part])
        values[part] = policy.values(features)

    features, last = policy.features(obs, obs_u8, memory, starts)
    scores = policy.heads.score(features.actor, masks, extras, actions, EXPLORATION)

    assert torch.allclose(scores.log_probs, log_probs, atol=1e-5)
    assert torch.allclose(policy.values(features), values, atol=1e-5)
    assert torch.allclose(last, after, atol=1e-5)
    assert (scores.log_probs - log_probs).exp().sub(1.0).abs().max() < 1e-4


def test_only_heads_that_mattered_and_had_a_choice_get_a_gradient() -> None:
    rows = 6
    policy = controller_policy()
    masks, extras = masks_of(rows)
    actions = torch.tensor([PLACEHOLDERS] * rows, dtype=torch.int32)
    actions[:, OP] = LifecycleOp.ADVANCE
    actions[:, 0] = 2
    scores = policy.heads.score(features_of(policy, rows), masks, extras, actions, EXPLORATION)

    scores.log_probs.sum().add(scores.entropies.sum()).backward()

    touched = {
        name
        for place, name in enumerate(HEAD_NAMES)
        if any(tensor.grad is not None and bool(tensor.grad.any()) for tensor in tower(policy, place).parameters())
    }
    assert touched == {"op", "slot"}


def test_raw_values_do_not_jump_when_their_unit_changes() -> None:
    policy = controller_policy()
    obs, obs_u8 = rows_of(40)
    starts = torch.ones(1, 40, dtype=torch.uint8)
    features, _ = policy.features(obs, obs_u8, torch.zeros(40, policy.memory_width), starts)
    before = policy.values(features)

    policy.value_scale.update(torch.randn(40) * 25.0, torch.ones(40), policy.value_head)

    assert float(policy.value_scale.unit) > 10.0
    assert torch.allclose(policy.values(features), before, atol=1e-5)
