"""Gives all ships of a battle a seat, where whoever opposes a person is to lead them."""

from dataclasses import replace
from typing import Final

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ConfigError
from diorama.contracts.matches import EMPTY_SEAT, MatchRules
from diorama.engine.venue import Venue

SEATS_KEY: Final = "seats"  # where a world's configuration holds how many seats there are
MOST_SEATS: Final = 64


def with_both_sides(venue: Venue, seed: int) -> Venue:
    """Return where the episode of a seed has seats on two sides: the same place, or one with a seat for every ship.

    How many ships a side has may be drawn with the episode.

    Raises:
        ConfigError: The world is not fought by sides, or more seats do not reach a second one.
    """
    matches = venue.world.matches
    if matches is None:
        raise ConfigError(f"{venue.world.id!r} is not fought by sides; leave both_sides out")
    if _seats_needed(venue, matches, seed) is not None:
        return venue
    if SEATS_KEY in venue.world.config_type.model_fields:
        needed = _seats_needed(_with_seats(venue, MOST_SEATS), matches, seed)
        if needed is not None:
            return _with_seats(venue, needed)
    raise ConfigError(f"both_sides: all seats of seed {seed} are on one side in this configuration; leave it out")


def _seats_needed(venue: Venue, matches: MatchRules[WorldConfig], seed: int) -> int | None:
    """Return how many of the first seats somebody fills; None if all of them are of one side."""
    batch = venue.batch(venue.config, 1)
    try:
        batch.reset([seed])
        sides = matches.sides(venue.config, batch.opening_record(0))
    finally:
        batch.close()
    filled = [seat for seat, side in enumerate(sides) if side != EMPTY_SEAT]
    return filled[-1] + 1 if len({sides[seat] for seat in filled}) > 1 else None


def _with_seats(venue: Venue, seats: int) -> Venue:
    config_type = venue.world.config_type
    given = {**venue.config.model_dump(), SEATS_KEY: seats}
    return replace(venue, config=parse_config(venue.world.id, config_type, given))
