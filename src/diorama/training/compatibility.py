"""Checks of settings against their world: what it needs of a trainer, its course, its matches, its expert."""

from collections.abc import Mapping
from pathlib import Path

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ConfigError, DioramaError, UnknownName
from diorama.contracts.matches import MatchRules
from diorama.contracts.plans import TrainingNeeds
from diorama.contracts.world import World
from diorama.engine.seeding import as_seed
from diorama.engine.venue import Venue
from diorama.learn.policies.names import parse_name
from diorama.learn.selfplay.curriculum import Curriculum
from diorama.learn.selfplay.matchmaking import Matchmaker
from diorama.learn.settings import TrainerSettings
from diorama.learn.settings.imitation import AnnealSettings, GateSettings
from diorama.learn.settings.starts import StartSource
from diorama.runs.champions import champion_id, is_champion_id, read_champion_header
from diorama.runs.checkpoints.headers import check_fits_world
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
    if needs.gamma is not None and settings.ppo.is_per_tick:
        problems.append("ppo.discount is per_tick, but the rewards are made for a discount per decision")
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
            known = (*dict.fromkeys((*rules.scripts, *venue.world.bots)), champion_id(venue.world.id))
            if name not in known:
                raise UnknownName.among("script (in self_play.scripts)", name, known, code="unknown_script")
        if champions_met(settings):
            _check_champion(venue, settings)
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


def champions_met(settings: TrainingSettings) -> tuple[str, ...]:
    """Return the champions among the opponents of a run."""
    scripts = () if settings.self_play is None else settings.self_play.scripts or ()
    return tuple(name for name in scripts if is_champion_id(name))


def bots_met(venue: Venue, settings: TrainingSettings) -> tuple[str, ...]:
    """Return the bots among the opponents of a run that are no scripts of the world, and so decide for seats."""
    if settings.self_play is None:
        return ()
    rules = match_rules(venue)
    return tuple(
        name for name in settings.self_play.scripts or () if name in venue.world.bots and name not in rules.scripts
    )


def _check_champion(venue: Venue, settings: TrainingSettings) -> None:
    header = read_champion_header(venue.world.id)
    check_fits_world(header, venue.spec)
    memory, most = parse_name(header.policy_arch).memory_size, parse_name(settings.policy.arch).memory_size
    if memory > most:
        # The memories of all opponents lie in one array, as wide as the learner's.
        raise ConfigError(
            f"{champion_id(venue.world.id)} is a {header.policy_arch!r} policy, which remembers {memory} numbers; "
            f"{settings.policy.arch!r} has room for {most}: choose a policy.arch with as much memory",
            code="champion_has_more_memory",
            arch=header.policy_arch,
            memory=memory,
            most=most,
        )


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
        curriculum=None
        if curriculum is None
        else Curriculum(venue.world.curriculum, curriculum, copies=settings.copies),
        side_overrides=() if curriculum is not None else rules.side_overrides(venue.config),
    )


def check_starts(venue: Venue, settings: TrainingSettings) -> None:
    """Refuse start states that the world or the run cannot use.

    Raises:
        ConfigError: The copies share a clock, change their configuration or live on a GPU, or there is no bot.
        UnknownName: There is no such bot.
    """
    starts, world = settings.starts, venue.world
    if starts is None:
        return
    if needs_of(world.id, venue.config.model_dump()).one_lane:
        raise ConfigError(
            f"starts: copies of {world.id!r} share a clock, so none can go elsewhere alone; leave it out",
            code="starts_need_copies_of_their_own",
            world=world.id,
        )
    if settings.course is not None or (world.course is not None and world.course.cycles(venue.config)):
        raise ConfigError(
            "starts: the configuration of the copies changes during the run, and a stored state has only one; "
            "leave out starts, or what changes it",
            code="starts_need_one_configuration",
        )
    if settings.execution.is_pipelined:
        raise ConfigError(
            "starts cannot be combined with the pipeline of a GPU; add --set execution.pipeline=false",
            code="starts_exclude_pipeline",
        )
    if StartSource.DEMONSTRATIONS in starts.sources:
        demonstrating_bot(venue, settings)


def demonstrating_bot(venue: Venue, settings: TrainingSettings) -> str:
    """Return the bot whose episodes give start states.

    Raises:
        ConfigError: No bot is named, and the world has no expert.
        UnknownName: There is no such bot.
    """
    assert settings.starts is not None, "only start states ask for it"
    cloned = None if settings.cloning is None else settings.cloning.bot
    name = settings.starts.bot or cloned or venue.world.expert
    bots = venue.world.bots
    if name is None:
        raise ConfigError(
            f"starts: {venue.world.id!r} has no expert; name a bot in starts.bot: {', '.join(bots)}",
            code="starts_need_bot",
            world=venue.world.id,
        )
    if name not in bots:
        raise UnknownName.among(f"bot of {venue.world.id!r} (in starts.bot)", name, bots, code="unknown_bot")
    return name


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


def check_teacher_exists(world: World[WorldConfig], name: str) -> None:
    """Refuse the name of a teacher that is no bot, champion, run directory or checkpoint.

    Raises:
        UnknownName: There is nothing of that name.
    """
    if name not in world.bots and not is_champion_id(name) and not Path(name).exists():
        raise UnknownName.among(
            f"run directory, checkpoint, champion/WORLD or bot of {world.id!r} (in kickstarting.teacher)",
            name,
            world.bots,
            code="unknown_teacher",
        )
