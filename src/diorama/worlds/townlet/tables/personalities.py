"""Personality profiles: what a citizen is like, and what that changes."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from pydantic import Field

from diorama.contracts.sections import Section
from diorama.worlds.townlet.config.loading import validated
from diorama.worlds.townlet.data.reading import parse_yaml, read_shipped

_FILE: Final = "personalities.yaml"


class _Traits(Section):
    extroversion: float = Field(default=0.0, ge=-1.0, le=1.0)
    forgiveness: float = Field(default=0.0, ge=-1.0, le=1.0)
    ambition: float = Field(default=0.0, ge=-1.0, le=1.0)


class _Needs(Section):
    hunger: float = Field(default=1.0, gt=0.0)
    hygiene: float = Field(default=1.0, gt=0.0)
    energy: float = Field(default=1.0, gt=0.0)


class _Rewards(Section):
    social: float = Field(default=1.0, gt=0.0)
    employment: float = Field(default=1.0, gt=0.0)
    survival: float = Field(default=1.0, gt=0.0)


class _Behavior(Section):
    chat_preference: float = Field(default=1.0, gt=0.0)
    work_affinity: float = Field(default=1.0, gt=0.0)
    conflict_tolerance: float = Field(default=1.0, gt=0.0)


class _Entry(Section):
    traits: _Traits = Field(default_factory=_Traits)
    needs: _Needs = Field(default_factory=_Needs)
    rewards: _Rewards = Field(default_factory=_Rewards)
    behavior: _Behavior = Field(default_factory=_Behavior)


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One profile; factors are 1 where it changes nothing.

    Attributes:
        traits: Extroversion, forgiveness and ambition, before jitter.
        need_factors: Multipliers of need decay and need thresholds.
    """

    index: int
    name: str
    traits: tuple[float, float, float]
    need_factors: tuple[float, float, float]
    social_bias: float
    employment_bias: float
    survival_bias: float
    chat_preference: float
    work_affinity: float
    conflict_tolerance: float


@cache
def profiles() -> tuple[Profile, ...]:
    """All profiles, by index."""
    document = parse_yaml(read_shipped(_FILE), _FILE)
    return tuple(
        _profile(index, name, validated(_Entry, entry, _FILE)) for index, (name, entry) in enumerate(document.items())
    )


def profile_names() -> tuple[str, ...]:
    """Names of all profiles, by index."""
    return tuple(profile.name for profile in profiles())


def _profile(index: int, name: str, entry: _Entry) -> Profile:
    return Profile(
        index=index,
        name=name,
        traits=(entry.traits.extroversion, entry.traits.forgiveness, entry.traits.ambition),
        need_factors=(entry.needs.hunger, entry.needs.hygiene, entry.needs.energy),
        social_bias=entry.rewards.social,
        employment_bias=entry.rewards.employment,
        survival_bias=entry.rewards.survival,
        chat_preference=entry.behavior.chat_preference,
        work_affinity=entry.behavior.work_affinity,
        conflict_tolerance=entry.behavior.conflict_tolerance,
    )
