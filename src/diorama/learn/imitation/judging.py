"""How well a clone agrees with its teacher, and when it is refused."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch

from diorama.contracts.spec import WorldSpec
from diorama.learn.errors import CloneRefused
from diorama.learn.imitation.demonstrations import Demonstrations
from diorama.learn.policies.distributions import Drawing
from diorama.learn.policies.policy import Policy
from diorama.learn.settings.imitation import GateSettings


@dataclass(frozen=True, slots=True)
class Answers:
    """What a policy would do and expects, one entry per demonstrated decision; actions are decisions × heads."""

    actions: torch.Tensor
    values: torch.Tensor


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How a policy compares with who showed it.

    Attributes:
        decisions: How many left a choice.
        accuracy: Share of them in which the likeliest options are the demonstrated ones.
        frames: How often every option was demonstrated where there was a choice; of all heads, in order, with the
            name of the head before it where there are several.
        recalls: Share of those in which it is the likeliest; 0 where it was never demonstrated.
        value_error: Mean squared error of the values over the variance of the known returns; 0 where none is known.
    """

    decisions: int
    accuracy: float
    frames: Mapping[str, int]
    recalls: Mapping[str, float]
    value_error: float


@torch.no_grad()
def answers_of(policy: Policy, shown: Demonstrations, shard_sequences: int) -> Answers:
    """Let a policy look at demonstrations, so many sequences at a time, and take its likeliest options."""
    device, total = shown.returns.device, len(shown.returns)
    certain = Drawing(exploration=(0.0,) * len(policy.heads.plan.heads), key=None)
    answers = Answers(torch.empty_like(shown.inputs.actions), torch.empty(total, device=device))
    every = torch.arange(total, device=device)
    for portion in shown.inputs.in_order(shard_sequences):
        inputs, places = shown.inputs.of(portion), portion.of_decisions(every)
        features, _ = policy.features(inputs.obs, inputs.obs_u8, inputs.memory, inputs.starts.view(inputs.length, -1))
        chosen, log_probs = torch.empty_like(inputs.actions), torch.empty(inputs.actions.shape, device=device)
        policy.heads.choose(features.actor, inputs.masks, inputs.extras, certain, actions=chosen, log_probs=log_probs)
        answers.actions[places], answers.values[places] = chosen, policy.values(features)
    return answers


def accuracy_of(answers: Answers, shown: Demonstrations) -> float:
    """Return the share of imitable decisions whose likeliest options are the demonstrated ones."""
    counted = shown.head_weights.amax(dim=1)
    agrees = ((answers.actions == shown.inputs.actions) | (shown.head_weights == 0)).all(dim=1)
    return float((agrees * counted).sum() / counted.sum().clamp(min=1.0))


def compare(policy: Policy, shown: Demonstrations, spec: WorldSpec, shard_sequences: int) -> Agreement:
    """Return how a policy compares with demonstrations."""
    answers = answers_of(policy, shown, shard_sequences)
    frames: dict[str, int] = {}
    recalls: dict[str, float] = {}
    for head, column in enumerate(spec.heads):
        counted = shown.head_weights[:, head] != 0
        shown_options, own_options = shown.inputs.actions[counted, head], answers.actions[counted, head]
        for option, called in enumerate(column.options):
            name = called if len(spec.heads) == 1 else f"{column.name}.{called}"
            is_shown = shown_options == option
            frames[name] = int(is_shown.sum())
            recalls[name] = float((own_options[is_shown] == option).float().mean()) if frames[name] else 0.0
    return Agreement(
        decisions=int(shown.head_weights.amax(dim=1).sum()),
        accuracy=accuracy_of(answers, shown),
        frames=frames,
        recalls=recalls,
        value_error=_value_error(answers.values, shown),
    )


def shortcomings(agreement: Agreement, gate: GateSettings) -> list[str]:
    """Return one line for everything that keeps a clone from passing; empty for one that passes."""
    problems = []
    if agreement.accuracy < gate.accuracy:
        problems.append(f"accuracy is {agreement.accuracy:.3f}; at least {gate.accuracy:g} is asked for")
    problems += [
        f"recall of {option} is {agreement.recalls[option]:.3f} over {frames} decisions; "
        f"at least {gate.recall:g} is asked for"
        for option, frames in agreement.frames.items()
        if frames >= gate.recall_decisions and agreement.recalls[option] < gate.recall
    ]
    if agreement.value_error > gate.value_error:
        problems.append(
            f"the error of the values is {agreement.value_error:.3f} of their variance; "
            f"at most {gate.value_error:g} is asked for"
        )
    return problems


def refuse_poor_clone(agreement: Agreement, gate: GateSettings) -> None:
    """Refuse a clone that does not pass.

    Raises:
        CloneRefused: With everything it falls short of.
    """
    if problems := shortcomings(agreement, gate):
        raise CloneRefused(f"the clone does not pass its gate: {'; '.join(problems)}")


def _value_error(values: torch.Tensor, shown: Demonstrations) -> float:
    known = shown.value_weights != 0
    returns = shown.returns[known].double()
    if len(returns) < 2:
        return 0.0
    error = (values[known].double() - returns).square().mean()
    return float(error / returns.var(correction=0).clamp(min=1e-12))
