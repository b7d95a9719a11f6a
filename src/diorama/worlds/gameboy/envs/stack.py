"""The last pictures of every lane, in a ring: nothing is moved when a new one comes."""

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import U8


class PictureStack:
    """`depth` pictures of each lane; with one, the ring is that picture and pushing writes over it."""

    def __init__(self, lanes: int, depth: int, shape: tuple[int, ...]) -> None:
        """Begin with empty pictures."""
        self.depth = depth
        self._ring = np.zeros((depth, lanes, *shape), np.uint8)
        self._newest = 0

    @property
    def newest(self) -> U8:
        """The newest picture of each lane, in place."""
        newest: U8 = self._ring[self._newest]
        return newest

    def turn(self) -> U8:
        """Make room for the next pictures and return where they are to be written."""
        self._newest = (self._newest + 1) % self.depth
        return self.newest

    def fill(self, lanes: NDArray[np.intp], pictures: U8) -> None:
        """Make all pictures of the lanes equal to one each."""
        self._ring[:, lanes] = pictures

    def gather(self, out: U8) -> None:
        """Write the pictures oldest first: `out` is (lanes, depth, *shape)."""
        for place in range(self.depth):
            out[:, place] = self._ring[(self._newest + 1 + place) % self.depth]

    def of_lane(self, lane: int) -> U8:
        """Copy the pictures of a lane, oldest first."""
        order = [(self._newest + 1 + place) % self.depth for place in range(self.depth)]
        return self._ring[order, lane]

    def load_lane(self, lane: int, pictures: U8) -> None:
        """Replace the pictures of a lane, oldest first."""
        for place in range(self.depth):
            self._ring[(self._newest + 1 + place) % self.depth, lane] = pictures[place]

    def gathered(self) -> U8:
        """Copy the pictures oldest first, (lanes, depth, *shape)."""
        out = np.empty((self._ring.shape[1], self.depth, *self._ring.shape[2:]), np.uint8)
        self.gather(out)
        return out

    def of_lanes(self, lanes: NDArray[np.intp]) -> U8:
        """Copy the pictures of some lanes, oldest first, (lanes, depth, *shape)."""
        order = [(self._newest + 1 + place) % self.depth for place in range(self.depth)]
        return np.stack([self._ring[place, lanes] for place in order], axis=1)
