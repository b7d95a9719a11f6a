"""What an observer senses around itself: fine nearby, coarse far away."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from diorama.contracts.errors import ContractError
from diorama.contracts.values import F32, F64
from diorama.numerics import TWO_PI, sincos
from diorama.worlds.tidebreak.reference.fields.constants import COORDINATE_MAX_M, TOP_LEVEL

MAX_SECTORS: Final = 64

Sampler = Callable[[F64, F64, int], F32]
"""From x, y and a level of detail to values of shape (points, fields)."""


class Shell(NamedTuple):
    """A ring around the observer, cut into sectors; sector 0 is centered ahead and they run counter-clockwise."""

    inner_m: float
    outer_m: float
    sectors: int
    level: int


DEFAULT_SHELLS: Final = (
    Shell(0.0, 1_000.0, 16, 0),
    Shell(1_000.0, 3_000.0, 8, 1),
    Shell(3_000.0, 8_000.0, 4, 3),
)


def check_shell(shell: Shell) -> None:
    """Refuse shells that are no rings.

    Raises:
        ContractError: With the value that is wrong.
    """
    if not 0.0 <= shell.inner_m < shell.outer_m <= COORDINATE_MAX_M:
        raise ContractError(
            f"a shell from {shell.inner_m} to {shell.outer_m} m is no ring; it must widen from 0 or more"
        )
    if not 1 <= shell.sectors <= MAX_SECTORS:
        raise ContractError(f"a shell has {shell.sectors} sectors; it must have 1 to {MAX_SECTORS}")
    if not 0 <= shell.level <= TOP_LEVEL:
        raise ContractError(f"there is no level {shell.level}; use 0 to {TOP_LEVEL}")


def look_around(x: float, y: float, heading: float, shells: Sequence[Shell], sample_points: Sampler) -> F32:
    """Return the values of all sectors, flat: by shell, then sector, then field.

    A sector's value is the mean of four points in it, two near and two far, each a quarter of the way from its rims.
    """
    values = [_shell_means(x, y, heading, shell, sample_points).ravel() for shell in shells]
    return np.concatenate(values)


def _shell_means(x: float, y: float, heading: float, shell: Shell, sample_points: Sampler) -> F32:
    width_m = shell.outer_m - shell.inner_m
    radii = (shell.inner_m + 0.25 * width_m, shell.inner_m + 0.75 * width_m)
    offset = 0.25 * (TWO_PI / shell.sectors)
    points: list[tuple[float, float]] = []
    for sector in range(shell.sectors):
        center = heading + TWO_PI * sector / shell.sectors
        directions = (sincos(center - offset), sincos(center + offset))
        points += [(x + radius * cosine, y + radius * sine) for radius in radii for sine, cosine in directions]
    at = np.array(points)
    values = sample_points(at[:, 0], at[:, 1], shell.level)
    near_left, near_right, far_left, far_right = values.reshape(shell.sectors, 4, -1).swapaxes(0, 1)
    return ((near_left + near_right) + (far_left + far_right)) * np.float32(0.25)
