"""Sound in the sea: how loud things are, how much of it arrives, and what it drowns in."""

from diorama.numerics import clamp, fmax, fmin, log10
from diorama.worlds.tidebreak.codes import Layer
from diorama.worlds.tidebreak.reference.sensing.constants import (
    BLOCKED_DB,
    CAVITATION_DB,
    CAVITATION_FROM,
    CAVITATION_SPAN,
    DB_SUM_GAIN,
    DB_SUM_SPAN,
    FIELD_NOISE_FLOOR_DB,
    FIRE_NOISE_DB,
    FLOOD_NOISE_DB,
    FLOW_NOISE_DB,
    FLOW_NOISE_SPEED_DB,
    SEDIMENT_DB,
    SPEED_SHARE_MAX,
    SUBMERGED_ABYSSAL_DB,
    SURFACE_ABYSSAL_DB,
    THERMOCLINE_CONTRAST_C,
    THERMOCLINE_DB,
    THERMOCLINE_SPAN_C,
)


def db_sum(a: float, b: float) -> float:
    """Level of two sources together, piecewise linear: 3 dB over equal ones, nothing from 10 dB apart."""
    return fmax(a, b) + DB_SUM_GAIN * fmax(0.0, 1.0 - abs(a - b) / DB_SUM_SPAN)


def speed_share(speed_ms: float, class_speed_ms: float) -> float:
    """Speed as a share of the class speed, 0 for a hull that has none."""
    return fmin(speed_ms / class_speed_ms, SPEED_SHARE_MAX) if class_speed_ms > 0.0 else 0.0


def hull_source_level(sl0_db: float, slk_db: float, share: float, flood: float, fire: float) -> float:
    """Level a hull radiates, before what its posture and its layer add."""
    cavitation = CAVITATION_DB * fmax(0.0, (share - CAVITATION_FROM) / CAVITATION_SPAN)
    return sl0_db + slk_db * (share * share) + cavitation + FLOOD_NOISE_DB * flood + FIRE_NOISE_DB * fire


def noise_level(ambient_db: float, share: float, noise_field_db: float) -> float:
    """Level an observer listens through: the sea, its own flow and what the field carries."""
    flow = FLOW_NOISE_DB + FLOW_NOISE_SPEED_DB * (share * share)
    return db_sum(db_sum(ambient_db, flow), FIELD_NOISE_FLOOR_DB + noise_field_db)


def thermocline_with_fields(map_value: float, surface_c: float, submerged_c: float) -> float:
    """Strength of the thermocline where the layers have these temperatures."""
    return clamp(map_value + (surface_c - submerged_c - THERMOCLINE_CONTRAST_C) / THERMOCLINE_SPAN_C, 0.0, 1.0)


def crossing_loss(first_layers: int, second_layers: int, thermocline: float) -> float:
    """Loss between layers; the least over all pairs of two masks."""
    least = -1.0
    for first in Layer:
        for second in Layer:
            if first_layers >> first & 1 and second_layers >> second & 1:
                loss = _loss_between(first, second, thermocline)
                if least < 0.0 or loss < least:
                    least = loss
    return least


def _loss_between(first: Layer, second: Layer, thermocline: float) -> float:
    if first is second:
        return 0.0
    apart = {first, second}
    if apart == {Layer.SURFACE, Layer.SUBMERGED}:
        return THERMOCLINE_DB * thermocline
    return SUBMERGED_ABYSSAL_DB if apart == {Layer.SUBMERGED, Layer.ABYSSAL} else SURFACE_ABYSSAL_DB


def transmission_loss(range_m: float, crossing_db: float, sediment: float, *, is_blocked: bool) -> float:
    """Loss along a path, with the mean sediment on it."""
    spreading = 20.0 * log10(fmax(range_m, 1.0)) + range_m / 1000.0
    return spreading + crossing_db + SEDIMENT_DB * sediment + (BLOCKED_DB if is_blocked else 0.0)
