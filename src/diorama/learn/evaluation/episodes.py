"""Plays given episodes with a contender and records how they ended."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import F32, F64, I32, U8
from diorama.engine.batch import Batch
from diorama.engine.players import BatchPlayer, Contender, let_see, rows_to_open
from diorama.engine.venue import Venue
from diorama.learn.evaluation.summary import EpisodeRecord


class Stage:
    """A batch that is played and, in lockstep, a twin for each reward profile that is not its own.

    Rewards never feed back into a world, so twins that see the same seeds and actions live through the same
    episodes and differ in nothing but their rewards.

    Attributes:
        batch: The batch that is played.
    """

    def __init__(self, venue: Venue, copies: int) -> None:
        """Make the batches; `reset` opens the episodes."""
        self.batch: Batch = venue.batch(venue.config, copies)
        self._by_profile = {
            name: self.batch if config == venue.config else venue.batch(config, copies)
            for name, config in venue.profile_configs().items()
        }
        self._twins = [batch for batch in self._by_profile.values() if batch is not self.batch]

    def reset(self, seeds: Sequence[int]) -> None:
        """Open one episode per copy."""
        for batch in (self.batch, *self._twins):
            batch.reset(seeds=seeds)

    def step(self, actions: I32) -> None:
        """Advance the batch and its twins."""
        for batch in (self.batch, *self._twins):
            batch.step(actions)

    def rewards(self) -> dict[str, F32]:
        """Return the rewards of the last step by profile; the arrays are reused by the next one."""
        return {name: batch.rewards for name, batch in self._by_profile.items()}

    def close(self) -> None:
        """Free the copies."""
        for batch in (self.batch, *self._twins):
            batch.close()


MAX_COPIES_PER_WAVE: Final = 64
_REPORT_EVERY_DECISIONS: Final = 100

Rows = NDArray[np.bool_]


class Progress(Protocol):
    """Hears how an evaluation advances."""

    def begin(self, contender: str, episodes: int) -> None:
        """A contender starts on this many episodes."""

    def advance(self, *, episodes: int, decisions: int) -> None:
        """This many more episodes ended and decisions were taken."""


class Silence:
    """Progress that nobody watches."""

    def begin(self, contender: str, episodes: int) -> None:
        """Say nothing."""

    def advance(self, *, episodes: int, decisions: int) -> None:
        """Say nothing."""


def play_episodes(
    venue: Venue, contender: Contender, seeds: Sequence[int], *, max_decisions: int, progress: Progress
) -> list[EpisodeRecord]:
    """Play one episode per seed.

    Args:
        venue: Where to play.
        contender: Who plays every seat.
        seeds: Episode seeds.
        max_decisions: Guard per episode; an episode it cuts off is marked `guard_truncated`.
        progress: Told about ended episodes and decisions taken.

    Returns:
        One record per seat that is filled, in the order of the seeds; where seats change hands, one for everybody who
        had the seat, in the order they came.
    """
    records: list[EpisodeRecord] = []
    for wave in waves_of(seeds):
        records += _Wave(venue, contender, wave).play(max_decisions, progress)
    return records


def waves_of(seeds: Sequence[int]) -> list[Sequence[int]]:
    """Return the seeds in portions that are played together."""
    return [seeds[start : start + MAX_COPIES_PER_WAVE] for start in range(0, len(seeds), MAX_COPIES_PER_WAVE)]


class _Wave:
    """One batch of episodes, played until the last of them is done; rows that are done send the no-op.

    Somebody who takes a seat while the copy runs plays an episode of its own there.
    """

    def __init__(self, venue: Venue, contender: Contender, seeds: Sequence[int]) -> None:
        self._spec = venue.spec
        self._contender = contender.name
        self._cast = venue.world.cast
        self._seeds = seeds
        self._stage = Stage(venue, copies=len(seeds))
        rows = self._stage.batch.rows
        self._player: BatchPlayer = contender.start(self._spec, rows)
        let_see(self._player, self._stage.batch.extra)
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
        """Play to the end or to the guard and return the records in row order."""
        batch = self._stage.batch
        self._stage.reset(self._seeds)
        self._opened = [batch.episode_seed(copy) for copy in range(len(self._seeds))]
        # A seat that nobody fills takes no part in the episode.
        self._playing[:] = batch.alive != 0
        self._begin(self._playing)
        unreported = 0
        for _ in range(max_decisions):
            unreported += self._step()
            ended = self._playing & ((batch.terminated | batch.truncated) != 0)
            if ended.any() or unreported >= _REPORT_EVERY_DECISIONS * batch.rows:
                self._finish(ended)
                progress.advance(episodes=int(ended.sum()), decisions=unreported)
                unreported = 0
            self._note_endings(ended)
            if not self._running.any():
                break
            self._welcome()
        cut_off = self._playing.copy()
        self._finish(cut_off)
        progress.advance(episodes=int(cut_off.sum()), decisions=unreported)
        self._stage.close()
        return [record for row in sorted(self._records) for record in self._records[row]]

    def _step(self) -> int:
        batch = self._stage.batch
        deciding = self._playing & (batch.alive != 0)
        chosen = self._player.act(batch.obs, batch.obs_u8, batch.masks)
        actions = np.where(deciding[:, None], chosen, self._noop).astype(np.int32)
        self._invalid += deciding & invalid_rows(self._spec, batch.masks, actions)
        self._decisions += deciding
        self._stage.step(actions)
        self._ticks += np.where(self._playing, np.repeat(batch.dt, self._spec.agents), 0)
        for profile, rewards in self._stage.rewards().items():
            self._returns[profile] += np.where(self._playing, rewards, 0.0)
        return int(deciding.sum())

    def _begin(self, opening: Rows) -> None:
        rows: list[int] = opening.nonzero()[0].tolist()
        self._player.reset(rows, [self._seeds[row // self._spec.agents] for row in rows])

    def _welcome(self) -> None:
        """Let whoever has taken a seat play there, and whose memory does not count any more forget."""
        opening = rows_to_open(self._stage.batch.buffers, self._running)
        if not opening.any():
            return
        arrived = opening & ~self._playing
        for counted in (self._decisions, self._ticks, self._invalid, *self._returns.values()):
            counted[arrived] = 0
        self._playing |= arrived
        self._begin(opening)

    def _note_endings(self, ended: Rows) -> None:
        """Find the copies that are over: an ended one has been reset inside the step, and plays another seed."""
        agents, batch = self._spec.agents, self._stage.batch
        is_idle = ~self._playing.reshape(-1, agents).any(axis=1)
        suspected: list[int] = np.flatnonzero(
            self._running & (ended.reshape(-1, agents).any(axis=1) | is_idle)
        ).tolist()
        for copy in suspected:
            self._running[copy] = batch.episode_seed(copy) == self._opened[copy]

    def _finish(self, ended: Rows) -> None:
        rows: list[int] = ended.nonzero()[0].tolist()
        for row in rows:
            self._records.setdefault(row, []).append(self._record(row))
        self._playing &= ~ended
        self._player.retire(rows)

    def _record(self, row: int) -> EpisodeRecord:
        copy, seat = divmod(row, self._spec.agents)
        step = self._stage.batch.step_record(copy)
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
    """Return the rows whose choice the mask rules out on any head; a world without masks rules out nothing."""
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


Played: TypeAlias = Callable[[Progress], list[EpisodeRecord]]
"""Returns the records of episodes that were asked for, as `play_episodes` does."""


class Asking(Protocol):
    """Takes the same arguments as `play_episodes`, and plays the same episodes."""

    def __call__(self, venue: Venue, contender: Contender, seeds: Sequence[int], *, max_decisions: int) -> Played:
        """Ask for one episode per seed."""


def ask_here(venue: Venue, contender: Contender, seeds: Sequence[int], *, max_decisions: int) -> Played:
    """Ask for episodes in this process; they are played when they are read."""
    return lambda progress: play_episodes(venue, contender, seeds, max_decisions=max_decisions, progress=progress)
