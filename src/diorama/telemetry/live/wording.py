"""`Wording`: events and narrations as they are told: numbered, limited, and with nobody's name where that is wished."""

from collections.abc import Sequence

from diorama.contracts.live.events import LiveEvent, Narration
from diorama.contracts.live.settings.telemetry import Narration as NarrationSettings
from diorama.telemetry.live.event_lines import ToldEvent, event_line, narration_line
from diorama.telemetry.live.merge_patch import JsonDict
from diorama.telemetry.live.narration_limiter import NarrationLimiter
from diorama.telemetry.live.privacy import Privacy


class Wording:
    """Turns what happened into lines."""

    def __init__(self, settings: NarrationSettings) -> None:
        """Begin with nothing told."""
        self.limiter = NarrationLimiter(settings)
        self.privacy: Privacy | None = None
        self._announced: list[Narration] = []
        self._tick = -1
        self._count_in_tick = 0

    def announce(self, narration: Narration) -> bool:
        """Have a narration told with the next message; False where the limiter holds it back."""
        if not self.limiter.admit(narration):
            return False
        self._announced.append(narration)
        return True

    def events(self, events: Sequence[LiveEvent]) -> tuple[ToldEvent, ...]:
        """Events as lines, numbered within their tick."""
        return tuple(map(self._event, events))

    def narrations(self, narrations: Sequence[Narration]) -> tuple[JsonDict, ...]:
        """Narrations as lines: those announced, and those the limiter lets through."""
        admitted = [*self._announced, *filter(self.limiter.admit, narrations)]
        self._announced.clear()
        lines = (self._narration(narration) for narration in admitted)
        return tuple(line for line in lines if line is not None)

    def _event(self, event: LiveEvent) -> ToldEvent:
        if event.tick != self._tick:
            self._tick, self._count_in_tick = event.tick, 0
        line = event_line(event, self._count_in_tick)
        self._count_in_tick += 1
        if self.privacy is not None:
            line = self.privacy.hide_event(line)
        return ToldEvent(name=event.name, priority=event.priority, line=line)

    def _narration(self, narration: Narration) -> JsonDict | None:
        line = narration_line(narration)
        return line if self.privacy is None else self.privacy.hide_narration(line, narration.people)
