"""How much people at play may ask of a server."""

from dataclasses import dataclass

from diorama.engine.venue import Venue
from diorama.server.errors import BadValue


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
        call_seconds: How long one call to a session may take.
        opening_seconds: How long opening an episode may take, by what the world declares of its configuration.
        decision_seconds: How long one decision may take, by the same.
        session_bytes: Memory that one session may hold, by the same.
        memory_bytes: Memory that all sessions may hold together, by the same.
    """

    sessions: int = 256
    idle_seconds: float = 1800.0
    decisions: int = 200_000
    undo_bytes: int = 4 << 20
    standings_seconds: float = 10.0
    episode_seconds: float = 120.0
    workers: int = 4
    call_seconds: float = 20.0
    opening_seconds: float = 5.0
    decision_seconds: float = 5.0
    session_bytes: int = 64 << 20
    memory_bytes: int = 4 << 30


def checked_cost(venue: Venue, limits: PlayLimits, *, copies: int = 1) -> int:
    """Return the bytes that copies of a world hold, unless they would cost more than the limits allow.

    Args:
        venue: World and configuration, which declares what a copy costs.
        limits: Bounds of one session; a wall of several copies may hold as much as all sessions together.
        copies: How many are stepped together. One alone also shows the final states of its episodes.

    Raises:
        BadValue: With the part that costs too much, in the world's unit and in seconds.
    """
    if venue.world.cost is None:
        return limits.undo_bytes
    cost = venue.world.cost(venue.config)
    is_alone = copies == 1
    decision = cost.decision + cost.closing if is_alone else cost.decision * copies
    parts = (
        ("opening an episode", cost.opening, limits.opening_seconds),
        ("a decision", decision, limits.decision_seconds),
    )
    for name, units, most_seconds in parts:
        most_units = int(most_seconds * cost.per_second)
        if units > most_units:
            raise BadValue(
                f"config: {name} takes up to {units} {cost.unit}, some {units / cost.per_second:.3g} s; "
                f"here it may take {most_units} {cost.unit}, {most_seconds:g} s",
                code="too_costly",
                units=units,
                most_units=most_units,
            )
    held = copies * cost.memory_bytes + cost.shared_bytes + limits.undo_bytes
    most_bytes = limits.session_bytes if is_alone else limits.memory_bytes
    if held > most_bytes:
        raise BadValue(
            f"config: it holds up to {held >> 20} MiB of memory; here it may hold {most_bytes >> 20} MiB",
            code="too_costly",
            units=held,
            most_units=most_bytes,
        )
    return held
