"""How much people at play may ask of a server."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayLimits:
    """Bounds of play sessions.

    Attributes:
        sessions: How many exist at once.
        idle_seconds: After so long without a call a session expires.
        decisions: How many one episode of a session may take.
        undo_bytes: What one session keeps in snapshots; what the other seats' players remember, for each of some ten
            snapshots, comes on top.
        standings_seconds: How long one request waits for rivals to play.
        episode_seconds: How long one rival may take for its episode.
        workers: Threads that simulate.
    """

    sessions: int = 256
    idle_seconds: float = 1800.0
    decisions: int = 200_000
    undo_bytes: int = 4 << 20
    standings_seconds: float = 10.0
    episode_seconds: float = 120.0
    workers: int = 4
