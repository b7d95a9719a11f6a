"""`Troupe`: a batch and whoever plays all of its copies. Not thread-safe; one thread steps it."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import F64, U8
from diorama.engine.players import BatchPlayer, Contender, let_see
from diorama.engine.venue import Venue
from diorama.runs.documents import RawObject
from diorama.runs.replays.frames import rounded
from diorama.server.errors import BadValue
from diorama.server.wall.pictures import LanePictures

ENDED = 1
SUCCEEDED = 2
SUCCESS_METRIC = "success"


@dataclass(slots=True, kw_only=True)
class Tally:
    """What has come of it so far; `headline` has sums over the episodes that ended."""

    steps: int = 0
    ticks: int = 0
    episodes: int = 0
    successes: int = 0
    return_sum: float = 0.0
    headline: dict[str, float] = field(default_factory=dict)


class Troupe:
    """Copies that are played for ever; a copy that ends begins anew.

    Attributes:
        pictures: How their pictures are taken.
        tally: What has come of it.
        has_success: Whether the world says which episodes were successes.
    """

    def __init__(self, venue: Venue, contender: Contender, copies: int, seed: int) -> None:
        """Open the first episodes.

        Raises:
            BadValue: The world has several seats.
            ConfigError: It sends no pictures.
        """
        spec = venue.spec
        if spec.agents != 1:
            raise BadValue(f"{spec.world!r} has {spec.agents} seats a copy; walls show worlds with one")
        self.pictures = LanePictures.of(spec)
        self.tally = Tally(headline=dict.fromkeys(spec.headline, 0.0))
        self.has_success = SUCCESS_METRIC in spec.metric_keys
        self._metric_keys = spec.metric_keys
        self._batch = venue.batch(venue.config, copies)
        self._batch.reset([seed + copy for copy in range(copies)])
        self._player: BatchPlayer = contender.start(spec, copies)
        let_see(self._player, self._batch.extra)
        self._player.reset(range(copies), [self._batch.episode_seed(copy) for copy in range(copies)])
        self._returns: F64 = np.zeros(copies)
        self._last_actions: NDArray[np.int32] = np.tile(np.array(spec.noop, np.int32), (copies, 1))

    @property
    def copies(self) -> int:
        """How many there are."""
        return self._batch.copies

    def step(self) -> U8:
        """Take one decision on every copy.

        Returns:
            For every copy `ENDED` where its episode ended, and `SUCCEEDED` where that was a success.
        """
        batch = self._batch
        self._last_actions = self._player.act(batch.obs, batch.obs_u8, batch.masks).copy()
        batch.step(self._last_actions)
        self._returns += batch.rewards
        self.tally.steps += batch.copies
        self.tally.ticks += int(batch.dt.sum())
        ended = (batch.terminated | batch.truncated) != 0
        marks: U8 = np.where(ended, ENDED, 0).astype(np.uint8)
        if ended.any():
            self._finish(ended, marks)
        return marks

    def take_pictures(self) -> U8:
        """Return what every copy shows now, one row of bytes each."""
        return self.pictures.take(self._batch.obs_u8)

    def lane(self, copy: int) -> RawObject:
        """Return a copy as a page shows it beside the wall."""
        return {
            "copy": copy,
            "action": self._last_actions[copy].tolist(),
            "reward": float(self._batch.rewards[copy]),
            "return_total": float(self._returns[copy]),
            "render_state": rounded(self._batch.render_state(copy)),
        }

    def close(self) -> None:
        """Free the copies."""
        self._batch.close()

    def _finish(self, ended: NDArray[np.bool_], marks: U8) -> None:
        batch, rows = self._batch, ended.nonzero()[0].tolist()
        self.tally.episodes += len(rows)
        self.tally.return_sum += float(self._returns[rows].sum())
        for key in self.tally.headline:
            self.tally.headline[key] += float(batch.metrics[rows, self._metric_keys.index(key)].sum())
        if self.has_success:
            succeeded = ended & (batch.metrics[:, self._metric_keys.index(SUCCESS_METRIC)] > 0.5)
            marks[succeeded] |= SUCCEEDED
            self.tally.successes += int(succeeded.sum())
        self._returns[rows] = 0.0
        self._player.reset(rows, [batch.episode_seed(row) for row in rows])
