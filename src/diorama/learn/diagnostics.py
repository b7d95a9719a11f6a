"""Detailed diagnostics of an update, from one more forward pass over its experience."""

import math
from dataclasses import dataclass
from typing import Final

import torch

from diorama.contracts.updates import HeadUpdate, MemoryUpdate, Spread, UpdateDetails
from diorama.learn.buffer import RolloutBuffer
from diorama.learn.experience import Experience
from diorama.learn.gae import discounted
from diorama.learn.loss import auxiliary_loss
from diorama.learn.optimizer import FlatParameters
from diorama.learn.policies.policy import Policy
from diorama.learn.policies.recurrent import Lstm, ResidualLstm
from diorama.learn.ppo import PpoUpdate, UpdateContext
from diorama.learn.settings import TrainerSettings, value_at
from diorama.learn.statistics import UpdateStatistics

_LARGEST_LOG_RATIO: Final = 20.0
_LARGEST_JOINT_LOG_RATIO: Final = 30.0
_LEAST_VARIANCE: Final = 1e-6


@dataclass(frozen=True, slots=True)
class _Evaluation:
    """The experience under the updated policy, flat and time-major."""

    log_ratios: torch.Tensor
    log_probs: torch.Tensor
    entropies: torch.Tensor
    memory: torch.Tensor
    auxiliary: float


@torch.no_grad()
def diagnose(
    policy: Policy,
    ppo: PpoUpdate,
    experience: Experience,
    rollout: RolloutBuffer,
    context: UpdateContext,
    statistics: UpdateStatistics,
    settings: TrainerSettings,
    *,
    env_steps: int,
    seconds: float,
) -> UpdateDetails:
    """Return the details of the last update, which learned from this experience."""
    targets = experience.targets
    evaluation = _evaluate(policy, experience, context, settings)
    free, weights = targets.policy_weights > 0, targets.head_weights * (targets.policy_weights > 0)[:, None]
    active = weights > 0
    ratios = evaluation.log_ratios.clamp(-_LARGEST_LOG_RATIO, _LARGEST_LOG_RATIO).exp()
    over, under = ratios > 1.0 + settings.ppo.clip_coef, ratios < 1.0 - settings.ppo.clip_coef
    count = active.sum().clamp(min=1)
    returns, values = targets.returns[targets.value_weights > 0], targets.values[targets.value_weights > 0]
    layers = _layer_norms(policy, ppo.parameters, ppo.gradient)
    coefficient = value_at(settings.ppo.ent_coef, context.env_steps)
    clipped = float(torch.linalg.vector_norm(ppo.gradient))
    joint = (evaluation.log_ratios * active).sum(dim=1)[free].clamp(-_LARGEST_JOINT_LOG_RATIO, _LARGEST_JOINT_LOG_RATIO)
    outcomes = experience.outcomes
    return UpdateDetails(
        update=context.update,
        env_steps_total=env_steps,
        loss_policy=statistics.loss_policy,
        loss_value=statistics.loss_value,
        loss_auxiliary=evaluation.auxiliary,
        entropy=_mean_where(evaluation.entropies, active) or 0.0,
        entropy_coefficient=coefficient,
        entropy_bonus=coefficient * statistics.entropy,
        learning_rate=value_at(settings.optimizer.learning_rate, context.env_steps),
        grad_norm=statistics.grad_norm,
        clipped_grad_norm=clipped,
        value_grad_norm=_norm_of(layers, ("value_head", "value_layers")),
        approx_kl=statistics.approx_kl,
        clip_share=float((over | under)[active].sum() / count),
        clipped_up=float(over[active].sum() / count),
        clipped_down=float(under[active].sum() / count),
        explained_variance=_explained_variance(returns, values),
        value_correlation=_correlation(returns, values),
        value_unit=float(policy.value_scale.unit),
        td_error=spread_of(_td_errors(experience, settings)),
        values=spread_of(values),
        returns=spread_of(returns),
        advantages=spread_of(targets.advantages[free] if bool(free.any()) else targets.advantages),
        advantage_std_floor=settings.ppo.advantage_std_floor,
        ratios=spread_of(ratios[active]) if bool(active.any()) else None,
        joint_ratio_max=float(joint.max().exp()) if len(joint) else None,
        log_prob_min=float(evaluation.log_probs[active].min()) if bool(active.any()) else None,
        log_prob_max=float(evaluation.log_probs[active].max()) if bool(active.any()) else None,
        heads=_heads(policy, layers, evaluation, active, ratios, over | under, free),
        layers=layers,
        memory=_memories(policy, rollout.memory),
        learned_memory=_memories(policy, evaluation.memory),
        forced_share=1.0 - float(free.float().mean()),
        free_decisions=int(free.sum()),
        failures=int((outcomes.terminated != 0).sum()),
        epochs_done=statistics.epochs_done,
        epochs_asked=settings.ppo.update_epochs,
        skipped_passes=statistics.skipped_minibatches,
        seconds=seconds,
    )


def spread_of(samples: torch.Tensor) -> Spread:
    """Return the distribution of at least one number."""
    wide = samples.double().flatten().cpu()
    mean, std = wide.mean(), wide.std(correction=0)
    standard = (wide - mean) / std if float(std) > 0.0 else torch.zeros_like(wide)
    p10, p50, p90 = torch.quantile(wide, torch.tensor([0.1, 0.5, 0.9], dtype=torch.float64)).tolist()
    return Spread(
        mean=float(mean),
        std=float(std),
        low=float(wide.min()),
        high=float(wide.max()),
        skewness=float(standard.pow(3).mean()),
        kurtosis=float(standard.pow(4).mean()) - 3.0 if float(std) > 0.0 else 0.0,
        p10=p10,
        p50=p50,
        p90=p90,
        positive_share=float((wide > 0).double().mean()),
    )


def _evaluate(policy: Policy, experience: Experience, context: UpdateContext, settings: TrainerSettings) -> _Evaluation:
    targets, length = experience.targets, experience.inputs.length
    log_ratios, log_probs, entropies = (torch.empty_like(targets.log_probs) for _ in range(3))
    memories, auxiliary = [], 0.0
    decisions = torch.arange(len(targets.values), device=targets.values.device)
    subsets = experience.inputs.chunks(settings.execution.shard_sequences(length))
    for subset in subsets:
        inputs, indices = experience.inputs.select(subset), subset.select_decisions(decisions)
        features, memory = policy.features(
            inputs.obs, inputs.obs_u8, inputs.memory, inputs.starts.view(inputs.length, -1)
        )
        scores = policy.heads.score(features.actor, inputs.masks, inputs.extras, inputs.actions, context.exploration)
        log_ratios[indices] = scores.log_probs - targets.log_probs[indices]
        log_probs[indices] = scores.log_probs
        entropies[indices] = scores.entropies / scores.choices.clamp(min=2.0).log()
        memories.append(memory)
        if settings.policy.auxiliary:
            weight = torch.tensor(1.0 / len(subsets), device=indices.device)
            auxiliary += float(
                auxiliary_loss(
                    policy,
                    settings.policy.auxiliary,
                    features,
                    inputs.extras,
                    weight=weight,
                    env_steps=context.env_steps,
                )
            )
    return _Evaluation(log_ratios, log_probs, entropies, torch.cat(memories), auxiliary)


def _heads(
    policy: Policy,
    layers: dict[str, float],
    evaluation: _Evaluation,
    active: torch.Tensor,
    ratios: torch.Tensor,
    clipped: torch.Tensor,
    free: torch.Tensor,
) -> tuple[HeadUpdate, ...]:
    total = max(1, int(free.sum()))
    heads = []
    for index, name in enumerate(policy.heads.plan.layout.names):
        own = active[:, index]
        count = int(own.sum())
        heads.append(
            HeadUpdate(
                name=name,
                entropy=_mean_where(evaluation.entropies[:, index], own),
                learnable_share=count / total,
                grad_norm=_norm_of(layers, (f"heads.towers.{index}",)),
                ratio_max=float(ratios[own, index].max()) if count else None,
                clip_share=_mean_where(clipped[:, index].float(), own),
            )
        )
    return tuple(heads)


def _mean_where(samples: torch.Tensor, chosen: torch.Tensor) -> float | None:
    return float(samples[chosen].mean()) if bool(chosen.any()) else None


def _layer_norms(policy: Policy, parameters: FlatParameters, gradient: torch.Tensor) -> dict[str, float]:
    names = [name for name, _ in policy.named_parameters()]
    norms = torch.stack([torch.linalg.vector_norm(part) for part in parameters.split(gradient)]).tolist()
    return dict(zip(names, norms, strict=True))


def _norm_of(layers: dict[str, float], prefixes: tuple[str, ...]) -> float:
    squares = [norm * norm for name, norm in layers.items() if name.startswith(tuple(f"{b}." for b in prefixes))]
    return math.sqrt(sum(squares))


def _td_errors(experience: Experience, settings: TrainerSettings) -> torch.Tensor:
    outcomes = experience.outcomes
    next_values = torch.where(outcomes.truncated != 0, outcomes.bootstrap, outcomes.values[1:])
    next_values = next_values.masked_fill(outcomes.terminated != 0, 0.0)
    return outcomes.rewards + discounted(next_values, outcomes, settings.ppo.gamma) - outcomes.values[:-1]


def _explained_variance(returns: torch.Tensor, values: torch.Tensor) -> float | None:
    variance = float(returns.double().var(correction=0))
    if variance < _LEAST_VARIANCE:
        return None
    return 1.0 - float((returns - values).double().var(correction=0)) / variance


def _correlation(returns: torch.Tensor, values: torch.Tensor) -> float | None:
    x, y = returns.double() - returns.double().mean(), values.double() - values.double().mean()
    scale = float(x.norm() * y.norm())
    return float((x * y).sum()) / scale if scale > 0.0 else None


def _memories(policy: Policy, state: torch.Tensor) -> tuple[MemoryUpdate, ...]:
    if not policy.memory_width:
        return ()
    halves: tuple[torch.Tensor, ...] = (state,)
    if isinstance(policy.memory, Lstm | ResidualLstm):
        parts = state.chunk(policy.memory_width // policy.memory.width, dim=1)
        halves = (torch.cat(parts[0::2], dim=1), torch.cat(parts[1::2], dim=1))
    return tuple(_memory(half.double().cpu()) for half in halves)


def _memory(half: torch.Tensor) -> MemoryUpdate:
    by_row = half.square().mean(dim=1).sqrt()
    return MemoryUpdate(
        l2_total=float(half.norm()),
        rms=float(half.square().mean().sqrt()),
        row_rms_mean=float(by_row.mean()),
        row_rms_max=float(by_row.max()),
        largest=float(half.abs().max()),
        has_nan=bool(half.isnan().any()),
        has_inf=bool(half.isinf().any()),
    )
