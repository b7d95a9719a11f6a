"""What a world asks of its trainer: filled in where nothing was said, and held against what was."""

from collections.abc import Mapping

from diorama.contracts.config import parse_config
from diorama.contracts.errors import ConfigError, DioramaError
from diorama.contracts.plans import TrainingNeeds
from diorama.learn.settings import TrainerSettings
from diorama.worlds.registry import load_world


def needs_of(world_id: object, config: object) -> TrainingNeeds:
    """Return what a world asks for; nothing where it cannot be known, because world or configuration are wrong."""
    if not isinstance(world_id, str) or not isinstance(config, Mapping):
        return TrainingNeeds()
    try:
        world = load_world(world_id)
        parsed = parse_config(world.id, world.config_type, config)
    except DioramaError:
        return TrainingNeeds()
    return TrainingNeeds() if world.training is None else world.training(parsed)


def needed_values(needs: TrainingNeeds, copies: object) -> dict[str, dict[str, object]]:
    """Return the settings that meet the needs."""
    values: dict[str, dict[str, object]] = {}
    if needs.rollout_steps is not None:
        values.setdefault("ppo", {})["rollout_steps"] = needs.rollout_steps
    if needs.gamma is not None:
        values.setdefault("ppo", {})["gamma"] = needs.gamma
    if needs.one_lane:
        values["execution"] = {"lane_copies": copies}
    return values


def check_needs(needs: TrainingNeeds, settings: TrainerSettings, copies: int) -> None:
    """Refuse settings under which the world cannot be learned.

    Raises:
        ConfigError: With every setting that is wrong.
    """
    problems = []
    if needs.rollout_steps not in (None, settings.ppo.rollout_steps):
        problems.append(
            f"ppo.rollout_steps is {settings.ppo.rollout_steps}, but every episode has {needs.rollout_steps} decisions"
        )
    if needs.gamma not in (None, settings.ppo.gamma):
        problems.append(f"ppo.gamma is {settings.ppo.gamma}, but the rewards are made for {needs.gamma}")
    if needs.one_lane and settings.execution.lanes(copies) != 1:
        problems.append(
            f"execution.lane_copies is {settings.execution.lane_copies}; copies step together, use {copies}"
        )
    if needs.rollout_steps is not None and settings.execution.overlap:
        problems.append("execution.overlap is true, but a round is closed before the next one is played")
    if problems:
        raise ConfigError(f"{'; '.join(problems)} (leave them out, and they are right)")
