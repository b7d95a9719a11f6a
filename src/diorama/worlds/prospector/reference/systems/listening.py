"""Listening: the pilot learns how dangerous the ways out are, without making a sound."""

from dataclasses import dataclass

from diorama.numerics import clamp
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import Event
from diorama.worlds.prospector.reference.constants import LISTEN_BLEND, LISTEN_SIGMA, LISTEN_TICKS
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.turn import Turn


@dataclass(frozen=True, slots=True)
class Listen:
    """Update the threat estimate of every edge out of here."""

    def is_possible(self, state: State) -> bool:
        """Always."""
        return True

    def perform(self, state: State, config: ProspectorConfig, turn: Turn) -> None:
        """Blend a reading of each true threat into its estimate, in slot order."""
        turn.dt = LISTEN_TICKS
        for edge in state.here.edges:
            reading = clamp(edge.threat + state.rng.normal(0.0, LISTEN_SIGMA), 0.0, 1.0)
            edge.threat_estimate = (1.0 - LISTEN_BLEND) * edge.threat_estimate + LISTEN_BLEND * reading
        turn.events.record(Event.THREAT_LISTEN)
