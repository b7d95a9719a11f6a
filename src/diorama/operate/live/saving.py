"""When a live world is saved without asking: autosaves, what the log cannot repeat, failures, the end."""

import logging
import time
from typing import Final

from diorama.contracts.errors import DioramaError, StorageError
from diorama.contracts.live.settings.operation import Snapshot
from diorama.contracts.values import JsonObject
from diorama.operate.live.journal.entries import TickLine
from diorama.operate.live.keeping import Keeper, Saved
from diorama.operate.live.orchestrator import StageFailure
from diorama.operate.live.services import Services
from diorama.operate.live.state import collect

RETRY_TICKS: Final = 50  # from one try to save to the next while the disk refuses
RETRY_SECONDS: Final = 5.0  # the same, where ticks are slow or none passes

_log: Final = logging.getLogger(__name__)


class Autosaver:
    """Writes the log, and saves where it is due.

    Without a cadence nothing is logged and nothing saved without asking; failures are. Where the disk refuses, the
    world lives on: what happens is not kept until a snapshot can be written, from which another log begins.

    Attributes:
        unkept_since: The tick since which nothing is kept; None while snapshot and log hold everything.
        failures: Saves and lines of the log that the disk refused.
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
        self.unkept_since: int | None = None
        self.failures = 0
        self._saved_at = time.monotonic()
        self._refused_tick: int | None = None
        self._refused_at = 0.0

    @property
    def cadence(self) -> int | None:
        """Ticks from one autosave to the next; None for never."""
        return self._settings.autosave_cadence_ticks or self._default_cadence

    @property
    def age_seconds(self) -> float | None:
        """Time since the last save; None where nothing is saved without asking. From any thread."""
        return None if self.cadence is None else time.monotonic() - self._saved_at

    def owe(self) -> None:
        """Take note that something was done which the log cannot repeat: it must be in a snapshot instead."""
        self._is_owed = True

    def pay(self) -> bool:
        """Save if that is owed, or was refused a while ago; return whether a new log has begun."""
        if self._is_owed:
            self._give_up_log()
        elif self._refused_tick is None or time.monotonic() - self._refused_at < RETRY_SECONDS:
            return False
        return self._tried()

    def note_command(self, executed: JsonObject) -> None:
        """Keep a command before it is answered: in the log, or in a snapshot where the log cannot repeat it.

        Raises:
            StorageError: The disk refuses; the command would not survive a restart.
        """
        if self._is_owed:
            self._give_up_log()
        try:
            if self._is_logging:
                self._keeper.note_command(self._services.world.clock.tick, executed)
                self._has_news = True
            else:
                self.save()
        except StorageError as error:
            self._give_up_log()
            self._note_refusal(error)
            raise

    def note_tick(self, line: TickLine) -> None:
        """Log a tick."""
        if not self._is_logging:
            return
        self._has_news = True
        try:
            self._keeper.note_tick(line)
        except StorageError as error:
            self._give_up_log(since=line.tick)
            self._note_refusal(error)

    def save_if_due(self) -> bool:
        """Save between two ticks if it is time; return whether a new log has begun."""
        cadence, tick = self.cadence, self._services.world.clock.tick
        if cadence is None:
            return False
        if self._refused_tick is not None:
            return not 0 <= tick - self._refused_tick < RETRY_TICKS and self._tried()
        # A reload may have switched autosaves on; a world that was set back is saved once more, too.
        if self._is_logging and 0 <= tick - self._saved_tick < cadence:
            return False
        return self._tried()

    def save(self, *, is_continuous: bool = True) -> Saved | None:
        """Save now, and log from here on; nothing where autosaves are off.

        Raises:
            StorageError: The disk refuses; the log, if there is one, goes on as before.
        """
        if self.cadence is None:
            self._is_logging = False
            return None
        saved = self._keeper.autosave(
            collect(self._services), retain=self._settings.retain, is_continuous=is_continuous and self._is_logging
        )
        self._is_logging = True
        self._saved_at = time.monotonic()
        self._saved_tick, self._has_news, self.unkept_since = saved.document.tick, False, None
        if self._refused_tick is not None:
            self._refused_tick = None
            _log.warning("the world is saved again, at tick %d", self._saved_tick)
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
        """Save a last time, so that a restart need not live through the log again.

        Raises:
            StorageError: The disk refuses.
        """
        if self._has_news:
            self.save()

    def close(self) -> None:
        """Put the log on the disk."""
        self._keeper.close()

    def _tried(self) -> bool:
        """Save, or try again later; return whether a new log has begun."""
        try:
            return self.save() is not None
        except StorageError as error:
            self._note_refusal(error)
            return False

    def _give_up_log(self, *, since: int | None = None) -> None:
        """Log no more until the next snapshot: what came after would not follow from what is there."""
        if self._is_logging:
            self.unkept_since = self._services.world.clock.tick if since is None else since
        self._is_owed = False
        self._is_logging = False
        self._has_news = True

    def _note_refusal(self, error: StorageError) -> None:
        self.failures += 1
        if self._refused_tick is None:
            _log.error("the world lives on and is saved when there is room: %s", error)
        self._refused_tick = self._services.world.clock.tick
        self._refused_at = time.monotonic()

    @property
    def _settings(self) -> Snapshot:
        return self._services.settings.snapshot
