"""What seats see, as the arrays a policy takes."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import ContractError, EpisodeOver
from diorama.runs.replays.scene import Scene
from diorama.server.errors import BadValue
from diorama.server.models.play import RowArray, SeatRows
from diorama.server.play.hindsight import Hindsight
from diorama.server.play.session import Session

_MOST_DECISIONS: Final = 256  # of one answer
_MOST_BYTES: Final = 4 << 20  # about; one decision is always told

_Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowQuestion:
    """Whose rows are asked for, from which decision on, and with which arrays that the world adds."""

    seats: tuple[int, ...]
    first: int
    extras: tuple[str, ...]


def rows_of(session_id: str, session: Session, asked: RowQuestion, hindsight: Hindsight) -> SeatRows:
    """Return what seats saw before decisions, up to the next one unless that is too much for one answer.

    Raises:
        BadValue: There is no such seat.
        EpisodeOver: There is no such decision.
        UnknownName: The world adds no such array.
        SessionConflict: Too many steps would have to be taken again for it.
    """
    agents, steps = session.setting.spec.agents, session.steps
    if any(seat >= agents for seat in asked.seats):
        raise BadValue(f"seat {max(asked.seats)} does not exist; {session.setting.spec.world!r} has 0..{agents - 1}")
    last = steps - 1 if session.is_over else steps
    if asked.first > last:
        raise EpisodeOver(f"there is no decision {asked.first}: the session has taken {steps}" + _why(session))
    seen = [_seen(hindsight.before(session, asked.first), asked)]
    size_bytes = max(1, sum(array.nbytes for array in seen[0].values()))
    count = min(last - asked.first + 1, _MOST_DECISIONS, max(1, _MOST_BYTES // size_bytes))
    seen += [_seen(hindsight.before(session, asked.first + place), asked) for place in range(1, count)]
    return SeatRows(
        session_id=session_id,
        steps=steps,
        first=asked.first,
        count=count,
        seats=list(asked.seats),
        arrays={name: _packed([arrays[name] for arrays in seen]) for name in seen[0]},
    )


def _why(session: Session) -> str:
    return ", and its episode is over" if session.is_over else ""


def _seen(scene: Scene, asked: RowQuestion) -> _Arrays:
    seats = list(asked.seats)
    obs, obs_u8, masks = scene.view
    arrivals = scene.arrivals
    # Copies: the batch writes the next moment into the same memory.
    return {
        "obs": obs[seats],
        "obs_u8": obs_u8[seats],
        "mask": masks[seats],
        "starts": np.array([[seat in arrivals] for seat in seats], np.uint8),
        **{name: scene.extra(name).reshape(scene.spec.agents, -1)[seats] for name in asked.extras},
    }


def _packed(arrays: Sequence[NDArray[Any]]) -> RowArray:
    stacked = np.stack(arrays)
    return RowArray(
        dtype=_dtype(stacked), width=stacked.shape[2], data=b64encode(np.ascontiguousarray(stacked).tobytes()).decode()
    )


def _dtype(array: NDArray[Any]) -> Literal["float32", "uint8"]:
    if array.dtype == np.float32:
        return "float32"
    if array.dtype == np.uint8:
        return "uint8"
    raise ContractError(f"an array of {array.dtype} cannot be told; use float32 or uint8")
