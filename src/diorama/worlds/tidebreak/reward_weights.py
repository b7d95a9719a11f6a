"""The twelve parts a reward is made of, and how much each counts."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Component(StrEnum):
    """Parts of the reward, in their order."""

    DEALT = "dealt"
    TAKEN = "taken"
    KILL = "kill"
    OWN_LOSS = "own_loss"
    TEAM_LOSS = "team_loss"
    OBJECTIVE_PROGRESS = "objective_progress"
    OBJECTIVE_RESULT = "objective_result"
    CONTACT = "contact"
    WASTE = "waste"
    HAZARD_AND_COLLISION = "hazard_and_collision"
    TIME = "time"
    TERMINAL = "terminal"


class RewardPreset(StrEnum):
    """Named sets of weights."""

    DUEL = "duel"
    ESCORT = "escort"
    RAID = "raid"
    SPARSE = "sparse"


DEFAULT_TEAM_SHARE: Final = 0.3

_DUEL: Final = {
    Component.DEALT: 2.0,
    Component.TAKEN: 0.5,
    Component.KILL: 1.0,
    Component.OWN_LOSS: 0.5,
    Component.TEAM_LOSS: 0.3,
    Component.OBJECTIVE_PROGRESS: 0.5,
    Component.OBJECTIVE_RESULT: 1.0,
    Component.CONTACT: 0.02,
    Component.WASTE: 0.002,
    Component.HAZARD_AND_COLLISION: 0.05,
    Component.TIME: 0.0005,
    Component.TERMINAL: 1.0,
}
_PRESETS: Final[Mapping[RewardPreset, Mapping[Component, float]]] = {
    RewardPreset.DUEL: _DUEL,
    # What is protected counts more than what is sunk, and losing a ship of the convoy hurts.
    RewardPreset.ESCORT: {
        **_DUEL,
        Component.DEALT: 1.0,
        Component.KILL: 0.5,
        Component.TEAM_LOSS: 1.0,
        Component.OBJECTIVE_PROGRESS: 1.0,
        Component.OBJECTIVE_RESULT: 2.0,
    },
    # Damage to the enemy's cost is the task itself; the raider must still get away.
    RewardPreset.RAID: {
        **_DUEL,
        Component.OWN_LOSS: 1.0,
        Component.OBJECTIVE_PROGRESS: 1.0,
        Component.OBJECTIVE_RESULT: 1.5,
        Component.TERMINAL: 0.5,
    },
    RewardPreset.SPARSE: {component: 1.0 if component is Component.TERMINAL else 0.0 for component in Component},
}


def weights_of(preset: RewardPreset, overrides: Mapping[Component, float]) -> tuple[float, ...]:
    """Return one weight per component, in their order."""
    weights = {**_PRESETS[preset], **overrides}
    return tuple(weights[component] for component in Component)
