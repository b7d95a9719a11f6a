"""`Setting`: what an episode of a session and its next have in common, and how it is read from a request."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from pydantic import JsonValue

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ConfigError
from diorama.contracts.foreign_config import FileAccess, parse_foreign_config
from diorama.contracts.spec import WorldSpec
from diorama.contracts.world import World
from diorama.engine.players import Contender, bot_contender
from diorama.engine.venue import Venue
from diorama.server.descriptors import variant_settings
from diorama.server.errors import BadValue
from diorama.server.play.both_sides import with_both_sides
from diorama.server.play.policies import PolicyShelf
from diorama.worlds.registry import load_world, world_ids

TIME_KEY: Final = "time_max"  # where a world's configuration holds its time budget, in ticks


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Where a session is played and by whom.

    Attributes:
        venue: World and configuration.
        seat: The seat that is played by hand.
        others: Bot or run that plays the other seats; None if they take no-ops.
        asked: The venue as it was asked for, if every episode must have seats on two sides.
        spec: Contract of the world in this configuration.
        config_hash: SHA-256 of world, interface version and configuration.
    """

    venue: Venue
    seat: int
    others: Contender | None
    asked: Venue | None = None
    spec: WorldSpec = field(init=False)
    config_hash: str = field(init=False)

    def __post_init__(self) -> None:
        """Work the contract out once; it is asked for at every step.

        Raises:
            BadValue: There is no such seat.
        """
        object.__setattr__(self, "spec", self.venue.spec)
        object.__setattr__(self, "config_hash", self.venue.config_hash)
        if not 0 <= self.seat < self.spec.agents:
            seats = f"0..{self.spec.agents - 1}"
            raise BadValue(f"seat {self.seat} does not exist; {self.spec.world!r} has {seats}")

    def in_seat(self, seat: int | None) -> "Setting":
        """Return the same with another seat played by hand, if one is named.

        Raises:
            BadValue: There is no such seat.
        """
        return self if seat is None else replace(self, seat=seat)

    def for_episode(self, seed: int) -> "Setting":
        """Return the same with at least as many seats as the episode of a seed needs.

        Raises:
            ConfigError: It has no seats on two sides, and must have.
        """
        if self.asked is None:
            return self
        # From what was asked for: seats that were added for another seed may show two sides and not all ships.
        venue = with_both_sides(self.asked, seed)
        return replace(self, venue=venue) if venue.spec.agents > self.spec.agents else self

    @property
    def time_budget_ticks(self) -> float | None:
        """Ticks after which an episode is cut off; None if the world knows no such thing."""
        budget = self.venue.config.model_dump().get(TIME_KEY)
        return None if budget is None else float(budget)


def open_setting(
    shelf: PolicyShelf,
    *,
    world_id: str | None,
    variant: str | None = None,
    env_time_max: float | None,
    config: Mapping[str, JsonValue] | None,
    seat: int,
    others: str | None,
    both_sides_of: int | None = None,
) -> Setting:
    """Read what a person asks for; `both_sides_of` is the seed of the episode if two sides of it must have seats.

    Raises:
        UnknownName: There is no such world, variant, bot or run.
        BadValue: A value is wrong.
        ConfigError: Two values contradict one another.
    """
    world = load_world(world_ids()[0] if world_id is None else world_id)
    if variant is not None and config:
        raise ConfigError(f"variant is {variant!r} and config is given, too; give one")
    given: dict[str, object] = {**variant_settings(world, variant), **(config or {})}
    if env_time_max is not None:
        if TIME_KEY not in world.config_type.model_fields:
            raise ConfigError(f"{world.id!r} has no time budget; leave env_time_max out")
        if given.setdefault(TIME_KEY, env_time_max) != env_time_max:
            raise ConfigError(f"env_time_max is {env_time_max} and config.{TIME_KEY} is {given[TIME_KEY]}; give one")
    if both_sides_of is not None and world.matches is not None:
        given.update(world.matches.mirrored)
    venue = replace(public_venue(world, given, shelf.files), threads=1)
    if both_sides_of is None:
        return seated(shelf, venue, seat=seat, others=others)
    setting = seated(shelf, with_both_sides(venue, both_sides_of), seat=seat, others=others)
    return replace(setting, asked=venue)


def public_venue(world: World[WorldConfig], given: Mapping[str, object] | None, files: FileAccess) -> Venue:
    """Return where a configuration that came over the network is played.

    Args:
        world: The world.
        given: Its own configuration.
        files: Which files it may name.

    Raises:
        BadValue: A value is wrong, or names a file that is not allowed.
    """
    try:
        parsed = parse_foreign_config(world, given or {}, "config", files=files)
    except ConfigError as error:
        raise BadValue(str(error), code=error.code, **error.fields) from None
    return Venue(world=world, config=parsed)


def seated(shelf: PolicyShelf, venue: Venue, *, seat: int, others: str | None) -> Setting:
    """Give a person a seat and find who plays the others.

    Raises:
        UnknownName: There is no such bot or run.
        BadValue: There is no such seat.
        ConfigError: There are no others.
    """
    if others is not None and venue.spec.agents == 1:
        raise ConfigError(f"{venue.world.id!r} has one seat; leave others out")
    world = venue.world
    companion = None if world.companion is None else world.companion(venue.config)
    # Where the world's own controller has nothing to say, the bot that is like it still can play.
    named = None if venue.spec.agents == 1 else others or companion or world.expert
    return Setting(venue=venue, seat=seat, others=None if named is None else contender_named(shelf, venue, named))


def contender_named(shelf: PolicyShelf, venue: Venue, name: str) -> Contender:
    """Return a scripted baseline of the world, or else the newest policy of a run.

    Raises:
        UnknownName: It is neither.
    """
    if name in venue.world.bots:
        return bot_contender(venue.world, name)
    return shelf.newest(name, venue.spec).contender()
