"""`features`: which parts of the town exist, and who may see and learn from them."""

from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field

from diorama.contracts.sections import Section, fixed, hot


def _stage_word(given: object) -> object:
    return "OFF" if given is False else given  # many YAML readers take the bare word OFF for a boolean


def _switch_word(given: object) -> object:
    return {True: "on", False: "off"}[given] if isinstance(given, bool) else given


RelationshipStage = Annotated[Literal["OFF", "A", "B", "C1", "C2", "C3"], BeforeValidator(_stage_word)]
SocialRewardStage = Annotated[Literal["OFF", "C1", "C2", "C3"], BeforeValidator(_stage_word)]
Switch = Annotated[Literal["on", "off"], BeforeValidator(_switch_word)]
Curiosity = Annotated[Literal["phase_A", "off"], BeforeValidator(_switch_word)]
ObservationVariant = Literal["full", "hybrid", "compact"]

STAGE_RANK: Final = {stage: rank for rank, stage in enumerate(("OFF", "A", "B", "C1", "C2", "C3"))}


class Stages(Section):
    """How far the social life of the town is switched on; the order is OFF, A, B, C1, C2, C3."""

    relationships: RelationshipStage = fixed("OFF", description="A: ties are kept but not observed; B on: observed.")
    social_rewards: SocialRewardStage = fixed("OFF", description="Not beyond the stage of the relationships.")


class Systems(Section):
    """Switches of whole systems."""

    lifecycle: Switch = fixed("on", description="Whether citizens leave; off: who collapses is rescued.")
    observations: ObservationVariant = fixed("hybrid", description="Which observation is built.")


class TrainingFeatures(Section):
    """Switches that only training reads."""

    curiosity: Curiosity = fixed("off", description="Whether new situations are rewarded.")


class ConsoleFeatures(Section):
    """What the console of this instance serves."""

    mode: Literal["viewer", "admin"] = hot("viewer", description="Highest role that is served.")


class BehaviorFeatures(Section):
    """Where a personality matters."""

    personality_profiles: bool = fixed(True, description="Whether profiles bias the scripted controller.")
    reward_multipliers: bool = fixed(False, description="Whether profiles change need decay and rewards.")


class ObservationFeatures(Section):
    """What of a personality is shown."""

    personality_channels: bool = fixed(True, description="Whether a citizen observes its traits.")
    personality_ui: bool = hot(True, description="Whether viewers are shown profiles.")


class Features(Section):
    """Every switch of the town."""

    stages: Stages = Field(default_factory=Stages)
    systems: Systems = Field(default_factory=Systems)
    training: TrainingFeatures = Field(default_factory=TrainingFeatures)
    console: ConsoleFeatures = Field(default_factory=ConsoleFeatures)
    relationship_modifiers: bool = hot(True, description="Whether traits change what an event does to a tie.")
    behavior: BehaviorFeatures = Field(default_factory=BehaviorFeatures)
    observations: ObservationFeatures = Field(default_factory=ObservationFeatures)

    @property
    def has_relationships(self) -> bool:
        """Whether ties exist at all."""
        return self.stages.relationships != "OFF"

    @property
    def observes_relationships(self) -> bool:
        """Whether ties are part of the observation."""
        return STAGE_RANK[self.stages.relationships] >= STAGE_RANK["B"]

    @property
    def social_rank(self) -> int:
        """Rank of the stage of social rewards; compare it with `STAGE_RANK`."""
        return STAGE_RANK[self.stages.social_rewards]
