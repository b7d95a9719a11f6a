"""Mining: a worn or hot drill brings up less, and a pushed one shatters soft rock."""

from dataclasses import dataclass

from diorama.numerics import clamp, exp, sigmoid
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import Event
from diorama.worlds.prospector.reference.constants import (
    CARGO_MAX,
    DEPLETION_PER_UNIT,
    FRACTURE_BIAS,
    FRACTURE_HAZARD,
    FRACTURE_HULL,
    FRACTURE_PER_HEAT,
    FRACTURE_PER_INSTABILITY,
    FRACTURE_PER_WEAR,
    FRACTURE_SEVERITY_RANGE,
    FRACTURE_STABILIZER_RELIEF,
    HEAT_FRACTION_CAP,
    HEAT_MAX,
    HOT_DRILL_EFFICIENCY_FLOOR,
    HOT_DRILL_FROM,
    HOT_DRILL_SPAN,
    MINE_TICKS,
    TOOL_EFFICIENCY_FLOOR,
    TOOL_EFFICIENCY_SPAN,
    TOOL_MAX,
    MiningMode,
)
from diorama.worlds.prospector.reference.events import HullCause
from diorama.worlds.prospector.reference.state import NO_SELECTION, Asteroid, Ship, State
from diorama.worlds.prospector.reference.turn import Turn


@dataclass(frozen=True, slots=True)
class Mine:
    """Dig the selected asteroid for a tick."""

    mode: MiningMode

    def is_possible(self, state: State) -> bool:
        """An asteroid must be selected."""
        return state.ship.has_selection

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Load what comes up, then see whether the rock holds."""
        ship, asteroid = state.ship, state.selected
        turn.dt = MINE_TICKS
        # Both count as they were before this dig heats and wears the drill.
        tool_frac = clamp(ship.tool / TOOL_MAX, 0.0, 1.0)
        heat_frac = clamp(ship.heat / HEAT_MAX, 0.0, HEAT_FRACTION_CAP)

        noise = exp(state.rng.normal(0.0, self.mode.noise_sigma))
        units, total = self._dig(ship, asteroid, tool_frac, heat_frac, noise)
        turn.events.record(Event.MINE, {"mode": self.mode.name, "units": units, "total": total})
        ship.cargo = [held + mined for held, mined in zip(ship.cargo, units, strict=True)]
        ship.heat += self.mode.heat
        ship.alert += self.mode.alert
        ship.tool -= self.mode.tool_wear
        asteroid.depletion = clamp(asteroid.depletion + DEPLETION_PER_UNIT * total, 0.0, 1.0)
        state.counters.mining_ticks += 1

        fracture_chance = sigmoid(self._fracture_logit(ship, asteroid, tool_frac, heat_frac))
        # Drawn even with fractures switched off: a skipped draw would shift every later one.
        is_shattering = state.rng.f64() < fracture_chance
        if is_shattering and config.fractures:
            _shatter(state, turn)
        if asteroid.depletion >= 1.0:
            turn.events.record(Event.ASTEROID_DEPLETED, {"asteroid": ship.selection})
            ship.selection = NO_SELECTION

    def _dig(
        self, ship: Ship, asteroid: Asteroid, tool_frac: float, heat_frac: float, noise: float
    ) -> tuple[list[float], float]:
        tool_efficiency = TOOL_EFFICIENCY_FLOOR + TOOL_EFFICIENCY_SPAN * tool_frac
        heat_efficiency = _heat_efficiency(heat_frac)
        left = max(0.0, 1.0 - asteroid.depletion)
        scale = asteroid.richness * left * tool_efficiency * heat_efficiency * self.mode.yield_factor * noise
        units = [scale * share for share in asteroid.true_comp]
        total = 0.0
        for mined in units:
            total += mined
        room = max(0.0, CARGO_MAX - ship.cargo_total())
        if total > room and total > 0.0:
            fit = room / total
            return [mined * fit for mined in units], room
        return units, total

    def _fracture_logit(self, ship: Ship, asteroid: Asteroid, tool_frac: float, heat_frac: float) -> float:
        return (
            FRACTURE_BIAS
            + self.mode.fracture_bias
            + FRACTURE_PER_INSTABILITY * (1.0 - asteroid.stability)
            + FRACTURE_PER_HEAT * max(0.0, heat_frac - HOT_DRILL_FROM)
            + FRACTURE_PER_WEAR * (1.0 - tool_frac)
            - (FRACTURE_STABILIZER_RELIEF if ship.stabilize_ticks[ship.selection] > 0 else 0.0)
        )


def _heat_efficiency(heat_frac: float) -> float:
    if heat_frac <= HOT_DRILL_FROM:
        return 1.0
    return max(HOT_DRILL_EFFICIENCY_FLOOR, 1.0 - (heat_frac - HOT_DRILL_FROM) / HOT_DRILL_SPAN)


def _shatter(state: State, turn: Turn) -> None:
    hull = FRACTURE_HULL * state.rng.uniform(*FRACTURE_SEVERITY_RANGE)
    turn.damage(state.ship, hull, HullCause.FRACTURE)
    state.selected.depletion = 1.0
    state.here.hazard = clamp(state.here.hazard + FRACTURE_HAZARD, 0.0, 1.0)  # debris stays for the episode
    turn.events.record(Event.FRACTURE, {"asteroid": state.ship.selection, "hull": hull})
