"""What a policy update tells about itself in detail, as plain numbers; what was not measured is None."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How numbers lie: deviation and higher moments are of the population."""

    mean: float
    std: float
    low: float
    high: float
    skewness: float
    kurtosis: float
    p10: float
    p50: float
    p90: float
    positive_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadUpdate:
    """One action head in an update.

    Attributes:
        entropy: Mean over the decisions it mattered for and had a choice in, as a share of the largest possible.
        learnable_share: Share of the decisions with a choice that it mattered for and had a choice in.
        grad_norm: Of its own weights.
        ratio_max: Largest ratio of its probabilities after and before the update.
        clip_share: Share of such ratios outside the clip.
    """

    name: str
    entropy: float | None
    learnable_share: float
    grad_norm: float
    ratio_max: float | None
    clip_share: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUpdate:
    """What rows remember, one half of a memory at a time: root mean squares over all, and by row."""

    l2_total: float
    rms: float
    row_rms_mean: float
    row_rms_max: float
    largest: float
    has_nan: bool
    has_inf: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateDetails:
    """One policy update.

    Ratios, entropies and values are of the policy after the update on the decisions it learned from.

    Attributes:
        update: Number of the update, from 0.
        env_steps_total: Of the run.
        entropy_bonus: What the entropy added to the loss.
        clipped_up: Share of ratios above the clip; `clipped_down` below it.
        value_unit: What the critic predicts returns in.
        layers: Gradient norm of every weight of the policy.
        memory: What was remembered when the rollout ended, by half: h, and c where there is one.
        learned_memory: The same after the update.
        forced_share: Share of decisions without a choice.
        free_decisions: How many had one.
        failures: Decisions that ended an episode by the rules.
        skipped_passes: Passes whose step was left out.
        seconds: That learning took.
    """

    update: int
    env_steps_total: int
    loss_policy: float
    loss_value: float
    loss_auxiliary: float
    entropy: float
    entropy_coefficient: float
    entropy_bonus: float
    learning_rate: float
    grad_norm: float
    clipped_grad_norm: float
    value_grad_norm: float
    approx_kl: float
    clip_share: float
    clipped_up: float
    clipped_down: float
    explained_variance: float | None
    value_correlation: float | None
    value_unit: float
    td_error: Spread
    values: Spread
    returns: Spread
    advantages: Spread
    advantage_std_floor: float
    ratios: Spread | None
    joint_ratio_max: float | None
    log_prob_min: float | None
    log_prob_max: float | None
    heads: tuple[HeadUpdate, ...]
    layers: dict[str, float]
    memory: tuple[MemoryUpdate, ...]
    learned_memory: tuple[MemoryUpdate, ...]
    forced_share: float
    free_decisions: int
    failures: int
    epochs_done: int
    epochs_asked: int
    skipped_passes: int
    seconds: float
