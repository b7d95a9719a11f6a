"""The payload of a policy update: everything one update tells about itself."""

from dataclasses import dataclass
from typing import Literal

from diorama.worlds.morphogenesis.contracts.payloads.base import Payload

GradientState = Literal["active", "forced", "absent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PPOMetrics(Payload):
    """One policy update. A value that was not measured is `None`; gradient norms are after and before clipping."""

    policy_loss: float
    value_loss: float
    entropy: float
    entropy_loss: float
    grad_norm: float
    pre_clip_grad_norm: float
    kl_divergence: float
    clip_fraction: float
    clip_fraction_positive: float
    clip_fraction_negative: float
    lr: float
    entropy_coef: float
    aux_loss: float
    explained_variance: float | None = None
    value_nrmse: float | None = None
    ev_low_return_variance: bool = False
    ev_return_variance: float | None = None
    ev_low_return_variance_count: int = 0
    v_return_correlation: float | None = None
    td_error_mean: float | None = None
    td_error_std: float | None = None
    bellman_error: float | None = None
    value_mean: float | None = None
    value_std: float | None = None
    value_min: float | None = None
    value_max: float | None = None
    value_target_scale: float | None = None
    return_mean: float | None = None
    return_std: float | None = None
    return_variance: float | None = None
    return_skewness: float | None = None
    return_p10: float | None = None
    return_p50: float | None = None
    return_p90: float | None = None
    advantage_mean: float | None = None
    advantage_std: float | None = None
    advantage_skewness: float | None = None
    advantage_kurtosis: float | None = None
    advantage_positive_ratio: float | None = None
    pre_norm_advantage_mean: float | None = None
    pre_norm_advantage_std: float | None = None
    advantage_std_floored: bool = False
    ratio_mean: float | None = None
    ratio_min: float | None = None
    ratio_max: float | None = None
    ratio_std: float | None = None
    joint_ratio_max: float | None = None
    log_prob_min: float | None = None
    log_prob_max: float | None = None
    head_slot_entropy: float | None = None
    head_slot_grad_norm: float | None = None
    head_slot_learnable_fraction: float | None = None
    head_slot_gradient_state: GradientState = "absent"
    head_slot_ratio_max: float | None = None
    head_slot_clip_fraction: float | None = None
    head_blueprint_entropy: float | None = None
    head_blueprint_grad_norm: float | None = None
    head_blueprint_learnable_fraction: float | None = None
    head_blueprint_gradient_state: GradientState = "absent"
    head_blueprint_ratio_max: float | None = None
    head_blueprint_clip_fraction: float | None = None
    head_style_entropy: float | None = None
    head_style_grad_norm: float | None = None
    head_style_learnable_fraction: float | None = None
    head_style_gradient_state: GradientState = "absent"
    head_style_ratio_max: float | None = None
    head_style_clip_fraction: float | None = None
    head_tempo_entropy: float | None = None
    head_tempo_grad_norm: float | None = None
    head_tempo_learnable_fraction: float | None = None
    head_tempo_gradient_state: GradientState = "absent"
    head_tempo_ratio_max: float | None = None
    head_tempo_clip_fraction: float | None = None
    head_alpha_target_entropy: float | None = None
    head_alpha_target_grad_norm: float | None = None
    head_alpha_target_learnable_fraction: float | None = None
    head_alpha_target_gradient_state: GradientState = "absent"
    head_alpha_target_ratio_max: float | None = None
    head_alpha_target_clip_fraction: float | None = None
    head_alpha_speed_entropy: float | None = None
    head_alpha_speed_grad_norm: float | None = None
    head_alpha_speed_learnable_fraction: float | None = None
    head_alpha_speed_gradient_state: GradientState = "absent"
    head_alpha_speed_ratio_max: float | None = None
    head_alpha_speed_clip_fraction: float | None = None
    head_alpha_curve_entropy: float | None = None
    head_alpha_curve_grad_norm: float | None = None
    head_alpha_curve_learnable_fraction: float | None = None
    head_alpha_curve_gradient_state: GradientState = "absent"
    head_alpha_curve_ratio_max: float | None = None
    head_alpha_curve_clip_fraction: float | None = None
    head_op_entropy: float | None = None
    head_op_grad_norm: float | None = None
    head_op_learnable_fraction: float | None = None
    head_op_gradient_state: GradientState = "absent"
    head_op_ratio_max: float | None = None
    head_op_clip_fraction: float | None = None
    head_value_grad_norm: float | None = None
    head_value_gradient_state: GradientState = "absent"
    nan_grad_count: int = 0
    inf_grad_count: int = 0
    head_nan_detected: bool = False
    head_inf_detected: bool = False
    dead_layers: int = 0
    exploding_layers: int = 0
    layer_gradient_health: dict[str, float] | None = None
    gradient_cv: float | None = None
    entropy_collapsed: bool = False
    loss_scale: float | None = None
    amp_overflow_detected: bool = False
    update_skipped: bool = False
    skipped: bool = False
    lstm_h_l2_total: float | None = None
    lstm_c_l2_total: float | None = None
    lstm_h_rms: float | None = None
    lstm_c_rms: float | None = None
    lstm_h_env_rms_mean: float | None = None
    lstm_h_env_rms_max: float | None = None
    lstm_c_env_rms_mean: float | None = None
    lstm_c_env_rms_max: float | None = None
    lstm_h_max: float | None = None
    lstm_c_max: float | None = None
    lstm_has_nan: bool = False
    lstm_has_inf: bool = False
    rollout_lstm_h_l2_total: float | None = None
    rollout_lstm_c_l2_total: float | None = None
    rollout_lstm_h_rms: float | None = None
    rollout_lstm_c_rms: float | None = None
    rollout_lstm_h_env_rms_mean: float | None = None
    rollout_lstm_h_env_rms_max: float | None = None
    rollout_lstm_c_env_rms_mean: float | None = None
    rollout_lstm_c_env_rms_max: float | None = None
    rollout_lstm_h_max: float | None = None
    rollout_lstm_c_max: float | None = None
    rollout_lstm_has_nan: bool = False
    rollout_lstm_has_inf: bool = False
    forced_step_ratio: float | None = None
    usable_actor_timesteps: int = 0
    decision_density: float | None = None
    rollback_count: int = 0
    rollback_steps_zeroed: int = 0
    rollback_attempt_count: int = 0
    rollback_unattributed_count: int = 0
    inner_epoch: int = 0
    batch: int = 0
    ppo_updates_count: int = 0
    early_stop_epoch: int | None = None
    update_time_ms: float | None = None
    cuda_memory_allocated_gb: float | None = None
    cuda_memory_reserved_gb: float | None = None
    cuda_memory_peak_gb: float | None = None
    cuda_memory_fragmentation: float | None = None
    dataloader_wait_ratio: float | None = None
