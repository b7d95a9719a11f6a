"""`rewards`, `shaping` and `curiosity`: what a citizen's tick is worth."""

from typing import Literal

from pydantic import Field

from diorama.contracts.sections import Section, fixed


class NeedsWeights(Section):
    """How much the lack of each need hurts.

    Attributes:
        hunger: Weight of its squared deficit.
        hygiene: Weight of its squared deficit.
        energy: Weight of its squared deficit.
    """

    hunger: float = fixed(1.0, ge=0.5, le=2.0)
    hygiene: float = fixed(0.6, ge=0.2, le=1.0)
    energy: float = fixed(0.8, ge=0.4, le=1.5)

    @property
    def values(self) -> tuple[float, float, float]:
        """In the order of the needs."""
        return self.hunger, self.hygiene, self.energy


class DecayRates(Section):
    """What each need loses in a tick.

    Attributes:
        hunger: Loss per tick.
        hygiene: Loss per tick.
        energy: Loss per tick.
    """

    hunger: float = fixed(0.0012, ge=0.0, le=0.05)
    hygiene: float = fixed(0.0006, ge=0.0, le=0.05)
    energy: float = fixed(0.0010, ge=0.0, le=0.05)

    @property
    def values(self) -> tuple[float, float, float]:
        """In the order of the needs."""
        return self.hunger, self.hygiene, self.energy


class SocialRewards(Section):
    """What chats and kept peace are worth; paid from stage C1 and C2 on.

    Attributes:
        C1_chat_base: For a chat that goes well, times its quality.
        C2_avoid_conflict: For keeping away from a rival.
    """

    C1_chat_base: float = fixed(0.01, ge=0.0, le=0.05)
    C1_coeff_trust: float = fixed(0.3, ge=0.0, le=1.0, description="Used from C3 on.")
    C1_coeff_fam: float = fixed(0.2, ge=0.0, le=1.0, description="Used from C3 on.")
    C2_avoid_conflict: float = fixed(0.005, ge=0.0, le=0.02)
    avoid_window_ticks: int = fixed(30, ge=0, le=1000, description="Avoidance is paid once in this time.")


class RewardClip(Section):
    """Bounds of what is paid.

    Attributes:
        clip_per_tick: Largest amount of one tick, either way.
        clip_per_episode: Largest sum of a stay, either way.
    """

    clip_per_tick: float = fixed(0.2, ge=0.01, le=1.0)
    clip_per_episode: float = fixed(50.0, ge=1.0, le=200.0)
    no_positive_within_death_ticks: int = fixed(
        10, ge=0, le=200, description="Nothing good is paid this near to an exit."
    )


class Rewards(Section):
    """The terms of the reward.

    Attributes:
        homeostasis_scale: What the weighted deficits of the needs cost in a tick.
        survival_tick: For every tick in town.
        wage_rate: For every paid tick.
        withheld_factor: Share of it that an unpaid tick of a shift costs.
        punctuality_bonus: For arriving at the start of a shift, paid with its first wage.
        punctuality_window: Ticks too early or too late at which nothing is left of it.
        faint_penalty: For collapsing.
        eviction_penalty: For being evicted, or leaving for want of work.
    """

    needs_weights: NeedsWeights = Field(default_factory=NeedsWeights)
    decay_rates: DecayRates = Field(default_factory=DecayRates)
    homeostasis_scale: float = fixed(0.004, ge=0.0001, le=1.0)
    survival_tick: float = fixed(0.002, ge=0.0, le=0.01)
    wage_rate: float = fixed(0.01, ge=0.0, le=0.05)
    withheld_factor: float = fixed(0.5, ge=0.0, le=1.0)
    punctuality_bonus: float = fixed(0.05, ge=0.0, le=0.1)
    punctuality_window: int = fixed(21, ge=1, le=200)
    faint_penalty: float = fixed(-1.0, ge=-5.0, le=0.0)
    eviction_penalty: float = fixed(-2.0, ge=-5.0, le=0.0)
    exit_penalty: float = fixed(-1.0, ge=-5.0, le=0.0, description="For other reasons to leave.")
    social: SocialRewards = Field(default_factory=SocialRewards)
    clip: RewardClip = Field(default_factory=RewardClip)


class Shaping(Section):
    """Potential-based shaping on the needs.

    Attributes:
        use_potential: Whether a change of the needs pays at once.
        scale: How much.
    """

    use_potential: bool = fixed(True)
    scale: float = fixed(0.1, ge=0.0, le=1.0)


class Curiosity(Section):
    """The reward for new situations, which fades out as the curriculum advances.

    Attributes:
        phase_A_weight: For a situation that is met for the first time.
        decay_by_milestone: Milestone at which it has faded out.
    """

    phase_A_weight: float = fixed(0.02, ge=0.0, le=0.1)
    decay_by_milestone: Literal["M0", "M1", "M2", "M2.5", "M3", "M4", "M5"] = fixed("M2")
