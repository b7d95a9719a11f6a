"""Action suites of parity plans that draw their decisions."""

from collections.abc import Callable

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.rng import Pcg32

Draw = Callable[[Pcg32, U8], Decision]
"""Makes a decision from a stream and the mask of the row."""


class DrawnActions:
    """Draws every decision from one stream, which runs on across episodes."""

    def __init__(self, draw: Draw, rng: Pcg32) -> None:
        """Draw from this stream alone."""
        self._draw = draw
        self._rng = rng

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Draw the next decision."""
        return self._draw(self._rng, mask)


def drawn(draw: Draw, *, stream: int, seed_offset: int = 0) -> Callable[[int], DrawnActions]:
    """Return what starts a suite from a seed; suites of one world that share a stream have other offsets."""
    return lambda seed: DrawnActions(draw, Pcg32.from_seed(seed + seed_offset, stream))
