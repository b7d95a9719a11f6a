"""Compiled policies agree with torch."""

import pytest
import torch

from diorama.contracts.spec import Dtype, ObservationField
from diorama.learn.actors import Actor, TorchActor
from diorama.learn.buffer import DecisionViews, StepViews
from diorama.learn.experience import PolicyInputs
from diorama.learn.keyed_random import DrawKey
from diorama.learn.loss import LossTerms
from diorama.learn.native import NativeActor, NativeLearner, NativeNetwork, why_torch, why_torch_learns
from diorama.learn.optimizer import FlatParameters
from diorama.learn.policies.distributions import ActionSampling, Scores
from diorama.learn.policies.policy import Policy, build_policy
from diorama.learn.settings import TrainerSettings
from tests.learn.toys import head, toy_spec

FLOATS, BYTES, OPTIONS = 21, 5, 12
SPEC = toy_spec(
    (
        ObservationField(name="floats", start=0, shape=(5,), meaning="numbers"),
        ObservationField(name="rocks", start=5, shape=(3, 4), meaning="a table"),
        ObservationField(name="heading", start=17, meaning="a number"),
        ObservationField(name="ways", start=18, shape=(1, 2), meaning="a table of one entity"),
        ObservationField(name="speed", start=20, meaning="a number"),
        ObservationField(
            name="bytes", start=0, shape=(BYTES,), dtype=Dtype.UINT8, low=0.0, high=9.0, meaning="small numbers"
        ),
    ),
    (head("first", 7), head("second", 5)),
    has_mask=True,
)
EXPLORATION = (0.0, 0.2)
POLICIES = [
    pytest.param({"arch": "mlp-24-tanh-v1"}, id="one-layer"),
    pytest.param({"arch": "mlp-19x33-gelu-v1"}, id="odd-widths"),
    pytest.param({"arch": "mlp-16x16-silu-separate-v1", "critic_hidden": [9]}, id="separate-critic"),
    pytest.param({"arch": "mlp-40-relu-v1", "critic_hidden": [8, 6]}, id="hidden-critic"),
    pytest.param({"arch": "mingru-20-v1"}, id="memory"),
    pytest.param({"arch": "mlp-24x20-relu-mingru-v1"}, id="layers-and-memory"),
    pytest.param(
        {"arch": "mingru-20-v1", "value_components": {"ore": 0.5, "credits": 1.0, "terminal": 4.0}}, id="components"
    ),
    pytest.param(
        {
            "arch": "mlp-24x20-relu-mingru-v1",
            "entities": {"ways": {"width": 18}, "rocks": {"options": "first", "width": 9}},
        },
        id="entities",
    ),
    pytest.param(
        {"arch": "mlp-24-tanh-v1", "entities": {"rocks": {"options": "second"}, "ways": {"options": "first"}}},
        id="entities-without-memory",
    ),
]


def settings_of(policy: dict[str, object]) -> TrainerSettings:
    return TrainerSettings.model_validate(
        {
            "policy": policy,
            "normalization": {"observations": True, "observation_passthrough": ["rocks", "ways"], "values": True},
            "execution": {"threads": 1},
        }
    )


def policy_of(settings: TrainerSettings) -> Policy:
    policy = build_policy(SPEC, settings, seed=3)
    generator = torch.Generator().manual_seed(4)
    with torch.no_grad():
        for parameter in policy.parameters():
            parameter.add_(0.3 * torch.randn(parameter.shape, generator=generator))
        policy.value_scale.unit.fill_(2.5)
    assert policy.normalizer is not None
    policy.normalizer.update(torch.randn(64, FLOATS, generator=generator) * 3 + 1, torch.ones(64))
    return policy


def observations(rows: int, generator: torch.Generator) -> torch.Tensor:
    """Return rows in which some entities are missing, and sometimes all of a table."""
    obs = torch.randn(rows, FLOATS, generator=generator) * 2
    for start, width in ((5, 4), (9, 4), (13, 4), (18, 2)):
        obs[:, start : start + width] *= torch.rand(rows, 1, generator=generator) < 0.6
    return obs


def views_of(policy: Policy, rows: int) -> tuple[StepViews, DecisionViews, torch.Tensor]:
    generator = torch.Generator().manual_seed(5)
    masks = (torch.rand(rows, OPTIONS, generator=generator) < 0.7).to(torch.uint8)
    masks[:, 0] = 1  # some rows still have no valid option of the second head
    step = StepViews(
        obs=observations(rows, generator),
        obs_u8=torch.randint(0, 10, (rows, BYTES), generator=generator, dtype=torch.uint8),
        starts=(torch.rand(1, rows, generator=generator) < 0.3).to(torch.uint8),
        masks=masks,
        extras={},
        values=torch.zeros(rows, *policy.value_shape),
    )
    actions = torch.zeros(rows, 2, dtype=torch.int32)
    memory = torch.randn(rows, policy.memory_width, generator=generator)
    return step, DecisionViews(actions, torch.zeros(rows, 2), actions, actions.numpy()), memory


@torch.inference_mode()
def act(actor: Actor, policy: Policy, rows: int) -> tuple[torch.Tensor, list[torch.Tensor]]:
    step, out, memory = views_of(policy, rows)
    key = DrawKey(seed=1, update=2, step=3, row=40)
    actor.act(step, step.masks, memory, ActionSampling(exploration=EXPLORATION, key=key), out)
    value = actor.values(step.obs, step.obs_u8, memory, step.starts)
    return out.actions, [out.log_probs, step.values, memory, value]


@pytest.mark.parametrize("policy_settings", POLICIES)
def test_actions_are_those_of_torch(policy_settings: dict[str, object]) -> None:
    settings = settings_of(policy_settings)
    policy = policy_of(settings)
    network = NativeNetwork(policy)
    network.load(for_learning=False)

    actions, numbers = act(TorchActor(policy), policy, 500)
    own_actions, own_numbers = act(NativeActor(policy, network), policy, 500)

    assert why_torch(policy, settings) is None
    # A rounding error can change the choice where a draw is at the border between two options.
    agreed = (actions == own_actions).all(dim=1)
    assert agreed.float().mean() > 0.995
    for expected, found in zip(numbers, own_numbers, strict=True):
        torch.testing.assert_close(found[agreed], expected[agreed], rtol=2e-5, atol=2e-5)


def toy_loss(scores: Scores, values: torch.Tensor, _logits: torch.Tensor) -> tuple[torch.Tensor, LossTerms]:
    weights = torch.linspace(-1.0, 1.0, len(values))
    policy = (weights[:, None] * scores.log_probs).mean()
    value = (values - weights.view(-1, *[1] * (values.dim() - 1))).square().mean()
    entropy = scores.entropies.mean()
    total = policy + value - 0.1 * entropy
    return total, LossTerms(total, policy, value, entropy, policy, policy)


def inputs_of(policy: Policy, sequences: int, length: int) -> PolicyInputs:
    step, out, _ = views_of(policy, sequences * length)
    out.actions[:, 0] = torch.arange(sequences * length) % 7
    memory = torch.linspace(-1.0, 1.0, sequences * policy.memory_width).view(sequences, policy.memory_width)
    return PolicyInputs(
        obs=step.obs,
        obs_u8=step.obs_u8,
        masks=step.masks,
        extras={},
        actions=out.actions,
        memory=memory,
        starts=step.starts.view(-1),
        length=length,
        rows=sequences,
    )


@pytest.mark.parametrize("policy_settings", POLICIES)
def test_gradients_are_those_of_autograd(policy_settings: dict[str, object]) -> None:
    policy = policy_of(settings_of(policy_settings))
    parameters = FlatParameters(policy)
    learner = NativeLearner(policy, parameters, NativeNetwork(policy))
    learner.load_weights()
    inputs = inputs_of(policy, sequences=103, length=4 if policy.memory_width else 1)
    features, _ = policy.features(inputs.obs, inputs.obs_u8, inputs.memory, inputs.starts.view(inputs.length, -1))
    scores = policy.heads.score(features.actor, inputs.masks, inputs.extras, inputs.actions, EXPLORATION)
    logits = policy.heads.logits(features.actor, inputs.actions)
    total, terms = toy_loss(scores, policy.value_outputs(features), logits)
    expected = parameters.flatten(torch.autograd.grad(total, parameters.tensors, allow_unused=True))

    found, own_terms = learner.gradient(inputs, EXPLORATION, toy_loss)

    torch.testing.assert_close(own_terms.total, terms.total, rtol=1e-5, atol=1e-6)
    # Rounding errors of a sum are those of its largest terms.
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=2e-8 * max(100.0, float(expected.abs().max())))


def test_load_copies_the_current_weights() -> None:
    policy = policy_of(settings_of({"arch": "mlp-24-tanh-v1"}))
    network = NativeNetwork(policy)
    network.load(for_learning=False)
    actor = NativeActor(policy, network)
    _, before = act(actor, policy, 9)

    with torch.no_grad():
        policy.value_head.bias.add_(1.0)
    network.load(for_learning=False)
    _, after = act(actor, policy, 9)

    torch.testing.assert_close(after[1], before[1] + policy.value_scale.unit, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("policy_settings", "execution", "reason"),
    [
        pytest.param({"arch": "mlp-8-tanh-v1"}, {"native": False}, "execution.native is off", id="switched-off"),
        pytest.param(
            {"arch": "lstm-8-v1"}, {}, "layers of other kinds than mlp-... and mingru-...", id="another-memory"
        ),
        pytest.param(
            {"arch": "mlp-8-tanh-v1", "critic_hidden": [8], "critic_normalized_layers": 1}, {}, "normalized", id="norm"
        ),
        pytest.param(
            {"arch": "mlp-8-tanh-v1", "heads": {"second": {"inputs": ["first"]}}},
            {},
            "heads wait for one another",
            id="heads",
        ),
    ],
)
def test_unsupported_policies_run_with_torch(
    policy_settings: dict[str, object], execution: dict[str, object], reason: str
) -> None:
    settings = TrainerSettings.model_validate({"policy": policy_settings, "execution": execution})

    found = why_torch(build_policy(SPEC, settings, seed=1), settings)

    assert found is not None
    assert reason in found


def test_a_policy_with_auxiliary_heads_acts_in_compiled_code_and_learns_with_torch() -> None:
    auxiliary = {"contents": {"target": "fullness", "width": 2, "hidden": (16,), "clip": 1.0, "coefficient": 1.0}}
    settings = settings_of({"arch": "mlp-16-tanh-v1", "auxiliary": auxiliary})
    policy = build_policy(SPEC, settings, seed=1)

    assert why_torch(policy, settings) is None
    assert why_torch_learns(policy, settings) == "auxiliary heads learn there"
