"""What `timed_live.py` writes of the ticks of a live town."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedTick:
    """When a tick began, was told and ended, since 1970, and the processor time the world's thread used for it."""

    begun_s: float
    told_s: float
    ended_s: float
    used_s: float


def read_ticks(path: Path) -> dict[int, TimedTick]:
    """Read the ticks of a file by number; a line that is still being written is left out."""
    whole = path.read_text(encoding="utf-8").rpartition("\n")[0]
    return {int(tick): _timed(*map(float, times)) for tick, *times in (line.split() for line in whole.splitlines())}


def _timed(begun: float, told: float, ended: float, used: float) -> TimedTick:
    return TimedTick(begun_s=begun, told_s=told, ended_s=ended, used_s=used)
