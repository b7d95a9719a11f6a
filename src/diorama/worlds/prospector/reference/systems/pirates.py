"""Pirates: the louder the ship and the dearer its hold, the likelier they come."""

from dataclasses import asdict

from diorama.numerics import clamp, log1p, powi, sigmoid
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import Event
from diorama.worlds.prospector.reference.constants import (
    ALERT_MAX,
    DECOY_CHANCE,
    DECOY_LOSS_FACTOR,
    PIRATE_ALERT,
    PIRATE_BIAS,
    PIRATE_ESCAPE_RELIEF,
    PIRATE_HULL_RANGE,
    PIRATE_LOSS_RANGE,
    PIRATE_PER_ALERT,
    PIRATE_PER_INTENSITY,
    PIRATE_PER_LOG_VALUE,
    PIRATE_VALUE_SCALE,
)
from diorama.worlds.prospector.reference.events import HullCause
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.turn import Turn


def watch_for_node_pirates(state: State, config: ProspectorConfig, turn: Turn) -> None:
    """Let the pirates of the current node try for the ticks of the step."""
    watch_for_pirates(state, config, turn, state.here.pirate)


def watch_for_pirates(state: State, config: ProspectorConfig, turn: Turn, intensity: float) -> None:
    """Let pirates try for the ticks of the step; nobody tries, and nothing is drawn, at the station."""
    if state.ship.is_docked:
        return
    value = state.cargo_value(state.market.price)
    chance = 1.0 - powi(1.0 - sigmoid(_encounter_logit(state, intensity, value)), turn.dt)
    # Drawn even with pirates switched off: a skipped draw would shift every later one.
    is_met = state.rng.f64() < chance
    if is_met and config.pirates:
        _raid(state, turn, value)


def _encounter_logit(state: State, intensity: float, value: float) -> float:
    ship = state.ship
    return (
        PIRATE_BIAS
        + PIRATE_PER_INTENSITY * intensity
        + PIRATE_PER_ALERT * clamp(ship.alert / ALERT_MAX, 0.0, 1.0)
        + PIRATE_PER_LOG_VALUE * log1p(value / PIRATE_VALUE_SCALE)
        - (PIRATE_ESCAPE_RELIEF if ship.escape_ticks > 0 else 0.0)
    )


def _raid(state: State, turn: Turn, value: float) -> None:
    ship, rng, counters, raids = state.ship, state.rng, state.counters, turn.raids
    loss = rng.uniform(*PIRATE_LOSS_RANGE)
    if ship.decoys > 0 and rng.f64() < DECOY_CHANCE:
        ship.decoys -= 1
        loss *= DECOY_LOSS_FACTOR
        raids.decoy_used += 1
    ship.cargo = [units * (1.0 - loss) for units in ship.cargo]
    value_lost = max(0.0, value - state.cargo_value(state.market.price))
    hull = rng.uniform(*PIRATE_HULL_RANGE)
    turn.damage(ship, hull, HullCause.PIRATE)
    ship.alert += PIRATE_ALERT
    counters.pirate_encounters += 1
    counters.value_lost_to_pirates += value_lost

    raids.count += 1
    raids.loss_frac += loss
    raids.value_lost += value_lost
    raids.hull += hull
    turn.events.record(Event.PIRATE_ENCOUNTER, asdict(raids))
