"""What a run learns in, cycle by cycle, as its world's course and its own settings say."""

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.world import World
from diorama.engine.venue import Venue
from diorama.operate.training.layers import laid_over
from diorama.operate.training.settings import CourseSettings, TrainingSettings


def overlays_of(world: World[WorldConfig], course: CourseSettings) -> tuple[str, ...]:
    """Return the overlays a run walks along, in order.

    Raises:
        ConfigError: The world has none, or the last comes before the first.
        UnknownName: There is no such overlay.
    """
    names = tuple(world.overlays)
    if not names or world.course is None:
        raise ConfigError(f"{world.id!r} has no overlays to walk along; leave out course")
    first, last = (
        names.index(_known(world.id, name, names)) for name in (course.first or names[0], course.last or names[-1])
    )
    if last < first:
        raise ConfigError(f"course: {names[last]} comes before {names[first]}; the order is {', '.join(names)}")
    return names[first : last + 1]


def first_overlay(venue: Venue, settings: TrainingSettings) -> str | None:
    """Return the overlay a run begins with; None for none."""
    return settings.overlay if settings.course is None else overlays_of(venue.world, settings.course)[0]


def config_in_cycle(venue: Venue, settings: TrainingSettings, overlay: str | None, cycle: int) -> WorldConfig:
    """Return the configuration a run learns in at an overlay, in a cycle from 0.

    Raises:
        ConfigError: The two make no sense together.
    """
    world, config = venue.world, venue.config
    if world.course is None:
        return config
    if settings.course is not None and overlay is not None:
        config = parse_config(world.id, world.config_type, laid_over(world.overlays[overlay], settings.config))
    return world.course.config_at(config, overlay, cycle)


def check_course(venue: Venue, settings: TrainingSettings) -> None:
    """Refuse a course that leads to a configuration which makes no sense; see `overlays_of` and `config_in_cycle`."""
    world = venue.world
    overlays = (settings.overlay,) if settings.course is None else overlays_of(world, settings.course)
    if world.course is None:
        return
    for overlay in overlays:
        for cycle in (0, *world.course.cycles(config_in_cycle(venue, settings, overlay, 0))):
            config_in_cycle(venue, settings, overlay, cycle)


def _known(world_id: str, name: str, names: tuple[str, ...]) -> str:
    if name not in names:
        raise UnknownName.among(f"overlay of {world_id!r} (in course)", name, names)
    return name
