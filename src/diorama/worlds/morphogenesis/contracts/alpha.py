"""Names of the alpha controller: modes, curves and the operators that use alpha."""

from enum import IntEnum
from typing import Final

DEFAULT_ALPHA_STEEPNESS: Final = 12.0
MIN_ALPHA_STEEPNESS: Final = 0.1
ALPHA_TOLERANCE: Final = 1e-6
"""Alphas closer than this are the same to a gate."""


class AlphaMode(IntEnum):
    """Whether alpha rests or moves."""

    HOLD = 0
    UP = 1
    DOWN = 2


class AlphaCurve(IntEnum):
    """Shape of a ramp."""

    LINEAR = 1
    COSINE = 2
    SIGMOID = 3


class AlphaAlgorithm(IntEnum):
    """Operator that puts a seed's residual on the host's features."""

    ADD = 1
    MULTIPLY = 2
    GATE = 3
