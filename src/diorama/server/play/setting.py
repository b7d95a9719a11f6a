"""`Setting`: what an episode of a session and its next have in common, and how it is read from a request."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from pydantic import JsonValue

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ConfigError
from diorama.contracts.spec import WorldSpec
from diorama.contracts.world import World
from diorama.learn.evaluation.players import Contender, bot_contender
from diorama.learn.evaluation.venue import Venue
from diorama.server.descriptors import variant_settings
from diorama.server.errors import BadValue
from diorama.server.play.policies import PolicyShelf
from diorama.worlds.registry import load_world, world_ids

TIME_KEY: Final = "time_max"  # where a world's configuration holds its time budget, in ticks
SEATS_KEY: Final = "seats"  # and how many seats there are


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Where a session is played and by whom.

    Attributes:
        venue: World and configuration.
        seat: The seat that is played by hand.
        others: Bot or run that plays the other seats; None if they take no-ops.
        spec: Contract of the world in this configuration.
        config_hash: SHA-256 of world, interface version and configuration.
    """

    venue: Venue
    seat: int
    others: Contender | None
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
    both_sides: bool = False,
) -> Setting:
    """Read what a person asks for.

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
    if both_sides:
        given.update(_overrides_for_both_sides(world, given))
    return seated(shelf, replace(public_venue(world, given), threads=1), seat=seat, others=others)


def _overrides_for_both_sides(world: World[WorldConfig], given: Mapping[str, object]) -> Mapping[str, object]:
    if world.matches is None:
        raise ConfigError(f"{world.id!r} is not fought by sides; leave both_sides out")
    has_one_seat = public_venue(world, {**given, **world.matches.mirrored}).spec.agents == 1
    seats = {SEATS_KEY: 2} if has_one_seat and SEATS_KEY in world.config_type.model_fields else {}
    return {**world.matches.mirrored, **seats}


def public_venue(world: World[WorldConfig], given: Mapping[str, object] | None, *, is_trusted: bool = False) -> Venue:
    """Return where a configuration that came over the network is played.

    Args:
        world: The world.
        given: Its own configuration.
        is_trusted: The configuration lay on this machine, so it may name files of this machine.

    Raises:
        BadValue: A value is wrong, or names a file.
    """
    try:
        parsed = parse_config(world.id, world.config_type, given or {})
    except ConfigError as error:
        raise BadValue(f"config: {error}") from None
    named = () if is_trusted or world.named_files is None else world.named_files(parsed)
    if named:
        raise BadValue(f"config: {named[0][:200]!r} does not come with {world.id!r}; files cannot be named from afar")
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
    named = None if venue.spec.agents == 1 else others or companion or world.advisor
    return Setting(venue=venue, seat=seat, others=None if named is None else contender_named(shelf, venue, named))


def contender_named(shelf: PolicyShelf, venue: Venue, name: str) -> Contender:
    """Return a scripted baseline of the world, or else the newest policy of a run.

    Raises:
        UnknownName: It is neither.
    """
    if name in venue.world.bots:
        return bot_contender(venue.world, name)
    return shelf.newest(name, venue.spec).contender()
