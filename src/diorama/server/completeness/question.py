"""What is asked about the record of a run."""

from dataclasses import dataclass, field

from diorama.server.tracker.questions import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletenessQuestion:
    """Which run, and what counts as stale.

    Attributes:
        tracked_run_id: Its id at the tracker; None for its own, if it was tracked at all.
        scope: Where the tracker looks.
        history_max_points: How many rows of its history are fetched.
    """

    run_id: str
    stale_after_seconds: int = 21_600
    tracked_run_id: str | None = None
    scope: Scope = field(default_factory=Scope)
    history_max_points: int = 1000
