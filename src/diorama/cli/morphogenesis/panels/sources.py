"""Where the dashboard gets its events from: a file that grows, or a run that is played in the same process."""

import json
from collections import deque
from collections.abc import Callable
from pathlib import Path
from threading import Condition
from typing import Final, Protocol

from diorama.cli.console.words import parse_words
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import JsonObject
from diorama.worlds.morphogenesis.contracts.events import TelemetryEvent
from diorama.worlds.morphogenesis.views.reading import EventFollower

MOST_WAITING: Final = 8_192
"""Events that wait for a view at most; the oldest go first, and are counted."""

Obeyer = Callable[[str, list[object], dict[str, object]], JsonObject]


class EventSource(Protocol):
    """What a dashboard follows."""

    @property
    def dropped(self) -> int:
        """Events that were lost because nobody took them."""

    @property
    def malformed(self) -> int:
        """Lines that could not be read."""

    @property
    def stopped(self) -> str | None:
        """The traceback of a run that failed."""

    def take(self) -> list[TelemetryEvent]:
        """Return what is new."""

    def pause(self) -> str:
        """Stop, or go on, and say which."""

    def say(self, line: str) -> str:
        """Pass on a line for the console, and return what there is to say at once."""

    def take_answers(self) -> list[str]:
        """Return what commands have answered since."""


class FileSource:
    """Follows a file; whoever writes it is out of reach."""

    dropped = 0
    stopped: str | None = None

    def __init__(self, path: Path) -> None:
        """Begin at the start of the file."""
        self._follower = EventFollower(path)
        self._is_held = False

    @property
    def malformed(self) -> int:
        """Lines that could not be read."""
        return self._follower.malformed

    def take(self) -> list[TelemetryEvent]:
        """Return what was written since, or nothing while the view is held."""
        return [] if self._is_held else self._follower.take()

    def pause(self) -> str:
        """Hold the view, or let it go on."""
        self._is_held = not self._is_held
        return "the view is held; the run goes on" if self._is_held else "the view goes on"

    def say(self, line: str) -> str:
        """Decline: a file cannot answer."""
        return "this run is watched through its file and takes no commands; `diorama console` speaks to live worlds"

    def take_answers(self) -> list[str]:
        """Return nothing: whoever writes the file answers nobody here."""
        return []


class Left(Exception):
    """The operator has left; the run ends after this epoch."""


class PlayedSource:
    """A run in another thread of this process: it hands its events over, and waits where it is told to."""

    malformed = 0

    def __init__(self) -> None:
        """Let the run go at once."""
        self.dropped = 0
        self.stopped: str | None = None
        self._events: deque[TelemetryEvent] = deque()
        self._turn = Condition()
        self._steps: int | None = None  # epochs that may still run; None for as many as there are
        self._has_left = False
        self._obey: Obeyer | None = None
        self._orders: deque[str] = deque()
        self._answers: deque[str] = deque()

    def tell(self, event: TelemetryEvent) -> None:
        """Take an event from the run; the oldest goes where nobody has looked for long."""
        with self._turn:
            if len(self._events) == MOST_WAITING:
                self._events.popleft()
                self.dropped += 1
            self._events.append(event)

    def attach(self, obey: Obeyer) -> None:
        """Say who carries out commands, between two epochs and in the thread of the run."""
        self._obey = obey

    def wait_turn(self) -> None:
        """Carry out what was ordered, and wait while the run is paused; the run calls this after every epoch.

        Raises:
            Left: The operator has left.
        """
        with self._turn:
            while True:
                while self._orders:
                    self._answers.append(self._carry_out(self._orders.popleft()))
                    self._turn.notify_all()
                if self._has_left:
                    raise Left
                if self._steps != 0:
                    break
                self._turn.wait()
            if self._steps is not None:
                self._steps -= 1

    def take(self) -> list[TelemetryEvent]:
        """Return what was told since."""
        with self._turn:
            found = list(self._events)
            self._events.clear()
        return found

    def take_answers(self) -> list[str]:
        """Return what commands have answered since."""
        with self._turn:
            found = list(self._answers)
            self._answers.clear()
        return found

    def pause(self) -> str:
        """Stop after the current epoch, or go on."""
        with self._turn:
            self._steps = 0 if self._steps is None else None
            self._turn.notify_all()
            return "paused after the current epoch" if self._steps == 0 else "the run goes on"

    def leave(self) -> None:
        """End the run after the current epoch."""
        with self._turn:
            self._has_left = True
            self._turn.notify_all()

    def say(self, line: str) -> str:
        """Take a command; one about the hosts is carried out between two epochs, and answered then."""
        name, *rest = line.split()
        with self._turn:
            match name:
                case "pause":
                    self._steps = 0
                case "resume":
                    self._steps = None
                case "step":
                    if rest and not rest[0].isdecimal():
                        return f"step takes a number of epochs, not {rest[0]!r}"
                    self._steps = int(rest[0]) if rest else 1
                case "quit":
                    self._has_left = True
                case _:
                    self._orders.append(line)
            self._turn.notify_all()
        return f"{line}: taken"

    def _carry_out(self, line: str) -> str:
        name, *words = line.split()
        args, kwargs = parse_words(words)
        if self._obey is None:
            return f"{line}: nothing is running yet"
        try:
            return f"{line}: {json.dumps(self._obey(name, args, kwargs), ensure_ascii=False)}"
        except CommandError as refusal:
            return f"{line}: {refusal.message}"
