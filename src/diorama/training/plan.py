"""`TrainingPlan`: settings that were checked against their world and this machine."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.engine.make import MAX_COPIES
from diorama.engine.venue import Venue, open_venue
from diorama.learn.evaluation.scores import ScoreRule, score_rule
from diorama.learn.policies.names import parse_name
from diorama.learn.settings.trainer import RewardScale
from diorama.runs.champions import is_champion_id
from diorama.runs.metadata import TrainerBackend
from diorama.runs.replays.tags import Milestones, check_milestones
from diorama.training.compatibility import (
    bots_met,
    check_anneal,
    check_course,
    check_matches,
    check_needs,
    check_starts,
    check_teacher_exists,
    needs_of,
    overlays_of,
)
from diorama.training.settings import TrainingSettings, deep_merge
from diorama.worlds.registry import load_world

_DEVICE: Final = re.compile(r"cpu|cuda(?::\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """A run that can start; nothing is written yet.

    Attributes:
        settings: As requested.
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
        """Whether a policy is trained."""
        return self.settings.backend is TrainerBackend.PPO

    @property
    def policy_arch(self) -> str | None:
        """The architecture of the policy; None without one."""
        return self.settings.policy.arch if self.learns else None


def plan_training(settings: TrainingSettings) -> TrainingPlan:
    """Check settings against the world they name and the machine they are to run on.

    Raises:
        UnknownName: There is no such world, bot or metric.
        ConfigError: A value does not fit the world or the machine.
    """
    venue = open_venue(settings.world, _config(settings), tier=settings.tier)
    if settings.copies > MAX_COPIES:
        raise ConfigError(
            f"copies is {settings.copies}; use 1..{MAX_COPIES}", code="copies_out_of_range", copies=settings.copies
        )
    milestones = {**dict(venue.spec.milestones), **settings.evaluation.milestones}
    check_milestones(venue.spec, milestones)
    plan = TrainingPlan(settings=settings, venue=venue, milestones=milestones)
    if plan.learns:
        parse_name(settings.policy.arch)
        _check_device(settings.execution.device)
    if settings.cloning is not None and settings.cloning.bot is not None:
        _check_bot(venue.world.id, venue.world.bots, settings.cloning.bot)
    if settings.kickstarting is not None:
        check_teacher_exists(venue.world, settings.kickstarting.teacher)
    check_matches(venue, settings)
    check_course(venue, settings)
    check_anneal(venue, settings)
    check_starts(venue, settings)
    if plan.learns and settings.evaluation.validation_episodes:
        validation_rule(venue, settings)
    if plan.learns:
        check_needs(needs_of(settings.world, venue.config.model_dump()), settings, settings.copies)
    return plan


def validation_rule(venue: Venue, settings: TrainingSettings) -> ScoreRule:
    """Return what checkpoints are judged by on validation seeds: scripts and bots are met there, champions are not.

    Raises:
        UnknownName: There is no such metric.
        ConfigError: Larger values of it are not better, or there is none to choose.
    """
    given = () if settings.self_play is None else settings.self_play.scripts or ()
    opponents = tuple(name for name in given if not is_champion_id(name))
    return score_rule(venue, settings.evaluation.validation_metric, opponents or None)


def _config(settings: TrainingSettings) -> Mapping[str, object]:
    world = load_world(settings.world)
    if settings.course is not None:
        # A policy is evaluated in the last overlay of its course.
        return deep_merge(world.overlays[overlays_of(world, settings.course)[-1]], settings.config)
    if settings.overlay is None:
        return settings.config
    overlays = world.overlays
    if settings.overlay not in overlays:
        raise UnknownName.among(
            f"overlay of {settings.world!r}", settings.overlay, overlays or ("none",), code="unknown_overlay"
        )
    return deep_merge(overlays[settings.overlay], settings.config)


def _check_bot(world_id: str, bots: Mapping[str, object], name: str) -> None:
    if name not in bots:
        raise UnknownName.among(f"bot of {world_id!r} (in cloning.bot)", name, bots, code="unknown_bot")


def _check_device(name: str) -> None:
    if _DEVICE.fullmatch(name) is None:
        raise ConfigError(
            f"execution.device: {name!r} is no device; use cpu, cuda or cuda:N", code="device_invalid", device=name
        )
    if name == "cpu":
        return
    import torch

    count = torch.cuda.device_count()
    index = int(name.partition(":")[2] or 0)
    if index >= count:
        raise ConfigError(
            f"execution.device: {name!r} does not exist; this machine has {count} GPUs, use cpu",
            code="device_missing",
            device=name,
            gpus=count,
        )


def check_processes(plan: TrainingPlan, processes: int) -> None:
    """Refuse a plan that several processes cannot train together.

    Raises:
        ConfigError: With the first setting that prevents it, and what would be right.
    """
    settings = plan.settings
    flag = f"--processes {processes}"
    if settings.copies % processes:
        raise ConfigError(
            f"{flag}: copies is {settings.copies}, which the processes cannot share evenly; "
            f"use a multiple of {processes}",
            code="copies_not_divisible",
            copies=settings.copies,
            processes=processes,
        )
    if settings.has_matches:
        raise ConfigError(
            f"{flag} cannot be combined with self_play or curriculum; use --ray-workers {processes}",
            code="processes_exclude_matches",
        )
    _refuse_local_only(plan, flag)
    if settings.normalization.rewards is RewardScale.RUNNING_STD:
        raise ConfigError(
            f"{flag}: normalization.rewards running_std needs every reward in order; use return_std or reward_std",
            code="processes_exclude_running_std",
        )
    if settings.ppo.diagnosed:
        raise ConfigError(
            f"{flag}: ppo.diagnosed inspects the copies of one process; set it to false",
            code="processes_exclude_diagnosed",
        )


def check_workers(plan: TrainingPlan, workers: int) -> None:
    """Refuse a plan whose rollouts cannot be collected by remote workers.

    Raises:
        ConfigError: With the first setting that prevents it, and what would be right.
    """
    flag = f"--ray-workers {workers}"
    if workers > plan.settings.copies:
        raise ConfigError(
            f"{flag}: there are {plan.settings.copies} copies; use at most one worker for each",
            code="more_workers_than_copies",
            workers=workers,
            copies=plan.settings.copies,
        )
    _refuse_local_only(plan, flag)
    if bots := bots_met(plan.venue, plan.settings):
        raise ConfigError(
            f"{flag}: self_play.scripts has {bots[0]!r}, a bot whose memory stays in this process; leave it out",
            code="workers_exclude_bots",
            bot=bots[0],
        )
    if plan.settings.kickstarting is not None:
        raise ConfigError(
            f"{flag}: kickstarting asks its teacher about copies in this process; leave the section out",
            code="workers_exclude_kickstarting",
        )
    if plan.settings.ppo.teacher_share != 0.0:
        raise ConfigError(
            f"{flag}: ppo.teacher_share needs copies in this process; set it to 0", code="workers_exclude_teacher_share"
        )
    if plan.settings.policy.value_components:
        raise ConfigError(
            f"{flag}: policy.value_components needs copies in this process; leave them out",
            code="workers_exclude_components",
        )


def _refuse_local_only(plan: TrainingPlan, flag: str) -> None:
    settings, world = plan.settings, plan.venue.world
    if not plan.learns:
        raise ConfigError(f"{flag}: the backend random learns nothing; use ppo", code="distributed_needs_ppo")
    if settings.execution.is_pipelined:
        raise ConfigError(
            f"{flag} cannot be combined with the pipeline of a GPU; "
            f"add --set execution.pipeline=false, or leave {flag} out",
            code="distributed_excludes_pipeline",
        )
    sections = {
        "course": settings.course,
        "anneal": settings.anneal,
        "replay": settings.replay,
        "starts": settings.starts,
    }
    given = [name for name, section in sections.items() if section is not None]
    if given:
        raise ConfigError(
            f"{flag} cannot be combined with {given[0]}, which changes the copies of one process",
            code="distributed_excludes_section",
            section=given[0],
        )
    if world.course is not None or world.telemetry is not None:
        raise ConfigError(
            f"{flag}: {world.id!r} replaces or inspects its copies, which must be in one process; leave {flag} out",
            code="world_needs_one_process",
            world=world.id,
        )
    if needs_of(world.id, plan.venue.config.model_dump()).one_lane:
        raise ConfigError(
            f"{flag}: copies of {world.id!r} step together in one process; leave {flag} out",
            code="world_needs_one_process",
            world=world.id,
        )
