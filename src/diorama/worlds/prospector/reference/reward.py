"""What a step earns, term by term, under the two reward profiles."""

from collections.abc import Callable, Mapping
from typing import Final

from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import Act
from diorama.worlds.prospector.reference.constants import (
    CREDITS_PER_POINT,
    HEAT_FREE,
    HEAT_SCALE,
    HEAT_WEIGHT,
    PRICE_BASE,
    V1_BONUS_WEIGHT,
    V1_DAMAGE_SCALE,
    V1_DAMAGE_WEIGHT,
    V1_DESTROYED,
    V1_EXTRACT_WEIGHT,
    V1_FUEL_SCALE,
    V1_FUEL_WEIGHT,
    V1_PER_TICK,
    V1_PIRATE_WEIGHT,
    V1_SCAN,
    V1_STRANDED,
    V1_WEAR_SCALE,
    V1_WEAR_WEIGHT,
    V2_DAMAGE_WEIGHT,
    V2_DESTROYED,
    V2_ORE_WEIGHT,
    V2_PER_TICK,
    V2_STRANDED,
)
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.turn import Turn

Terms = dict[str, float]

SCANS: Final = (Act.WIDE_SCAN, Act.FOCUSED_SCAN_SELECTED, Act.DEEP_SCAN_SELECTED)


def reward_terms(state: State, config: ProspectorConfig, turn: Turn) -> Terms:
    """Return the terms of the configured profile, in their order, for the step just taken."""
    return PROFILES[config.reward_profile](state, config, turn)


def total_reward(terms: Mapping[str, float]) -> float:
    """Return the reward: the terms added up in their order."""
    first, *rest = terms.values()
    reward = first
    for term in rest:
        reward += term
    return reward


def terms_v1(state: State, config: ProspectorConfig, turn: Turn) -> Terms:
    """The frozen profile: damage dominates, and ore pays a little as it is dug."""
    ship, before = state.ship, turn.before
    value_gain = state.cargo_value(state.market.price) - before.cargo_value
    value_lost = state.counters.value_lost_to_pirates - before.value_lost_to_pirates
    return {
        "sale": (ship.credits - before.credits) / CREDITS_PER_POINT,
        "extract": V1_EXTRACT_WEIGHT * max(0.0, value_gain) / CREDITS_PER_POINT,
        "fuel": V1_FUEL_WEIGHT * max(0.0, before.fuel - ship.fuel) / V1_FUEL_SCALE,
        "time": V1_PER_TICK * turn.dt,
        "wear": V1_WEAR_WEIGHT * max(0.0, before.tool - ship.tool) / V1_WEAR_SCALE,
        "heat": _heat_term(ship.heat),
        "damage": V1_DAMAGE_WEIGHT * max(0.0, before.hull - ship.hull) / V1_DAMAGE_SCALE,
        "scan": V1_SCAN if turn.action in SCANS else 0.0,
        "invalid": _invalid_term(config, turn),
        "pirate": V1_PIRATE_WEIGHT * value_lost / CREDITS_PER_POINT,
        "terminal": _terminal_v1(state, turn),
    }


def terms_v2(state: State, config: ProspectorConfig, turn: Turn) -> Terms:
    """The profit-aligned profile: ore is credited when loaded and debited when it leaves the hold."""
    ship, before = state.ship, turn.before
    # Unsold ore is worth nothing once the episode is over.
    base_value = 0.0 if turn.ending.is_over else state.cargo_value(PRICE_BASE)
    return {
        "credits": (ship.credits - before.credits) / CREDITS_PER_POINT,
        "ore": V2_ORE_WEIGHT * (base_value - before.cargo_base_value) / CREDITS_PER_POINT,
        "time": V2_PER_TICK * turn.dt,
        "damage": V2_DAMAGE_WEIGHT * max(0.0, before.hull - ship.hull),
        "heat": _heat_term(ship.heat),
        "invalid": _invalid_term(config, turn),
        "terminal": _terminal_v2(turn),
    }


PROFILES: Final[Mapping[str, Callable[[State, ProspectorConfig, Turn], Terms]]] = {"v1": terms_v1, "v2": terms_v2}
TERM_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "v1": (
        "sale",
        "extract",
        "fuel",
        "time",
        "wear",
        "heat",
        "damage",
        "scan",
        "invalid",
        "pirate",
        "terminal",
    ),
    "v2": ("credits", "ore", "time", "damage", "heat", "invalid", "terminal"),
}


def _heat_term(heat: float) -> float:
    excess = max(0.0, heat - HEAT_FREE) / HEAT_SCALE
    return HEAT_WEIGHT * excess * excess


def _invalid_term(config: ProspectorConfig, turn: Turn) -> float:
    return -config.invalid_action_pen if turn.is_invalid else 0.0


def _terminal_v1(state: State, turn: Turn) -> float:
    ending, term = turn.ending, 0.0
    if ending.is_stranded:
        term += V1_STRANDED
    if ending.is_destroyed:
        term += V1_DESTROYED
    if ending.is_over and not ending.is_stranded and not ending.is_destroyed:
        term += V1_BONUS_WEIGHT * state.ship.credits / CREDITS_PER_POINT
    return term


def _terminal_v2(turn: Turn) -> float:
    if turn.ending.is_destroyed:
        return V2_DESTROYED
    return V2_STRANDED if turn.ending.is_stranded else 0.0
