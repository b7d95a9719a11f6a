"""Stops imitation half-way: recording and pretraining call a check between their steps."""

from collections.abc import Callable
from threading import Event
from typing import TypeAlias

from diorama.learn.errors import ImitationStopped

StopCheck: TypeAlias = Callable[[], None]
"""Raises `ImitationStopped` where imitation is to stop."""


def never_stop() -> None:
    """Let imitation go on."""


def stop_check(stop: Event) -> StopCheck:
    """Return a check that raises `ImitationStopped` once the event is set."""

    def check() -> None:
        if stop.is_set():
            raise ImitationStopped("imitation was stopped before it ended", code="imitation_stopped")

    return check
