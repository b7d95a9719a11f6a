"""Validation of a clone: its agreement with held-out demonstrations, and the gate it must pass."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch

from diorama.contracts.spec import WorldSpec
from diorama.learn.errors import CloneRefused
from diorama.learn.imitation.demonstrations import Demonstrations
from diorama.learn.policies.distributions import ActionSampling
from diorama.learn.policies.policy import Policy
from diorama.learn.settings.imitation import GateSettings


@dataclass(frozen=True, slots=True)
class Predictions:
    """A policy's most likely actions (decisions × heads) and its values, for each demonstrated decision."""

    actions: torch.Tensor
    values: torch.Tensor


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Agreement of a policy with demonstrations.

    Attributes:
        decisions: Number of decisions that left a choice.
        accuracy: Share of them in which the policy's most likely options are the expert's.
        frames: Number of demonstrations of each option, over decisions that left a choice; an option is called
            `head.option` if the world has several heads.
        recalls: Share of those demonstrations in which the option is the policy's most likely one; 0 without any.
        value_error: Mean squared error of the values over the variance of the known returns; 0 without known returns.
    """

    decisions: int
    accuracy: float
    frames: Mapping[str, int]
    recalls: Mapping[str, float]
    value_error: float


@torch.no_grad()
def predict(policy: Policy, demonstrations: Demonstrations, shard_sequences: int) -> Predictions:
    """Return a policy's predictions for demonstrations, computed in shards of so many sequences."""
    device, total = demonstrations.returns.device, len(demonstrations.returns)
    greedy = ActionSampling(exploration=(0.0,) * len(policy.heads.plan.heads), key=None)
    predictions = Predictions(torch.empty_like(demonstrations.inputs.actions), torch.empty(total, device=device))
    every = torch.arange(total, device=device)
    for chunk in demonstrations.inputs.chunks(shard_sequences):
        inputs, indices = demonstrations.inputs.select(chunk), chunk.select_decisions(every)
        features, _ = policy.features(inputs.obs, inputs.obs_u8, inputs.memory, inputs.starts.view(inputs.length, -1))
        chosen, log_probs = torch.empty_like(inputs.actions), torch.empty(inputs.actions.shape, device=device)
        policy.heads.sample(features.actor, inputs.masks, inputs.extras, greedy, actions=chosen, log_probs=log_probs)
        predictions.actions[indices], predictions.values[indices] = chosen, policy.values(features)
    return predictions


def accuracy(predictions: Predictions, demonstrations: Demonstrations) -> float:
    """Return the share of decisions with a choice in which the predicted actions are the expert's."""
    counted = demonstrations.head_weights.amax(dim=1)
    agrees = ((predictions.actions == demonstrations.inputs.actions) | (demonstrations.head_weights == 0)).all(dim=1)
    return float((agrees * counted).sum() / counted.sum().clamp(min=1.0))


def evaluate_clone(policy: Policy, demonstrations: Demonstrations, spec: WorldSpec, shard_sequences: int) -> Agreement:
    """Return the agreement of a policy with demonstrations."""
    predictions = predict(policy, demonstrations, shard_sequences)
    frames: dict[str, int] = {}
    recalls: dict[str, float] = {}
    for head, column in enumerate(spec.heads):
        counted = demonstrations.head_weights[:, head] != 0
        expert_options, own_options = demonstrations.inputs.actions[counted, head], predictions.actions[counted, head]
        for option, label in enumerate(column.options):
            name = label if len(spec.heads) == 1 else f"{column.name}.{label}"
            is_demonstrated = expert_options == option
            frames[name] = int(is_demonstrated.sum())
            recalls[name] = float((own_options[is_demonstrated] == option).float().mean()) if frames[name] else 0.0
    return Agreement(
        decisions=int(demonstrations.head_weights.amax(dim=1).sum()),
        accuracy=accuracy(predictions, demonstrations),
        frames=frames,
        recalls=recalls,
        value_error=_value_error(predictions.values, demonstrations),
    )


def shortcomings(agreement: Agreement, gate: GateSettings) -> list[str]:
    """Return one line for each requirement of the gate that a clone misses."""
    problems = []
    if agreement.accuracy < gate.accuracy:
        problems.append(f"accuracy is {agreement.accuracy:.3f}; at least {gate.accuracy:g} is required")
    problems += [
        f"recall of {option} is {agreement.recalls[option]:.3f} over {frames} decisions; "
        f"at least {gate.recall:g} is required"
        for option, frames in agreement.frames.items()
        if frames >= gate.recall_decisions and agreement.recalls[option] < gate.recall
    ]
    if agreement.value_error > gate.value_error:
        problems.append(
            f"the squared error of the values is {agreement.value_error:.3f} of the variance of the returns; "
            f"at most {gate.value_error:g} is required"
        )
    return problems


def check_gate(agreement: Agreement, gate: GateSettings) -> None:
    """Check that a clone passes its gate.

    Raises:
        CloneRefused: Lists the requirements that it misses.
    """
    if problems := shortcomings(agreement, gate):
        raise CloneRefused(
            f"the clone does not pass its gate: {'; '.join(problems)}",
            code="clone_misses_gate",
            shortcomings=tuple(problems),
        )


def _value_error(values: torch.Tensor, demonstrations: Demonstrations) -> float:
    known = demonstrations.value_weights != 0
    returns = demonstrations.returns[known].double()
    if len(returns) < 2:
        return 0.0
    error = (values[known].double() - returns).square().mean()
    return float(error / returns.var(correction=0).clamp(min=1e-12))
