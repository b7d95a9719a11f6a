"""What was decided in a session, and how a decision is read."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.records import Decision
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import I32
from diorama.server.models.play import SeatDecision
from diorama.server.play.errors import ActionRefused

SeatDecisions: TypeAlias = Mapping[int, Decision]


class DecisionLog:
    """The decisions of all seats, step by step, in little memory."""

    def __init__(self, spec: WorldSpec) -> None:
        """Begin with none."""
        self._shape = spec.agents, len(spec.heads)
        self._flat = array("i")

    def __len__(self) -> int:
        """Number of steps."""
        return len(self._flat) // (self._shape[0] * self._shape[1])

    def append(self, rows: I32) -> None:
        """Add a step, seats by heads."""
        self._flat.extend(rows.ravel().tolist())

    def rows(self, step: int) -> I32:
        """Return what was decided in a step, seats by heads."""
        size = self._shape[0] * self._shape[1]
        return np.array(self._flat[step * size : (step + 1) * size], np.int32).reshape(self._shape)

    def truncate(self, steps: int) -> None:
        """Forget everything after so many steps."""
        del self._flat[steps * self._shape[0] * self._shape[1] :]

    def all(self) -> NDArray[np.int32]:
        """Return a copy, steps by seats by heads."""
        return np.array(self._flat, np.int32).reshape(-1, *self._shape)


def checked_decision(spec: WorldSpec, action: int | Sequence[int]) -> Decision:
    """Return an action as one option per head.

    Raises:
        ActionRefused: Its form is wrong, or an option does not exist.
    """
    if len(spec.heads) == 1 and not isinstance(action, int):
        raise ActionRefused(f"action is {list(action)[:8]}; {spec.world!r} takes one integer")
    options = (action,) if isinstance(action, int) else tuple(action)
    if len(options) != len(spec.heads):
        names = ", ".join(head.name for head in spec.heads)
        raise ActionRefused(
            f"action chooses for {len(options)} head(s); give a list of one option for each of: {names}"
        )
    for head, option in zip(spec.heads, options, strict=True):
        if not 0 <= option < len(head.options):
            raise ActionRefused(f"action {option} of {head.name!r} does not exist; use 0..{len(head.options) - 1}")
    return options


def checked_others(spec: WorldSpec, seat: int, others: Iterable[SeatDecision]) -> SeatDecisions:
    """Return what other seats than one decide, by seat.

    Raises:
        ActionRefused: A seat is not there, is the one played by hand or is named twice, or an option does not exist.
    """
    found: dict[int, Decision] = {}
    for other in others:
        if other.seat >= spec.agents:
            raise ActionRefused(f"seat {other.seat} does not exist; {spec.world!r} has 0..{spec.agents - 1}")
        if other.seat == seat or other.seat in found:
            raise ActionRefused(
                f"seat {other.seat} has two decisions; give one for each seat, that of {seat} as action"
            )
        found[other.seat] = checked_decision(spec, other.action)
    return found


def shown_decision(decision: Decision) -> int | list[int]:
    """Return a decision the way it is sent."""
    return decision[0] if len(decision) == 1 else list(decision)
