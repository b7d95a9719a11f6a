"""The end: destroyed, stranded, cashed out, or out of time."""

from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import Event
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.turn import Ending, EndReason, Turn


def is_destroyed(state: State) -> bool:
    """Whether the hull is gone."""
    return state.ship.hull <= 0.0


def is_stranded(state: State) -> bool:
    """Whether the tank is empty anywhere but at the station."""
    return state.ship.fuel <= 0.0 and not state.ship.is_docked


def settle_ending(state: State, config: ProspectorConfig, turn: Turn) -> None:
    """Decide whether the episode is over, from quantities already brought back into their limits."""
    destroyed, stranded = is_destroyed(state), is_stranded(state)
    terminated = turn.is_cashing_out or destroyed or stranded
    truncated = state.time_remaining <= 0.0 and not terminated
    turn.ending = Ending(
        is_destroyed=destroyed,
        is_stranded=stranded,
        is_terminated=terminated,
        is_truncated=truncated,
        reason=_reason(turn, destroyed=destroyed, stranded=stranded, truncated=truncated),
    )
    state.is_over = turn.ending.is_over
    _record(state, turn)


def _reason(turn: Turn, *, destroyed: bool, stranded: bool, truncated: bool) -> EndReason | None:
    if destroyed:
        return EndReason.DESTROYED
    if stranded:
        return EndReason.STRANDED
    if turn.is_cashing_out:
        return EndReason.CASH_OUT
    return EndReason.TIME_UP if truncated else None


def _record(state: State, turn: Turn) -> None:
    ending, events = turn.ending, turn.events
    if ending.is_destroyed:
        events.record(Event.DESTROYED, {"cause": str(turn.hull_cause)})
    if ending.is_stranded:
        events.record(Event.STRANDED, {"node": state.ship.node})
    if ending.is_terminated:
        events.record(Event.TERMINATED)
    if ending.is_truncated:
        events.record(Event.TRUNCATED)
