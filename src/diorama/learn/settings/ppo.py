"""Settings of PPO."""

from enum import StrEnum

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from diorama.learn.settings.schedules import Scheduled, Settings, SignedScheduled


class AdvantageScope(StrEnum):
    """The set of decisions over which advantages are normalized."""

    NONE = "none"
    ROLLOUT = "rollout"
    MINIBATCH = "minibatch"


class RatioKind(StrEnum):
    """Whether probability ratios are clipped per decision or per head."""

    JOINT = "joint"
    PER_HEAD = "per_head"


class DiscountKind(StrEnum):
    """Whether every decision is discounted alike, or by the ticks that it took."""

    PER_DECISION = "per_decision"
    PER_TICK = "per_tick"


class Shuffle(StrEnum):
    """The unit that is shuffled into minibatches."""

    ROWS = "rows"
    BLOCKS = "blocks"


class VtraceSettings(Settings):
    """V-trace: off-policy correction of the advantages; it has an effect from the second epoch on."""

    rho_clip: PositiveFloat = Field(1.0, description="upper clip of the importance weight of a temporal difference")
    c_clip: PositiveFloat = Field(1.0, description="upper clip of the importance weights of later differences")


class PpoSettings(Settings):
    """Clipped PPO with generalized advantage estimation."""

    rollout_steps: PositiveInt = Field(128, description="decisions per row between updates")
    num_minibatches: PositiveInt = Field(4, description="minibatches, and optimizer steps, per epoch")
    update_epochs: PositiveInt = Field(4, description="epochs per update: passes over a rollout")
    shuffle: Shuffle = Field(
        Shuffle.ROWS,
        description="rows = single decisions; blocks = consecutive decisions, which is faster and suits a single epoch",
    )
    sequence_length: PositiveInt | None = Field(
        None, description="decisions per sequence of backpropagation through time; None = the whole rollout"
    )
    gamma: float = Field(0.997, ge=0.0, le=1.0, description="discount per decision, or per tick")
    discount: DiscountKind = Field(
        DiscountKind.PER_DECISION,
        description="what gamma counts: per_decision, or per_tick, so that a decision of n ticks is discounted by"
        " gamma to the power of n",
    )
    gae_lambda: float = Field(0.95, ge=0.0, le=1.0, description="lambda of generalized advantage estimation")
    truncation_ends: bool = Field(
        False,
        description="treat a time limit like a termination, for worlds whose rules have one and whose observation shows"
        " the time left; false = bootstrap from the critic",
    )
    vtrace: VtraceSettings | None = Field(None, description="off-policy correction; None = no correction")
    clip_coef: PositiveFloat = Field(0.2, description="clip range of the probability ratio")
    value_clip: PositiveFloat | None = Field(None, description="clip range of the values; None = no clipping")
    ent_coef: SignedScheduled = Field(0.01, description="weight of the entropy bonus; negative = a price of indecision")
    vf_coef: Scheduled = Field(0.5, description="weight of the value loss")
    value_warmup: NonNegativeInt = Field(
        0,
        description="env steps of the run in which only the critic learns, and only its layers that the actor does not"
        " share; the normalization of observations and the cloning loss rest; 0 = none",
    )
    ratio: RatioKind = Field(
        RatioKind.JOINT, description="joint = one ratio per decision; per_head = one ratio per head"
    )
    normalized_entropy: bool = Field(
        False, description="divide the entropy of a head by the logarithm of its number of valid options"
    )
    advantage_normalization: AdvantageScope = Field(
        AdvantageScope.ROLLOUT, description="decisions over which advantages are normalized"
    )
    advantage_std_floor: PositiveFloat = Field(
        1e-8, description="lower bound of the standard deviation that advantages are divided by"
    )
    forced_policy_weight: NonNegativeFloat = Field(
        1.0, description="weight of decisions without a choice in the policy loss; 0 also excludes them from the mean"
    )
    forced_value_weight: NonNegativeFloat = Field(
        1.0, description="weight of decisions without a choice in the value loss"
    )
    teacher_share: Scheduled = Field(
        0.0,
        description="share of decisions that the world's expert takes (0 to 1); they have no weight in the policy loss",
    )
    failing_steps: NonNegativeInt = Field(
        0, description="number of last decisions before a termination that count as failing"
    )
    failing_policy_weight: NonNegativeFloat = Field(
        1.0, description="factor of the weight of failing decisions in the policy loss"
    )
    failing_rewards: NonNegativeInt = Field(
        0,
        description="number of decisions before a terminating one whose positive rewards are set to 0",
    )
    target_kl: PositiveFloat | None = Field(
        None, description="no further epoch once the KL divergence of an epoch exceeds this"
    )
    kl_guards_step: bool = Field(
        False,
        description="from the second epoch on, measure the KL divergence before each step, and end the update there",
    )
    skips_allowed: NonNegativeInt = Field(
        0,
        description="consecutive updates that may be skipped because a loss or gradient is not finite; 0 = none",
    )
    diagnosed: bool = Field(False, description="compute detailed diagnostics of each update, for worlds that use them")
    use_action_mask: bool = Field(True, description="whether the policy cannot choose options that the mask rules out")

    @property
    def is_per_tick(self) -> bool:
        """Whether decisions are discounted by the ticks that they took."""
        return self.discount is DiscountKind.PER_TICK

    def is_warming_up(self, env_steps: int) -> bool:
        """Return whether an update learns the value function alone if its rollout began after this many env steps."""
        return env_steps < self.value_warmup
