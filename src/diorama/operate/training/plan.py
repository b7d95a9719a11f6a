"""`TrainingPlan`: settings that have been checked against the world and this machine; nothing is written yet."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.engine.make import MAX_COPIES
from diorama.engine.venue import Venue, open_venue
from diorama.learn.policies.names import parse_name
from diorama.operate.training.anneal_plan import check_anneal
from diorama.operate.training.course_plan import check_course, overlays_of
from diorama.operate.training.layers import laid_over
from diorama.operate.training.match_plan import check_matches
from diorama.operate.training.needs import check_needs, needs_of
from diorama.operate.training.settings import TrainingSettings
from diorama.runs.metadata import TrainerBackend
from diorama.runs.replays.tags import Milestones, check_milestones
from diorama.worlds.registry import load_world

_DEVICE: Final = re.compile(r"cpu|cuda(?::\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """What a run will be.

    Attributes:
        settings: As they were asked for.
        venue: World, configuration and tier.
        milestones: Thresholds that earn replays their tags.
    """

    settings: TrainingSettings
    venue: Venue
    milestones: Milestones

    @property
    def spec(self) -> WorldSpec:
        """The contract of the world in this configuration."""
        return self.venue.spec

    @property
    def learns(self) -> bool:
        """Whether there is a policy that gets better."""
        return self.settings.backend is TrainerBackend.PPO

    @property
    def policy_arch(self) -> str | None:
        """The name of the policy; None where nothing is learned."""
        return self.settings.policy.arch if self.learns else None


def plan_training(settings: TrainingSettings) -> TrainingPlan:
    """Check settings against the world they name and the machine they are to run on.

    Raises:
        UnknownName: There is no such world, bot or metric.
        ConfigError: A value makes no sense here.
    """
    venue = open_venue(settings.world, _config(settings), tier=settings.tier)
    if settings.copies > MAX_COPIES:
        raise ConfigError(f"copies is {settings.copies}; use 1..{MAX_COPIES}")
    milestones = {**dict(venue.spec.milestones), **settings.evaluation.milestones}
    check_milestones(venue.spec, milestones)
    plan = TrainingPlan(settings=settings, venue=venue, milestones=milestones)
    if plan.learns:
        parse_name(settings.policy.arch)
        _check_device(settings.execution.device)
    if settings.cloning is not None and settings.cloning.bot is not None:
        _check_bot(venue.world.id, venue.world.bots, settings.cloning.bot)
    check_matches(venue, settings)
    check_course(venue, settings)
    check_anneal(venue, settings)
    if plan.learns:
        check_needs(needs_of(settings.world, venue.config.model_dump()), settings, settings.copies)
    return plan


def _config(settings: TrainingSettings) -> Mapping[str, object]:
    world = load_world(settings.world)
    if settings.course is not None:
        # A policy is judged in what its course leads to.
        return laid_over(world.overlays[overlays_of(world, settings.course)[-1]], settings.config)
    if settings.overlay is None:
        return settings.config
    overlays = world.overlays
    if settings.overlay not in overlays:
        raise UnknownName.among(f"overlay of {settings.world!r}", settings.overlay, overlays or ("none",))
    return laid_over(overlays[settings.overlay], settings.config)


def _check_bot(world_id: str, bots: Mapping[str, object], name: str) -> None:
    if name not in bots:
        raise UnknownName.among(f"bot of {world_id!r} (in cloning.bot)", name, bots)


def _check_device(name: str) -> None:
    if _DEVICE.fullmatch(name) is None:
        raise ConfigError(f"execution.device: {name!r} is no device; use cpu, cuda or cuda:N")
    if name == "cpu":
        return
    import torch

    count = torch.cuda.device_count()
    place = int(name.partition(":")[2] or 0)
    if place >= count:
        raise ConfigError(f"execution.device: {name!r} is not here; this machine has {count} GPUs, use cpu")
