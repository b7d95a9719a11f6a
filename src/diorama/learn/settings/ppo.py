"""Settings of PPO."""

from enum import StrEnum

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from diorama.learn.settings.schedules import Scheduled, Settings


class AdvantageScope(StrEnum):
    """Over what advantages are normalized."""

    NONE = "none"
    ROLLOUT = "rollout"
    MINIBATCH = "minibatch"


class RatioKind(StrEnum):
    """What the clipped probability ratio is taken over."""

    JOINT = "joint"
    PER_HEAD = "per_head"


class Shuffle(StrEnum):
    """What is shuffled between minibatches."""

    ROWS = "rows"
    BLOCKS = "blocks"


class VtraceSettings(Settings):
    """Corrects advantages for the policy having moved since the rollout; matters from the second pass on."""

    rho_clip: PositiveFloat = Field(1.0, description="largest weight of a temporal difference")
    c_clip: PositiveFloat = Field(1.0, description="largest weight with which later differences reach back")


class PpoSettings(Settings):
    """Clipped PPO with generalized advantages."""

    rollout_steps: PositiveInt = Field(128, description="decisions per row between updates")
    num_minibatches: PositiveInt = Field(4, description="optimizer steps per pass over a rollout")
    update_epochs: PositiveInt = Field(4, description="passes over a rollout")
    shuffle: Shuffle = Field(
        Shuffle.ROWS,
        description="single decisions, or blocks that lie together in time, which is quicker and suits a single pass",
    )
    sequence_length: PositiveInt | None = Field(
        None, description="decisions a policy with memory is trained through; None = the whole rollout"
    )
    gamma: float = Field(0.997, ge=0.0, le=1.0, description="discount per decision")
    gae_lambda: float = Field(0.95, ge=0.0, le=1.0, description="decay of advantages")
    truncation_ends: bool = Field(
        False,
        description="whether nothing follows a time limit, as where it is a rule of the game and the time left is seen;"
        " otherwise the critic says what would have followed",
    )
    vtrace: VtraceSettings | None = Field(None, description="off-policy correction; None = plain advantages")
    clip_coef: PositiveFloat = Field(0.2, description="how far the probability ratio may move from 1")
    value_clip: PositiveFloat | None = Field(None, description="how far a value may move in one update; None = freely")
    ent_coef: Scheduled = Field(0.01, description="weight of the entropy bonus")
    vf_coef: Scheduled = Field(0.5, description="weight of the value loss")
    ratio: RatioKind = Field(RatioKind.JOINT, description="one ratio per decision, or one per head, one denominator")
    normalized_entropy: bool = Field(False, description="divide a head's entropy by the logarithm of its valid options")
    advantage_normalization: AdvantageScope = Field(AdvantageScope.ROLLOUT, description="over what, if at all")
    advantage_std_floor: PositiveFloat = Field(1e-8, description="least deviation advantages are divided by")
    forced_policy_weight: NonNegativeFloat = Field(
        1.0, description="weight in the policy loss of decisions that left no choice; 0 also takes them out of the mean"
    )
    forced_value_weight: NonNegativeFloat = Field(1.0, description="weight of such decisions in the value loss")
    teacher_share: Scheduled = Field(
        0.0,
        description="share of decisions the world's own controller takes (0 to 1); they weigh nothing in its loss",
    )
    failing_steps: NonNegativeInt = Field(
        0, description="decisions before a row's episode ends by the rules that count as failing"
    )
    failing_policy_weight: NonNegativeFloat = Field(
        1.0, description="factor of the weight in the policy loss of failing decisions"
    )
    failing_rewards: NonNegativeInt = Field(
        0,
        description="decisions before one that ends a row's episode by the rules whose rewards above 0 are taken away",
    )
    target_kl: PositiveFloat | None = Field(None, description="no further pass once a pass moved the policy this far")
    kl_guards_step: bool = Field(
        False,
        description="whether the distance is measured before the steps of a further pass, which are then left out",
    )
    skips_allowed: NonNegativeInt = Field(
        0, description="updates in a row that may be left out because something is not a number; 0 = the run ends then"
    )
    diagnosed: bool = Field(
        False, description="whether every update is looked into once more and told in detail, for a world that wants it"
    )
    use_action_mask: bool = Field(True, description="whether masked-out options are impossible")
