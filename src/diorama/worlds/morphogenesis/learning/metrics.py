"""The payload of a policy update from what the trainer tells of it."""

from collections.abc import Mapping
from typing import Final

from diorama.contracts.updates import HeadUpdate, MemoryUpdate, UpdateDetails
from diorama.worlds.morphogenesis.contracts.payloads.policy import GradientState, PPOMetrics
from diorama.worlds.morphogenesis.engine.round_end import RoundEnd

DEAD_NORM: Final = 1e-8
EXPLODING_NORM: Final = 10.0
ENTROPY_FLOORS: Final[Mapping[str, float]] = {
    "op": 0.08,
    "slot": 0.10,
    "blueprint": 0.05,
    "style": 0.08,
    "tempo": 0.05,
    "alpha_target": 0.08,
    "alpha_speed": 0.08,
    "alpha_curve": 0.08,
}
"""Normalized entropies below which a head counts as collapsed."""


def ppo_metrics(details: UpdateDetails, ended: RoundEnd) -> PPOMetrics:
    """Return the payload of the update that a round was learned from with."""
    returns, advantages, ratios = details.returns, details.advantages, details.ratios
    memory = _memory("rollout_lstm", details.memory) | _memory("lstm", details.learned_memory)
    norms = tuple(details.layers.values())
    has_floor = advantages.std < details.advantage_std_floor
    is_skipped = details.epochs_done == details.skipped_passes
    stopped = details.epochs_done < details.epochs_asked
    plain = PPOMetrics(
        policy_loss=details.loss_policy,
        value_loss=details.loss_value,
        entropy=details.entropy,
        entropy_loss=-details.entropy_bonus,
        grad_norm=details.clipped_grad_norm,
        pre_clip_grad_norm=details.grad_norm,
        kl_divergence=details.approx_kl,
        clip_fraction=details.clip_share,
        clip_fraction_positive=details.clipped_up,
        clip_fraction_negative=details.clipped_down,
        lr=details.learning_rate,
        entropy_coef=details.entropy_coefficient,
        aux_loss=details.loss_auxiliary,
        explained_variance=details.explained_variance,
        value_nrmse=_nrmse(details),
        ev_low_return_variance=details.explained_variance is None,
        ev_return_variance=returns.std**2,
        ev_low_return_variance_count=int(details.explained_variance is None),
        v_return_correlation=details.value_correlation,
        td_error_mean=details.td_error.mean,
        td_error_std=details.td_error.std,
        bellman_error=(details.td_error.mean**2 + details.td_error.std**2) / details.value_unit**2,
        value_mean=details.values.mean,
        value_std=details.values.std,
        value_min=details.values.low,
        value_max=details.values.high,
        value_target_scale=details.value_unit,
        return_mean=returns.mean,
        return_std=returns.std,
        return_variance=returns.std**2,
        return_skewness=returns.skewness,
        return_p10=returns.p10,
        return_p50=returns.p50,
        return_p90=returns.p90,
        advantage_mean=0.0,
        advantage_std=advantages.std / max(advantages.std, details.advantage_std_floor),
        advantage_skewness=advantages.skewness,
        advantage_kurtosis=advantages.kurtosis,
        advantage_positive_ratio=advantages.positive_share,
        pre_norm_advantage_mean=advantages.mean,
        pre_norm_advantage_std=advantages.std,
        advantage_std_floored=has_floor,
        ratio_mean=None if ratios is None else ratios.mean,
        ratio_min=None if ratios is None else ratios.low,
        ratio_max=None if ratios is None else ratios.high,
        ratio_std=None if ratios is None else ratios.std,
        joint_ratio_max=details.joint_ratio_max,
        log_prob_min=details.log_prob_min,
        log_prob_max=details.log_prob_max,
        head_value_grad_norm=details.value_grad_norm,
        head_value_gradient_state="active" if details.value_grad_norm > DEAD_NORM else "absent",
        dead_layers=sum(norm < DEAD_NORM for norm in norms),
        exploding_layers=sum(norm > EXPLODING_NORM for norm in norms),
        layer_gradient_health={
            name: float(DEAD_NORM <= norm <= EXPLODING_NORM) for name, norm in details.layers.items()
        },
        gradient_cv=_variation(norms),
        entropy_collapsed=any(is_collapsed(head) for head in details.heads),
        update_skipped=is_skipped,
        skipped=is_skipped,
        forced_step_ratio=details.forced_share,
        usable_actor_timesteps=details.free_decisions,
        decision_density=1.0 - details.forced_share,
        rollback_count=details.failures,
        rollback_attempt_count=sum(episode.rollbacks for episode in ended.episodes),
        rollback_unattributed_count=sum(episode.unattributed_rollbacks for episode in ended.episodes),
        inner_epoch=ended.epochs,
        batch=details.update + 1,
        ppo_updates_count=details.update + 1,
        early_stop_epoch=details.epochs_done if stopped else None,
        update_time_ms=1000.0 * details.seconds,
        dataloader_wait_ratio=0.0,
    )
    # Fields that are there once per head and per half of the memory are named by rule, and checked when they are read.
    return PPOMetrics.from_dict({**plain.to_dict(), **_heads(details.heads), **memory})


def is_collapsed(head: HeadUpdate, factor: float = 1.0) -> bool:
    """Say whether a head hardly varies any more: its entropy is below its floor, or this many times the floor."""
    return head.entropy is not None and head.entropy < factor * ENTROPY_FLOORS[head.name]


def _heads(heads: tuple[HeadUpdate, ...]) -> dict[str, float | GradientState | None]:
    fields: dict[str, float | GradientState | None] = {}
    for head in heads:
        state: GradientState = "active" if head.grad_norm > DEAD_NORM else "absent"
        fields |= {
            f"head_{head.name}_entropy": head.entropy,
            f"head_{head.name}_grad_norm": head.grad_norm,
            f"head_{head.name}_learnable_fraction": head.learnable_share,
            f"head_{head.name}_gradient_state": "forced" if head.learnable_share == 0.0 else state,
            f"head_{head.name}_ratio_max": head.ratio_max,
            f"head_{head.name}_clip_fraction": head.clip_share,
        }
    return fields


def _memory(prefix: str, halves: tuple[MemoryUpdate, ...]) -> dict[str, float | bool]:
    fields: dict[str, float | bool] = {}
    for letter, half in zip("hc", halves, strict=False):
        fields |= {
            f"{prefix}_{letter}_l2_total": half.l2_total,
            f"{prefix}_{letter}_rms": half.rms,
            f"{prefix}_{letter}_env_rms_mean": half.row_rms_mean,
            f"{prefix}_{letter}_env_rms_max": half.row_rms_max,
            f"{prefix}_{letter}_max": half.largest,
        }
    return fields | {
        f"{prefix}_has_nan": any(half.has_nan for half in halves),
        f"{prefix}_has_inf": any(half.has_inf for half in halves),
    }


def _nrmse(details: UpdateDetails) -> float | None:
    if details.explained_variance is None:
        return None
    return float(max(0.0, 1.0 - details.explained_variance) ** 0.5)


def _variation(norms: tuple[float, ...]) -> float | None:
    mean = sum(norms) / max(1, len(norms))
    if mean <= 0.0:
        return None
    return float((sum((norm - mean) ** 2 for norm in norms) / len(norms)) ** 0.5) / mean
