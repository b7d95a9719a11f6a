"""Two batches of one copy each that are reset and stepped alike."""

from diorama.contracts.values import I32
from diorama.parity.cases import Case
from diorama.parity.fields import Side
from diorama.parity.sides import Sides


class Pair:
    """Both sides of a case.

    Every episode is opened with the seed `case.seed + episodes so far`, whatever the batches' own sequences went on
    with, so that each can be played alone.

    Attributes:
        spec: The contract both sides obey.
        reference: The side that is right by definition; there once an episode has been opened.
        fast: The side that is judged.
        episodes: Episodes that have ended.
        is_open: An episode is running; without one nothing can be stepped.
    """

    reference: Side
    fast: Side

    def __init__(self, case: Case, sides: Sides) -> None:
        """Make both batches."""
        self._seed = case.seed
        self._batches = (sides.reference(case), sides.fast(case))
        self._episode_seed = 0
        self.spec = self._batches[0].spec
        self.episodes = 0
        self.is_open = False

    def open_episode(self) -> None:
        """Open the next episode on both sides."""
        for batch in self._batches:
            batch.reset([self._seed + self.episodes])
        self._look()
        self._episode_seed = self.reference.batch.episode_seed(0)
        self.is_open = True

    def step(self, actions: I32) -> None:
        """Advance both sides by one decision per seat."""
        for batch in self._batches:
            batch.step(actions)
        self._look()
        # A copy that ends is reset inside the step and then plays another seed: that tells the end of the whole
        # copy also in worlds whose seats end one by one.
        if self.reference.batch.episode_seed(0) != self._episode_seed:
            self.is_open = False
            self.episodes += 1

    def snapshots(self) -> tuple[bytes, bytes]:
        """Return the complete states of both sides, the reference first."""
        return self.reference.batch.snapshot(0), self.fast.batch.snapshot(0)

    def _look(self) -> None:
        self.reference, self.fast = (Side(batch, batch.step_record(0)) for batch in self._batches)
