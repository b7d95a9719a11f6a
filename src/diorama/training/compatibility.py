"""Checks of settings against their world: what it needs of a trainer, its course, its matches, its expert."""

from collections.abc import Mapping

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ConfigError, DioramaError, UnknownName
from diorama.contracts.matches import MatchRules
from diorama.contracts.plans import TrainingNeeds
from diorama.contracts.world import World
from diorama.engine.seeding import as_seed
from diorama.engine.venue import Venue
from diorama.learn.selfplay.curriculum import Curriculum
from diorama.learn.selfplay.matchmaking import Matchmaker
from diorama.learn.settings import TrainerSettings
from diorama.learn.settings.imitation import AnnealSettings, GateSettings
from diorama.training.settings import CourseSettings, TrainingSettings, deep_merge
from diorama.worlds.registry import load_world


def needs_of(world_id: object, config: object) -> TrainingNeeds:
    """Return what a world needs of its trainer; nothing where world or configuration are wrong."""
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
    """Refuse settings under which the world cannot be trained in.

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
    if needs.one_lane and settings.execution.env_shards(copies) != 1:
        problems.append(
            f"execution.lane_copies is {settings.execution.lane_copies}; copies step together, use {copies}"
        )
    if needs.rollout_steps is not None and settings.execution.overlap:
        problems.append("execution.overlap is true, but a round is closed before the next one is played")
    if problems:
        raise ConfigError(f"{'; '.join(problems)} (the defaults are right)", code="world_needs_other_settings")


def overlays_of(world: World[WorldConfig], course: CourseSettings) -> tuple[str, ...]:
    """Return the overlays of a course, in order.

    Raises:
        ConfigError: The world has none, or the last comes before the first.
        UnknownName: There is no such overlay.
    """
    names = tuple(world.overlays)
    if not names or world.course is None:
        raise ConfigError(
            f"{world.id!r} has no overlays to follow a course of; leave out course",
            code="world_has_no_course",
            world=world.id,
        )
    first, last = (
        names.index(_known(world.id, name, names)) for name in (course.first or names[0], course.last or names[-1])
    )
    if last < first:
        raise ConfigError(
            f"course: {names[last]} comes before {names[first]}; the order is {', '.join(names)}",
            code="course_ends_before_it_starts",
            first=names[first],
            last=names[last],
        )
    return names[first : last + 1]


def first_overlay(venue: Venue, settings: TrainingSettings) -> str | None:
    """Return the overlay a run begins with, if any."""
    return settings.overlay if settings.course is None else overlays_of(venue.world, settings.course)[0]


def config_in_cycle(venue: Venue, settings: TrainingSettings, overlay: str | None, cycle: int) -> WorldConfig:
    """Return the configuration a run trains in at an overlay, in a cycle from 0.

    Raises:
        ConfigError: Overlay and configuration contradict each other.
    """
    world, config = venue.world, venue.config
    if world.course is None:
        return config
    if settings.course is not None and overlay is not None:
        config = parse_config(world.id, world.config_type, deep_merge(world.overlays[overlay], settings.config))
    return world.course.config_at(config, overlay, cycle)


def check_course(venue: Venue, settings: TrainingSettings) -> None:
    """Refuse a course with an impossible configuration; see `overlays_of` and `config_in_cycle`."""
    world = venue.world
    overlays = (settings.overlay,) if settings.course is None else overlays_of(world, settings.course)
    if world.course is None:
        return
    for overlay in overlays:
        for cycle in (0, *world.course.cycles(config_in_cycle(venue, settings, overlay, 0))):
            config_in_cycle(venue, settings, overlay, cycle)


def _known(world_id: str, name: str, names: tuple[str, ...]) -> str:
    if name not in names:
        raise UnknownName.among(f"overlay of {world_id!r} (in course)", name, names, code="unknown_overlay")
    return name


def match_rules(venue: Venue) -> MatchRules[WorldConfig]:
    """Return the match rules of a world.

    Raises:
        ConfigError: It has no opponents.
    """
    if venue.world.matches is None:
        raise ConfigError(
            f"{venue.world.id!r} has no opponents; leave out self_play and curriculum",
            code="world_has_no_opponents",
            world=venue.world.id,
        )
    return venue.world.matches


def check_matches(venue: Venue, settings: TrainingSettings) -> None:
    """Refuse matches that the world cannot play.

    Raises:
        ConfigError: The world has no opponents or no such stages, or a stage does not go with the configuration.
        UnknownName: There is no such script.
    """
    if not settings.has_matches:
        return
    rules, maker = match_rules(venue), make_matchmaker(venue, settings)
    if settings.self_play is not None:
        for name in settings.self_play.scripts or ():
            if name not in rules.scripts:
                raise UnknownName.among("script (in self_play.scripts)", name, rules.scripts, code="unknown_script")
        if settings.self_play.scripts == () and settings.self_play.pool_every is None:
            raise ConfigError(
                "self_play: without scripts and without pool_every there are no opponents",
                code="self_play_has_no_opponents",
            )
    given = venue.config.model_dump(exclude_unset=True)
    if maker.curriculum is not None:
        for stage in maker.curriculum.stages[maker.curriculum.stage_index :]:
            for lesson in stage.lessons:
                parse_config(venue.world.id, venue.world.config_type, {**given, **lesson})
    if maker.pool is not None:
        parse_config(venue.world.id, venue.world.config_type, {**given, **rules.mirrored})


def make_matchmaker(venue: Venue, settings: TrainingSettings) -> Matchmaker:
    """Return the matchmaker of a run at its beginning.

    Raises:
        ConfigError: The world has no such stages.
    """
    curriculum, rules = settings.curriculum, match_rules(venue)
    return Matchmaker(
        rules,
        seed=as_seed(settings.seed),
        self_play=settings.self_play,
        curriculum=None if curriculum is None else Curriculum(venue.world.curriculum, curriculum),
        side_overrides=() if curriculum is not None else rules.side_overrides(venue.config),
    )


def anneal_steps(anneal: AnnealSettings, settings: TrainingSettings) -> int:
    """Return the sum of env steps of all ppo stages."""
    return anneal.cycles * settings.ppo.rollout_steps * settings.copies


def check_anneal(venue: Venue, settings: TrainingSettings) -> None:
    """Refuse a schedule that cannot be run.

    Raises:
        ConfigError: The world has no controller, a dataset is missing, or another setting says otherwise.
    """
    anneal, cloning = settings.anneal, settings.cloning
    if anneal is None:
        return
    if venue.world.expert is None:
        raise ConfigError(
            f"{venue.world.id!r} has no expert to hand over from; leave out anneal",
            code="world_has_no_expert",
            world=venue.world.id,
        )
    if anneal.needs_demonstrations and (cloning is None or cloning.dataset is None):
        raise ConfigError(
            "anneal: its stages imitate; name the dataset in cloning.dataset", code="anneal_needs_dataset"
        )
    if settings.ppo.teacher_share != 0.0 or settings.ppo.vtrace is not None:
        raise ConfigError(
            "anneal: its stages set the share of the expert; leave out ppo.teacher_share and ppo.vtrace",
            code="anneal_excludes_teacher_share",
        )
    if cloning is not None and cloning.anneal != 0.0:
        raise ConfigError(
            "anneal: its stages set the weight of the cloning loss (bc_weight); leave cloning.anneal at 0",
            code="anneal_excludes_cloning_anneal",
        )
    steps = anneal_steps(anneal, settings)
    if steps != settings.steps:
        raise ConfigError(
            f"anneal: its ppo stages take {anneal.cycles} cycles of {settings.ppo.rollout_steps} decisions in "
            f"{settings.copies} copies; set steps to {steps}, not {settings.steps}",
            code="anneal_needs_other_steps",
            steps=settings.steps,
            needed=steps,
        )


def gate_of(anneal: AnnealSettings, settings: TrainingSettings) -> GateSettings:
    """Return what a clone must reach after a bc stage."""
    given = None if settings.cloning is None else settings.cloning.gate
    return (given or GateSettings()).model_copy(update={"accuracy": anneal.accuracy_threshold})
