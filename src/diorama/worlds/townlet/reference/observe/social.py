"""The social block: the two best friends and the two worst rivals of a citizen."""

from typing import NamedTuple

from diorama.worlds.townlet.layout import SOCIAL_SLOTS, SOCIAL_WIDTH
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.ties import Tie
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.embedding import identity_vector
from diorama.worlds.townlet.reference.systems.ties import rivalry_now

FRIENDS = 2


class SocialBlock(NamedTuple):
    """Values of the block in order, and the embedding slots it shows, -1 for an empty place."""

    values: list[float]
    slots: tuple[int, ...]


_EMPTY = SocialBlock([0.0] * (SOCIAL_SLOTS * SOCIAL_WIDTH + 4), (-1,) * SOCIAL_SLOTS)


def social_block(town: Town, citizen: Citizen) -> SocialBlock:
    """The block of a citizen; zeros while ties are not observed."""
    if not citizen.ties or not town.config.features.observes_relationships:
        return _EMPTY
    places = _places(town, citizen)
    values: list[float] = []
    trusts: list[float] = []
    rivalries: list[float] = []
    for tie in places:
        if tie is None:
            values += [0.0] * SOCIAL_WIDTH
            continue
        rivalry = rivalry_now(town, tie)
        values += [*identity_vector(_slot(town, tie)), tie.trust, tie.familiarity, rivalry]
        trusts.append(tie.trust)
        rivalries.append(rivalry)
    values += [_mean(trusts), max(trusts), _mean(rivalries), max(rivalries)]
    return SocialBlock(values, tuple(-1 if tie is None else _slot(town, tie) for tie in places))


def _places(town: Town, citizen: Citizen) -> list[Tie | None]:
    by_liking = sorted(citizen.ties, key=lambda tie: (-(tie.trust + tie.familiarity), _slot(town, tie)))
    friends, others = by_liking[:FRIENDS], by_liking[FRIENDS:]
    rivals = sorted(others, key=lambda tie: (-rivalry_now(town, tie), _slot(town, tie)))[: SOCIAL_SLOTS - FRIENDS]
    places: list[Tie | None] = [*friends, *[None] * (FRIENDS - len(friends)), *rivals]
    return places + [None] * (SOCIAL_SLOTS - len(places))


def _slot(town: Town, tie: Tie) -> int:
    return town.citizen(tie.other).slot


def _mean(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total / len(values)
