"""Numbers, names and curves as text."""

from collections.abc import Sequence
from typing import Final

from diorama.contracts.values import JsonValue

NOTHING: Final = "-"
_LARGE: Final = 1000.0
_BARS: Final = "▁▂▃▄▅▆▇█"


def number(value: JsonValue) -> str:
    """A number as people read it, a dash for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return NOTHING
    is_large = isinstance(value, int) or abs(value) >= _LARGE
    return f"{value:,.0f}" if is_large else f"{value:.4g}"


def plain(name: str) -> str:
    """A name without the marks that programs need."""
    return name.replace("_", " ")


def bar(share: float, width: int = 10) -> str:
    """A bar that is filled by a share of 0 to 1."""
    filled = round(max(0.0, min(1.0, share)) * width)
    return "█" * filled + "░" * (width - filled)


def curve(values: Sequence[float], width: int = 32) -> str:
    """The last values as a line of bars."""
    shown = values[-width:]
    if not shown:
        return ""
    low, high = min(shown), max(shown)
    span = (high - low) or 1.0
    return "".join(_BARS[round((value - low) / span * (len(_BARS) - 1))] for value in shown)


def duration(seconds: float) -> str:
    """A duration in its two largest units."""
    minutes, hours, days = seconds / 60, seconds / 3600, seconds / 86400
    if days >= 1:
        return f"{int(days)} d {int(hours) % 24} h"
    if hours >= 1:
        return f"{int(hours)} h {int(minutes) % 60} min"
    return f"{int(minutes)} min {int(seconds) % 60} s" if minutes >= 1 else f"{int(seconds)} s"
