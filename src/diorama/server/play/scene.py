"""`PlayScene`: an episode that can be taken back."""

from dataclasses import dataclass

from diorama.contracts.records import StepRecord
from diorama.contracts.values import F32, I32, U8
from diorama.engine.venue import Venue
from diorama.runs.replays.scene import Moment, Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A moment of an episode that can be returned to; `arrivals` are the seats somebody had just taken."""

    steps: int
    ticks: int
    snapshot: bytes
    arrivals: tuple[int, ...]


class PlayScene(Scene):
    """One episode of one copy that can go back to an earlier place.

    Attributes:
        opening: What the world says about the episode before its first step.
    """

    def __init__(self, venue: Venue, seed: int) -> None:
        """Open the episode of a seed."""
        super().__init__(venue, seed)
        self._returned_to: Place | None = None
        self.opening: StepRecord = self._batch.opening_record(0)

    @property
    def steps(self) -> int:
        """Decisions so far."""
        return self._steps

    @property
    def ticks(self) -> int:
        """Simulated time so far."""
        return self._ticks

    @property
    def arrivals(self) -> list[int]:
        """Seats somebody has taken in the last step; at the opening, also when it is met again, all that are filled."""
        if self._returned_to is not None:
            return list(self._returned_to.arrivals)  # the batch knows them only from the step itself
        if self._steps > 0:
            return super().arrivals
        filled: list[int] = self._batch.alive.nonzero()[0].tolist()
        return filled

    def place(self) -> Place:
        """Return where the episode stands; it must not be over."""
        return Place(
            steps=self._steps,
            ticks=self._ticks,
            snapshot=self._batch.snapshot(0),
            arrivals=tuple(self.arrivals),
        )

    def step(self, decisions: I32) -> Moment:
        """Take one decision per seat.

        Raises:
            EpisodeOver: There is nothing left to play.
            ContractError: The world paid a reward that is no number.
        """
        moment = super().step(decisions)
        self._returned_to = None
        return moment

    def return_to(self, place: Place) -> None:
        """Go on from an earlier place of the same episode."""
        self._batch.restore(0, place.snapshot)
        self._before = place.snapshot
        self._closing = None
        self._steps, self._ticks = place.steps, place.ticks
        self.is_over = False
        self._returned_to = place

    def observation(self, seat: int, *, is_last: bool) -> tuple[F32, U8]:
        """Return what a seat sees; `is_last` where the last step was its last."""
        buffers = self._batch.buffers
        rows = (buffers.final_obs, buffers.final_obs_u8) if is_last else (buffers.obs, buffers.obs_u8)
        return rows[0][seat], rows[1][seat]
