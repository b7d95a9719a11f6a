"""What the lanes draw, and what is made of it: observations in the chosen format and pictures for viewers."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import U8
from diorama.worlds.gameboy.config import ObservationFormat
from diorama.worlds.gameboy.envs.pixels import FULL_SHAPE, HALF_SHAPE, PACKED_SHAPE, double, halve, pack, unpack

WATCHABLE_LANES: Final = 16  # so few lanes draw full pictures whatever they observe, for whoever looks at them
PICTURE_SHAPES: Final = {
    ObservationFormat.SHADE_FULL: FULL_SHAPE,
    ObservationFormat.SHADE_HALF: HALF_SHAPE,
    ObservationFormat.PACKED2: PACKED_SHAPE,
}


class Screen:
    """The lanes' last pictures as they were drawn.

    Attributes:
        drawn: What the lanes are told to draw, by name.
        observed_shape: Shape of an observed picture; (0, 0) for a format without pictures.
    """

    def __init__(self, lanes: int, observation: ObservationFormat) -> None:
        """Choose what is drawn: no more than is observed, except for few lanes."""
        self._observation = observation
        self.observed_shape = PICTURE_SHAPES.get(observation, (0, 0))
        is_full = lanes <= WATCHABLE_LANES or observation is ObservationFormat.SHADE_FULL
        self.drawn = "shade_full" if is_full else observation.value if observation in PICTURE_SHAPES else "none"
        self._is_direct = self.drawn == observation.value
        needs_canvas = self.drawn == "shade_full" and not self._is_direct
        self._canvas = np.zeros((lanes, *FULL_SHAPE), np.uint8) if needs_canvas else None

    def canvas(self, newest: U8) -> U8 | None:
        """Where the lanes are to draw: into the newest observed pictures themselves where nothing is converted."""
        return newest if self._is_direct else self._canvas

    def convert(self, newest: U8) -> None:
        """Make the newest observed pictures of what was drawn."""
        if self._canvas is not None and newest.size:
            newest[:] = self.observed(self._canvas)

    def observed(self, full: U8) -> U8:
        """Turn full pictures into the observed format."""
        if self._observation is ObservationFormat.SHADE_HALF:
            return halve(full)
        if self._observation is ObservationFormat.PACKED2:
            return pack(halve(full))
        return full if self._observation is ObservationFormat.SHADE_FULL else full[..., :0, :0]

    def shown(self, lane: int, newest: U8) -> U8:
        """Full picture of a lane for a viewer; half pictures are doubled, and without pictures it is blank."""
        if self._canvas is not None or self._observation is ObservationFormat.SHADE_FULL:
            full: U8 = newest[lane] if self._canvas is None else self._canvas[lane]
            return full
        if self._observation is ObservationFormat.SHADE_HALF:
            return double(newest[lane])
        if self._observation is ObservationFormat.PACKED2:
            return double(unpack(newest[lane]))
        return np.zeros(FULL_SHAPE, np.uint8)

    def show(self, lanes: NDArray[np.intp], full: U8) -> None:
        """Remember full pictures of lanes that were put somewhere without running."""
        if self._canvas is not None:
            self._canvas[lanes] = full
