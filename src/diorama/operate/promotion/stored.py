"""What of a promotion lies in a snapshot, and what is told of it."""

from dataclasses import asdict, dataclass
from typing import Any

import msgspec

from diorama.contracts.errors import SnapshotError
from diorama.contracts.live.settings.promotion import Promotion
from diorama.contracts.values import JsonObject
from diorama.operate.promotion.pointers import PolicyPointer
from diorama.operate.promotion.states import Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPromotion:
    """Everything that must survive.

    Attributes:
        alerts: Of the open windows, by whose they are.
        windows: The last results, as they are told.
        begins_anew: Whether the open windows are thrown away at the next tick.
    """

    standing: Standing
    alerts: dict[str, list[str]]
    windows: list[dict[str, Any]]
    begins_anew: bool

    def to_json(self) -> JsonObject:
        """As JSON values."""
        return asdict(self)


def read_promotion(state: JsonObject) -> StoredPromotion:
    """Read what `StoredPromotion.to_json` wrote.

    Raises:
        SnapshotError: It is no state of a promotion manager.
    """
    try:
        return msgspec.convert(state, StoredPromotion)
    except msgspec.ValidationError as error:
        raise SnapshotError(f"the state of the promotion is broken: {error}") from None


def told_promotion(standing: Standing, settings: Promotion, windows: list[dict[str, Any]]) -> JsonObject:
    """The telemetry block `promotion`."""
    return {
        "state": standing.state.value,
        "release": standing.release.to_json(),
        "shadow": _pointer(standing.shadow),
        "previous_release": _pointer(standing.previous_release),
        "initial_release": standing.initial_release.to_json(),
        "streak": standing.streak,
        "required_passes": settings.required_passes,
        "probation_passes": standing.probation_passes,
        "probation_windows": settings.probation_windows,
        "window_start": standing.window_start,
        "window_ticks": settings.window_ticks,
        "baseline": dict(standing.baseline),
        "history": [record.to_json() for record in standing.history],
        "windows": list(windows),
    }


def _pointer(pointer: PolicyPointer | None) -> JsonObject | None:
    return None if pointer is None else pointer.to_json()
