"""When a live world is saved without asking: autosaves, what the log cannot repeat, failures, the end."""

from diorama.contracts.errors import DioramaError
from diorama.contracts.live.settings.operation import Snapshot
from diorama.contracts.values import JsonObject
from diorama.operate.live.journal.entries import TickLine
from diorama.operate.live.keeping import Keeper, Saved
from diorama.operate.live.orchestrator import StageFailure
from diorama.operate.live.services import Services
from diorama.operate.live.state import collect


class Autosaver:
    """Writes the log, and saves where it is due.

    Without a cadence nothing is logged and nothing saved without asking; failures are.
    """

    def __init__(self, services: Services, keeper: Keeper, *, cadence_ticks: int | None) -> None:
        """Begin with a world that is saved already; `cadence_ticks` counts where the settings name none."""
        self._services = services
        self._keeper = keeper
        self._default_cadence = cadence_ticks
        self._saved_tick = services.world.clock.tick
        self._has_news = False
        self._is_owed = False
        self._is_logging = self.cadence is not None

    @property
    def cadence(self) -> int | None:
        """Ticks from one autosave to the next; None for never."""
        return self._settings.autosave_cadence_ticks or self._default_cadence

    def owe(self) -> None:
        """Take note that something was done which the log cannot repeat: it must be in a snapshot instead."""
        self._is_owed = True

    def pay(self) -> bool:
        """Save if that is owed; return whether a new log has begun."""
        is_owed, self._is_owed = self._is_owed, False
        return is_owed and self.save(is_continuous=False) is not None

    def note_command(self, executed: JsonObject) -> None:
        """Keep a command before it is answered: in the log, or in a snapshot where the log cannot repeat it."""
        if self._is_owed:
            self.pay()
        elif self._is_logging:
            self._keeper.note_command(self._services.world.clock.tick, executed)
            self._has_news = True

    def note_tick(self, line: TickLine) -> None:
        """Log a tick."""
        if self._is_logging:
            self._keeper.note_tick(line)
            self._has_news = True

    def save_if_due(self) -> bool:
        """Save between two ticks if it is time; return whether a new log has begun."""
        cadence, tick = self.cadence, self._services.world.clock.tick
        # A reload may have switched autosaves on; a world that was set back is saved once more, too.
        if cadence is None or (self._is_logging and 0 <= tick - self._saved_tick < cadence):
            return False
        return self.save() is not None

    def save(self, *, is_continuous: bool = True) -> Saved | None:
        """Save now, and log from here on; nothing where autosaves are off."""
        was_logging, self._is_logging = self._is_logging, self.cadence is not None
        if not self._is_logging:
            return None
        saved = self._keeper.autosave(
            collect(self._services), retain=self._settings.retain, is_continuous=is_continuous and was_logging
        )
        self._saved_tick, self._has_news = saved.document.tick, False
        return saved

    def save_failure(self, failure: StageFailure) -> str | None:
        """Keep the state of a tick that was cut short; None where that is off, or the state cannot be written."""
        if not self._settings.capture_on_failure:
            return None
        told: JsonObject = {
            "tick": failure.tick,
            "stage": failure.stage,
            "error": f"{type(failure.error).__name__}: {failure.error}",
        }
        try:
            return self._keeper.save_failure(collect(self._services, told)).path
        except (DioramaError, ArithmeticError, LookupError, TypeError, ValueError):
            return None

    def finish(self) -> None:
        """Save a last time, so that a restart need not live through the log again."""
        if self._has_news:
            self.save()

    def close(self) -> None:
        """Put the log on the disk."""
        self._keeper.close()

    @property
    def _settings(self) -> Snapshot:
        return self._services.settings.snapshot
