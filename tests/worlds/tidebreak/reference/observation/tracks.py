"""Tracks that a ship holds of others."""

from typing import Any

from diorama.worlds.tidebreak.codes import Iff
from diorama.worlds.tidebreak.reference.components import Track


def track(track_id: int, x: float = 0.0, y: float = 1_000.0, **changes: Any) -> Track:
    """Return a firm track of a hostile ship, changed as told."""
    values: dict[str, Any] = {
        "target_id": 3,
        "vx": 0.0,
        "vy": 0.0,
        "P": 400.0,
        "quality": 2,
        "age": 0,
        "hits": 9,
        "bearing_only": False,
        "layer_est": 0,
        "class_level": 2,
        "id_conf": 0.7,
        "iff": Iff.HOSTILE_DECLARED,
        "is_munition": False,
        "modalities": 1,
        "shared": False,
        **changes,
    }
    return Track(track_id=track_id, x=x, y=y, **values)
