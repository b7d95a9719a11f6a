"""How nearly two tiers must agree: bit for bit, or within the tolerance their spec allows."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from diorama.contracts.config import WorldConfig
from diorama.contracts.values import F64
from diorama.contracts.world import World


class Profile(StrEnum):
    """The two ways of judging."""

    EXACT = "exact"
    TOLERANT = "tolerant"


class Kind(StrEnum):
    """What a compared field is, which decides its tolerance."""

    DISCRETE = "discrete"
    OBSERVATION = "observation"
    REWARD = "reward"
    METRIC = "metric"
    STATE = "state"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """Two numbers agree within `absolute + relative * max(floor, |a|, |b|)`."""

    absolute: float
    relative: float
    floor: float

    def limits(self, reference: F64, fast: F64) -> F64:
        """Return the largest difference allowed for each pair."""
        largest = np.maximum(np.maximum(np.abs(reference), np.abs(fast)), self.floor)
        return np.asarray(self.absolute + self.relative * largest, np.float64)


_STEP = Tolerance(absolute=1e-6, relative=1e-5, floor=0.0)
_METRIC = Tolerance(absolute=0.0, relative=1e-4, floor=1.0)
_TOLERANT = {Kind.OBSERVATION: _STEP, Kind.REWARD: _STEP, Kind.METRIC: _METRIC}


def declared_profile(world: World[WorldConfig]) -> Profile:
    """Return how nearly the tiers of a world agree by its own word."""
    return Profile.TOLERANT if world.tolerance else Profile.EXACT


def tolerance_of(kind: Kind, profile: Profile, declared: float = 0.0) -> Tolerance | None:
    """Return how far numbers of this kind may differ; None means not at all.

    Args:
        kind: What is compared.
        profile: How it is judged.
        declared: What the world says its tiers may lie apart, where that is more.
    """
    usual = None if profile is Profile.EXACT else _TOLERANT.get(kind)
    if usual is None or not declared:
        return usual
    return Tolerance(absolute=max(usual.absolute, declared), relative=max(usual.relative, declared), floor=usual.floor)


def is_compared(kind: Kind, profile: Profile) -> bool:
    """Tell whether the profile looks at this kind: a hash of the state agrees exactly or says nothing."""
    return profile is Profile.EXACT or kind is not Kind.STATE
