"""Plays episodes of given seeds with a contender and returns a record of each."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import F32, F64, I32, U8
from diorama.engine.batch import Batch
from diorama.engine.players import BatchPlayer, Contender, let_see, rows_to_open
from diorama.engine.venue import Venue
from diorama.learn.evaluation.opposition import OpposingRows, Opposition
from diorama.learn.evaluation.summary import EpisodeRecord


class ProfiledBatch:
    """A batch, and for each other reward profile of the world a twin that steps with it.

    Rewards never feed back into a world, so twins that get the same seeds and actions have the same episodes and
    differ in their rewards alone.

    Attributes:
        batch: The batch that the contender observes.
    """

    def __init__(self, venue: Venue, copies: int) -> None:
        """Make the batches; `reset` starts the episodes."""
        self.batch: Batch = venue.batch(venue.config, copies)
        self._by_profile = {
            name: self.batch if config == venue.config else venue.batch(config, copies)
            for name, config in venue.profile_configs().items()
        }
        self._twins = [batch for batch in self._by_profile.values() if batch is not self.batch]

    def reset(self, seeds: Sequence[int]) -> None:
        """Start one episode per copy."""
        for batch in (self.batch, *self._twins):
            batch.reset(seeds=seeds)

    def step(self, actions: I32) -> None:
        """Advance the batch and its twins."""
        for batch in (self.batch, *self._twins):
            batch.step(actions)

    def rewards(self) -> dict[str, F32]:
        """Return the rewards of the last step by profile; the next step overwrites the arrays."""
        return {name: batch.rewards for name, batch in self._by_profile.items()}

    def close(self) -> None:
        """Close all batches."""
        for batch in (self.batch, *self._twins):
            batch.close()


MAX_COPIES_PER_CHUNK: Final = 64
_REPORT_EVERY_DECISIONS: Final = 100

Rows = NDArray[np.bool_]


class Progress(Protocol):
    """Receives the progress of an evaluation."""

    def begin(self, contender: str, episodes: int) -> None:
        """Start of a contender's episodes."""

    def advance(self, *, episodes: int, decisions: int) -> None:
        """More episodes have ended and more decisions were taken."""


class SilentProgress:
    """Ignores the progress."""

    def begin(self, contender: str, episodes: int) -> None:
        """Do nothing."""

    def advance(self, *, episodes: int, decisions: int) -> None:
        """Do nothing."""


def play_episodes(
    venue: Venue,
    contender: Contender,
    seeds: Sequence[int],
    *,
    max_decisions: int,
    progress: Progress,
    opposition: Opposition | None = None,
) -> list[EpisodeRecord]:
    """Play one episode per seed.

    Args:
        venue: World, configuration and tier.
        contender: Plays all seats, or those of its side.
        seeds: Episode seeds.
        max_decisions: Limit of decisions per episode; an episode that it cuts off is marked `guard_truncated`.
        progress: Receives ended episodes and decisions.
        opposition: Plays the seats of the other sides; None where scripts of the world do, or there are none.

    Returns:
        One record per filled seat of the contender, in the order of the seeds. Where agents come and go, one record
        per agent, in the order of their arrival in the seat.
    """
    records: list[EpisodeRecord] = []
    for chunk in episode_chunks(seeds):
        records += _EpisodeRunner(venue, contender, chunk, opposition).play(max_decisions, progress)
    return records


def episode_chunks(seeds: Sequence[int]) -> list[Sequence[int]]:
    """Return the seeds in chunks whose episodes are played in one batch."""
    return [seeds[start : start + MAX_COPIES_PER_CHUNK] for start in range(0, len(seeds), MAX_COPIES_PER_CHUNK)]


class _EpisodeRunner:
    """Plays one episode per copy of a batch until all have ended; rows whose episode has ended send the no-op.

    An agent that arrives in a seat while the copy runs starts an episode of its own there.
    """

    def __init__(self, venue: Venue, contender: Contender, seeds: Sequence[int], opposition: Opposition | None) -> None:
        self._spec = venue.spec
        self._contender = contender.name
        self._cast = venue.world.cast
        self._seeds = seeds
        self._batches = ProfiledBatch(venue, copies=len(seeds))
        rows = self._batches.batch.rows
        self._player: BatchPlayer = contender.start(self._spec, rows)
        let_see(self._player, self._batches.batch.extra)
        self._opposing = None if opposition is None else OpposingRows(opposition, venue, rows)
        self._noop: I32 = np.array(self._spec.noop, np.int32)
        self._playing: Rows = np.ones(rows, np.bool_)
        self._decisions = np.zeros(rows, np.int64)
        self._ticks = np.zeros(rows, np.int64)
        self._invalid = np.zeros(rows, np.int64)
        self._returns: dict[str, F64] = {profile: np.zeros(rows) for profile in venue.profile_configs()}
        self._records: dict[int, list[EpisodeRecord]] = {}
        self._opened: list[int] = []
        self._running: Rows = np.ones(len(seeds), np.bool_)

    def play(self, max_decisions: int, progress: Progress) -> list[EpisodeRecord]:
        """Play to the end or to the limit and return the records in row order."""
        batch = self._batches.batch
        self._batches.reset(self._seeds)
        self._opened = [batch.episode_seed(copy) for copy in range(len(self._seeds))]
        # An empty seat takes no part in the episode.
        self._playing[:] = batch.alive != 0
        if self._opposing is not None:
            self._opposing.open(batch, self._seeds)
            self._playing &= self._opposing.others
        self._reset_player(self._playing)
        unreported = 0
        for _ in range(max_decisions):
            unreported += self._step()
            ended = self._playing & ((batch.terminated | batch.truncated) != 0)
            if ended.any() or unreported >= _REPORT_EVERY_DECISIONS * batch.rows:
                self._finish(ended)
                progress.advance(episodes=int(ended.sum()), decisions=unreported)
                unreported = 0
            self._find_ended_copies(ended)
            if not self._running.any():
                break
            self._open_arrivals()
        cut_off = self._playing.copy()
        self._finish(cut_off)
        progress.advance(episodes=int(cut_off.sum()), decisions=unreported)
        self._batches.close()
        return [record for row in sorted(self._records) for record in self._records[row]]

    def _step(self) -> int:
        batch = self._batches.batch
        deciding = self._playing & (batch.alive != 0)
        chosen = self._player.act(batch.obs, batch.obs_u8, batch.masks)
        actions = np.where(deciding[:, None], chosen, self._noop).astype(np.int32)
        self._invalid += deciding & invalid_rows(self._spec, batch.masks, actions)
        self._decisions += deciding
        if self._opposing is not None:
            self._opposing.act(batch, self._running, actions)
        self._batches.step(actions)
        self._ticks += np.where(self._playing, np.repeat(batch.dt, self._spec.agents), 0)
        for profile, rewards in self._batches.rewards().items():
            self._returns[profile] += np.where(self._playing, rewards, 0.0)
        return int(deciding.sum())

    def _reset_player(self, opening: Rows) -> None:
        rows: list[int] = opening.nonzero()[0].tolist()
        self._player.reset(rows, [self._seeds[row // self._spec.agents] for row in rows])

    def _open_arrivals(self) -> None:
        """Start an episode for each agent that has arrived, and reset the memory of rows that begin anew."""
        opening = rows_to_open(self._batches.batch.buffers, self._running)
        if self._opposing is not None:
            opening &= self._opposing.others
        if not opening.any():
            return
        arrived = opening & ~self._playing
        for counted in (self._decisions, self._ticks, self._invalid, *self._returns.values()):
            counted[arrived] = 0
        self._playing |= arrived
        self._reset_player(opening)

    def _find_ended_copies(self, ended: Rows) -> None:
        """Mark copies that have ended: the step has reset them, and they play another seed."""
        agents, batch = self._spec.agents, self._batches.batch
        is_idle = ~self._playing.reshape(-1, agents).any(axis=1)
        candidates: list[int] = np.flatnonzero(
            self._running & (ended.reshape(-1, agents).any(axis=1) | is_idle)
        ).tolist()
        for copy in candidates:
            self._running[copy] = batch.episode_seed(copy) == self._opened[copy]

    def _finish(self, ended: Rows) -> None:
        rows: list[int] = ended.nonzero()[0].tolist()
        for row in rows:
            self._records.setdefault(row, []).append(self._record(row))
        self._playing &= ~ended
        self._player.retire(rows)

    def _record(self, row: int) -> EpisodeRecord:
        copy, seat = divmod(row, self._spec.agents)
        step = self._batches.batch.step_record(copy)
        terminated, truncated = step.terminated[seat], step.truncated[seat]
        end_reason = step.info.get("end_reason")
        if self._cast is not None and not truncated:
            end_reason = next((gone.reason for gone in self._cast.departures(step) if gone.seat == seat), None)
        return EpisodeRecord(
            policy=self._contender,
            seed=self._seeds[copy],
            seat=seat,
            decisions=int(self._decisions[row]),
            ticks=int(self._ticks[row]),
            returns={profile: float(values[row]) for profile, values in self._returns.items()},
            terminated=terminated,
            truncated=truncated,
            guard_truncated=not (terminated or truncated),
            end_reason=None if end_reason is None else str(end_reason),
            invalid_actions=int(self._invalid[row]),
            metrics=dict(zip(self._spec.metric_keys, step.metrics[seat], strict=True)),
        )


def invalid_rows(spec: WorldSpec, masks: U8, actions: I32) -> Rows:
    """Return a mask of the rows whose action is invalid on any head; without action masks all actions are valid."""
    invalid: Rows = np.zeros(len(actions), np.bool_)
    if not spec.has_mask:
        return invalid
    start = 0
    for head, choices in zip(spec.heads, actions.T, strict=True):
        size = len(head.options)
        exists = (choices >= 0) & (choices < size)
        allowed = masks[np.arange(len(actions)), start + np.where(exists, choices, 0)] != 0
        invalid |= ~(exists & allowed)
        start += size
    return invalid


PendingEpisodes: TypeAlias = Callable[[Progress], list[EpisodeRecord]]
"""Waits for submitted episodes and returns their records, as `play_episodes` does."""


class SubmitEpisodes(Protocol):
    """Plays the same episodes as `play_episodes`, here or elsewhere."""

    def __call__(
        self,
        venue: Venue,
        contender: Contender,
        seeds: Sequence[int],
        *,
        max_decisions: int,
        opposition: Opposition | None = None,
    ) -> PendingEpisodes:
        """Submit one episode per seed."""


def submit_locally(
    venue: Venue,
    contender: Contender,
    seeds: Sequence[int],
    *,
    max_decisions: int,
    opposition: Opposition | None = None,
) -> PendingEpisodes:
    """Submit episodes in this process; they are played when their records are read."""
    return lambda progress: play_episodes(
        venue, contender, seeds, max_decisions=max_decisions, progress=progress, opposition=opposition
    )
