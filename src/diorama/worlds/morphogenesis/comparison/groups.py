"""Groups that differ in one thing, and the control cohorts a claim about growth is held against."""

from enum import Enum
from itertools import combinations
from string import ascii_uppercase
from typing import Final

from diorama.worlds.morphogenesis.contracts.errors import ConfigError
from diorama.worlds.morphogenesis.contracts.reward_modes import RewardMode

PAIR_SEPARATOR: Final = "-vs-"
PAIRED_MODES: Final = (
    RewardMode.SHAPED,
    RewardMode.SIMPLIFIED,
    RewardMode.SPARSE,
    RewardMode.ESCROW,
    RewardMode.BASIC,
)
DUAL_AB_PAIRS: Final[dict[str, tuple[RewardMode, RewardMode]]] = {
    f"{first.value}{PAIR_SEPARATOR}{second.value}": (first, second) for first, second in combinations(PAIRED_MODES, 2)
}
"""Every unordered pair of reward modes that can be compared, by its name."""


class Cohort(Enum):
    """Who decides in a control cohort; all of them share the root key."""

    OFF_SWITCH = "off_switch"
    STATIC_INITIAL = "static_initial"
    STATIC_FINAL_SOURCE = "static_final_source"
    STATIC_FINAL = "static_final"
    FIXED_SCHEDULE = "fixed_schedule"
    LOCKSTEP_REWARD_AB = "lockstep_reward_ab"


def pair_named(name: str) -> tuple[RewardMode, RewardMode]:
    """Return the two modes of a pair, in the order the name gives them.

    Raises:
        ConfigError: There is no such pair.
    """
    if name in DUAL_AB_PAIRS:
        return DUAL_AB_PAIRS[name]
    turned = PAIR_SEPARATOR.join(reversed(name.split(PAIR_SEPARATOR)))
    if turned in DUAL_AB_PAIRS:
        first, second = DUAL_AB_PAIRS[turned]
        return second, first
    raise ConfigError(f"no pair of reward modes is called {name!r}; there are: {', '.join(DUAL_AB_PAIRS)}")


def group_id(index: int) -> str:
    """Return the letter of a group: A, B and so on."""
    if not 0 <= index < len(ascii_uppercase):
        raise ConfigError(f"group {index} has no letter; there can be {len(ascii_uppercase)} groups")
    return ascii_uppercase[index]
