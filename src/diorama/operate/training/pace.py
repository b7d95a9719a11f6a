"""`Pace`: how fast a run goes of late, and on what its time is spent."""

from collections import deque
from typing import Final

from diorama.contracts.training_reports import UpdateReport
from diorama.runs.clock import Clock

_LOOK_BACK_SECONDS: Final = 10.0


class Pace:
    """Steps per second over the last seconds, split into env, policy and learning."""

    def __init__(self, clock: Clock) -> None:
        """Begin without a pace."""
        self._clock = clock
        self._marks: deque[tuple[float, int]] = deque()
        self._spent: deque[tuple[float, float, float, float]] = deque()

    def advance(self, env_steps: int) -> None:
        """Note that the run has come to so many env steps."""
        now = self._clock.seconds()
        self._marks.append((now, env_steps))
        while len(self._marks) > 2 and now - self._marks[0][0] > _LOOK_BACK_SECONDS:
            self._marks.popleft()

    def note(self, report: UpdateReport) -> None:
        """Note where the time of an update went."""
        now = self._clock.seconds()
        self._spent.append((now, report.seconds_env, report.seconds_policy, report.seconds_learn))
        while now - self._spent[0][0] > _LOOK_BACK_SECONDS:
            self._spent.popleft()

    @property
    def steps_per_second(self) -> float | None:
        """None before there are two moments to compare."""
        if len(self._marks) < 2:
            return None
        (began, first), (ended, last) = self._marks[0], self._marks[-1]
        return (last - first) / (ended - began) if ended > began else None

    def __str__(self) -> str:
        """Tell it in one line."""
        speed = self.steps_per_second
        words = "-" if speed is None else f"{speed:,.0f} steps/s"
        sums = [sum(column) for column in zip(*(entry[1:] for entry in self._spent), strict=True)]
        total = sum(sums)
        if total <= 0.0:
            return words
        shares = ", ".join(
            f"{name} {share / total:.0%}" for name, share in zip(("env", "policy", "learn"), sums, strict=True)
        )
        return f"{words} ({shares})"
