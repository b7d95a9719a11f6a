"""Scanning: a noisy reading of a rock is blended into what the pilot believes about it."""

from dataclasses import dataclass

from diorama.numerics import clamp, normalise6
from diorama.rng import Pcg32
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import Event
from diorama.worlds.prospector.reference.constants import SCAN_CONF_OFFSET, ScanMode
from diorama.worlds.prospector.reference.state import Asteroid, State
from diorama.worlds.prospector.reference.turn import Turn


@dataclass(frozen=True, slots=True)
class ScanAll:
    """Scan every asteroid of the node, dug-out ones included."""

    mode: ScanMode

    def is_possible(self, state: State) -> bool:
        """There must be asteroids."""
        return len(state.here.asteroids) > 0

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Scan in slot order."""
        _scan(state.here.asteroids, self.mode, state, config, turn)


@dataclass(frozen=True, slots=True)
class ScanSelected:
    """Scan the selected asteroid."""

    mode: ScanMode

    def is_possible(self, state: State) -> bool:
        """An asteroid must be selected."""
        return state.ship.has_selection

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Scan just that one."""
        _scan([state.selected], self.mode, state, config, turn)


def _scan(asteroids: list[Asteroid], mode: ScanMode, state: State, config: ProspectorConfig, turn: Turn) -> None:
    turn.dt = mode.ticks
    state.ship.fuel -= mode.fuel
    state.ship.alert += mode.alert
    state.counters.scan_count += 1
    for asteroid in asteroids:
        _update_estimates(asteroid, mode, state.rng, is_noisy=config.scan_noise)
    turn.events.record(Event.SCAN, {"mode": mode.name, "asteroids": len(asteroids)})


def _update_estimates(asteroid: Asteroid, mode: ScanMode, rng: Pcg32, *, is_noisy: bool) -> None:
    sigma = asteroid.noise * (1.0 - asteroid.scan_conf + SCAN_CONF_OFFSET) * mode.noise_factor
    errors = [rng.normal(0.0, sigma) for _ in asteroid.true_comp]
    stability_error = rng.normal(0.0, sigma)
    comp, stability = asteroid.true_comp, asteroid.stability
    if is_noisy:
        comp = [share + error for share, error in zip(comp, errors, strict=True)]
        stability += stability_error
    reading = normalise6(comp)
    new, old = mode.blend, 1.0 - mode.blend
    asteroid.comp_est = normalise6(
        [old * before + new * now for before, now in zip(asteroid.comp_est, reading, strict=True)]
    )
    asteroid.stability_est = clamp(old * asteroid.stability_est + new * clamp(stability, 0.0, 1.0), 0.0, 1.0)
    asteroid.scan_conf = clamp(asteroid.scan_conf + mode.conf_gain, 0.0, 1.0)
