"""What the tracker can be asked."""

from dataclasses import dataclass
from typing import Final

MAX_KEYS: Final = 64
ITERATION_KEYS: Final = (
    "_step",
    "window_id",
    "env_steps_total",
    "reward_mean",
    "return_mean",
    "profit_mean",
    "survival_rate",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where runs are looked for; None stands for what the server was told."""

    entity: str | None = None
    project: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryQuestion:
    """Which rows of a run are wanted; no keys stand for all columns."""

    run_id: str
    keys: tuple[str, ...] = ()
    max_points: int = 1000
