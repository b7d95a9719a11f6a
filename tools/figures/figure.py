"""One measured number, and how a report is asked for such numbers."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Report = Mapping[str, Any]
Reader = Callable[[Report], Iterator["Figure"]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number of a report.

    Attributes:
        what: What was measured.
        measured: The number with its unit.
        beside: What stands beside it: a peer in the same run with its own number.
        goal: What was wished for; empty where nothing was.
        holds: Whether the goal is reached; None without a goal.
    """

    what: str
    measured: str
    beside: str = ""
    goal: str = ""
    holds: bool | None = None


def rate(number: float, unit: str) -> str:
    """Show a rate with three digits or so."""
    return f"{quantity(number)} {unit}"


def quantity(number: float) -> str:
    """Show a number for people."""
    if abs(number) >= 1e6:
        return f"{number / 1e6:.3g} million"
    if abs(number) >= 1000:
        return f"{round(number, 2 - len(str(int(abs(number)))) + 1):,.0f}"
    return f"{number:.3g}"


def times(ratio: float) -> str:
    """Show a ratio."""
    return f"{ratio:.2f}×" if ratio < 10 else f"{ratio:,.0f}×"
