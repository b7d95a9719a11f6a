"""Checks self-play and curriculum of a plan against its world."""

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.matches import MatchRules
from diorama.engine.seeding import as_seed
from diorama.engine.venue import Venue
from diorama.learn.selfplay.matchmaking import Matchmaker
from diorama.learn.selfplay.ratings import Ladder
from diorama.operate.training.settings import TrainingSettings


def match_rules(venue: Venue) -> MatchRules[WorldConfig]:
    """Return how the world is fought.

    Raises:
        ConfigError: It has no opponents.
    """
    if venue.world.matches is None:
        raise ConfigError(f"{venue.world.id!r} has no opponents; leave out self_play and curriculum")
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
                raise UnknownName.among("script (in self_play.scripts)", name, rules.scripts)
        if settings.self_play.scripts == () and settings.self_play.pool_every is None:
            raise ConfigError("self_play: without scripts and without pool_every there is nobody to meet")
    given = venue.config.model_dump(exclude_unset=True)
    if maker.ladder is not None:
        for stage in maker.ladder.stages[maker.ladder.place :]:
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
        ladder=None if curriculum is None else Ladder(venue.world.curriculum, curriculum),
        stations=() if curriculum is not None else rules.stations(venue.config),
    )
