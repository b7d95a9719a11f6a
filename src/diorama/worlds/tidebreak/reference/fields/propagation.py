"""One step of spreading, drifting and fading; reads the old cells and returns the new ones."""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import F32
from diorama.numerics import clamp, exp, fmin
from diorama.worlds.tidebreak.reference.fields.bricks import Bricks
from diorama.worlds.tidebreak.reference.fields.constants import (
    ALPHA_MAX,
    COURANT_MAX,
    DRIFT_SHARE,
    DYNAMIC_RULES,
    FIRST_DYNAMIC,
    Field,
)
from diorama.worlds.tidebreak.reference.fields.geometry import NEIGHBORS, NO_NEIGHBOR, Indices
from diorama.worlds.tidebreak.reference.fields.settings import FieldSettings

Mask = NDArray[np.bool_]

SMOKE: Final = Field.SMOKE - FIRST_DYNAMIC


@dataclass(frozen=True, slots=True)
class Rates:
    """What a step multiplies with, one value per dynamic field, shaped to meet arrays of bricks."""

    alpha: F32
    keep: F32
    low: F32
    high: F32
    seconds: float
    cell_m: float

    @classmethod
    def of(cls, settings: FieldSettings, cell_m: float) -> Self:
        """Derive the rates of one step."""
        seconds = float(settings.field_period)
        return cls(
            alpha=_per_field([fmin(ALPHA_MAX, kappa * seconds / (cell_m * cell_m)) for kappa in settings.diffusivity]),
            keep=_per_field([exp(-decay * seconds) for decay in settings.decay]),
            low=_per_field([rule.low for rule in DYNAMIC_RULES]),
            high=_per_field([rule.high for rule in DYNAMIC_RULES]),
            seconds=seconds,
            cell_m=cell_m,
        )

    def courant(self, wind_ms: float) -> np.float32:
        """Return the share of a cell that smoke drifts in one step."""
        return np.float32(clamp(DRIFT_SHARE * wind_ms * self.seconds / self.cell_m, -COURANT_MAX, COURANT_MAX))


def _per_field(values: list[float]) -> F32:
    return np.array(values, dtype=np.float32).reshape(-1, 1, 1)


def propagate(bricks: Bricks, closed: tuple[Mask, ...], rates: Rates, wind: tuple[float, float]) -> int:
    """Advance every brick by one step; return how many cell updates that took.

    Args:
        bricks: Changed in place.
        closed: For each side, where nothing flows (`closed_sides`).
        rates: Of this space.
        wind: East and north, m/s.
    """
    keys = bricks.keys()
    own = bricks.dynamic[keys]
    west, east, south, north = (_beside(bricks, keys, own, side, closed[side]) for side in range(4))
    default = bricks.defaults[keys][:, :, None, None]

    moved = own + rates.alpha * (((west + east) + (south + north)) - 4.0 * own)
    moved[:, SMOKE] -= _upwind(rates.courant(wind[0]), west[:, SMOKE], own[:, SMOKE], east[:, SMOKE])
    moved[:, SMOKE] -= _upwind(rates.courant(wind[1]), south[:, SMOKE], own[:, SMOKE], north[:, SMOKE])
    faded = default + (moved - default) * rates.keep
    bounded = np.where(faded < rates.low, rates.low, np.where(faded > rates.high, rates.high, faded))

    bricks.dynamic[keys] = np.where(bricks.is_solid[keys][:, None], default, bounded)
    bricks.has_changed[keys] = True
    bricks.swaps ^= 1
    return own.size


def _upwind(courant: np.float32, behind: F32, own: F32, ahead: F32) -> F32:
    return courant * (own - behind) if courant >= 0.0 else courant * (ahead - own)


def _beside(bricks: Bricks, keys: Indices, own: F32, side: int, closed: Mask) -> F32:
    # At the domain's edge this takes cells of some other brick, which `closed` then sets aside.
    beside = bricks.dynamic[NEIGHBORS[side][keys]]
    return np.where(closed[keys][:, None], own, shifted(own, beside, side))


def shifted(own: NDArray[np.generic], beside: NDArray[np.generic], side: int) -> NDArray[np.generic]:
    """Return for each cell the one next to it, taking the outermost row or column from the brick on that side."""
    if side == 0:
        return np.concatenate((beside[..., -1:], own[..., :-1]), axis=-1)
    if side == 1:
        return np.concatenate((own[..., 1:], beside[..., :1]), axis=-1)
    if side == 2:
        return np.concatenate((beside[..., -1:, :], own[..., :-1, :]), axis=-2)
    return np.concatenate((own[..., 1:, :], beside[..., :1, :]), axis=-2)


def closed_sides(is_solid: Mask) -> tuple[Mask, ...]:
    """Say for each side which cells have a closed cell or the domain's edge there, shape (768, 8, 8) each."""
    sides = []
    for side, neighbors in enumerate(NEIGHBORS):
        beyond = is_solid[neighbors]
        beyond[neighbors == NO_NEIGHBOR] = True
        sides.append(shifted(is_solid, beyond, side).astype(np.bool_))
    return tuple(sides)
