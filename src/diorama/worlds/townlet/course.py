"""What a town asks of its training: milestones that are left when their bands hold, and rewards by cycle."""

from typing import Final

from diorama.contracts.courses import Course
from diorama.worlds.townlet.config.features import SocialRewardStage
from diorama.worlds.townlet.config.loading import overlaid, validated
from diorama.worlds.townlet.config.simulation import TownletConfig
from diorama.worlds.townlet.milestones import may_advance, milestone_progress

_SOURCE: Final = "training schedule"


def social_stage(config: TownletConfig, cycle: int) -> SocialRewardStage:
    """Return the stage of the social rewards in a cycle: the override, else the schedule, else the configured one."""
    training = config.training
    if training.social_reward_stage_override is not None:
        return training.social_reward_stage_override
    begun = [entry for entry in training.social_reward_schedule if entry.cycle <= cycle]
    return max(begun, key=lambda entry: entry.cycle).stage if begun else config.features.stages.social_rewards


def config_at(config: TownletConfig, milestone: str | None, cycle: int) -> TownletConfig:
    """Return a configuration as it is learned in at a milestone, in a cycle of the training.

    Raises:
        ConfigError: The social rewards would go beyond the relationships.
    """
    changes: dict[str, object] = {}
    stage = social_stage(config, cycle)
    if stage != config.features.stages.social_rewards:
        changes["features"] = {"stages": {"social_rewards": stage}}
    if milestone is not None and config.features.training.curiosity == "phase_A":
        rule = config.curiosity
        remaining = 1.0 - milestone_progress(milestone, rule.decay_by_milestone)
        changes["curiosity"] = {"phase_A_weight": rule.phase_A_weight * remaining}
    if not changes:
        return config
    return validated(TownletConfig, overlaid(config.model_dump(exclude_unset=True), changes), _SOURCE)


def _cycles(config: TownletConfig) -> tuple[int, ...]:
    return tuple(sorted({entry.cycle for entry in config.training.social_reward_schedule} - {0}))


COURSE: Final[Course[TownletConfig]] = Course(may_advance=may_advance, cycles=_cycles, config_at=config_at)
