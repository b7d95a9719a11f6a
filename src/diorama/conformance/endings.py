"""Plays until an episode ends, and keeps what the ending step showed."""

import time
from dataclasses import dataclass

import numpy as np

from diorama.conformance.walking import Chooser, Moment, moment_of
from diorama.contracts.values import F32, U8
from diorama.engine.batch import Batch


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The step that ended an episode of a batch of one.

    Attributes:
        decisions: Steps until then, this one included.
        old_seed: Of the episode that ended.
        new_seed: Of the one that was opened in the same step.
        is_told: Whether a row was marked as terminated or truncated.
        starts: `episode_start`, row by row.
        final_obs: Of the rows that ended.
        final_obs_u8: Of the rows that ended.
        opening: What the copy shows of the new episode.
        carries: Whether something goes over from one episode to the next.
        goes_on: Whether the new episode could be stepped.
    """

    decisions: int
    old_seed: int
    new_seed: int
    is_told: bool
    starts: tuple[int, ...]
    final_obs: F32
    final_obs_u8: U8
    opening: Moment
    carries: bool
    goes_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Unended:
    """No episode ended: after so many decisions, because they or the time were used up."""

    decisions: int
    is_out_of_time: bool


def play_to_an_end(batch: Batch, *, limit: int, seconds: float) -> Ending | Unended:
    """Play a batch of one with allowed decisions until its copy begins anew, then step once more."""
    chooser, until = Chooser(batch.spec), time.monotonic() + seconds
    old_seed = batch.episode_seed(0)
    for decisions in range(1, limit + 1):
        batch.step(chooser.choose(batch))
        if batch.episode_seed(0) != old_seed:
            return _ending(batch, chooser, old_seed, decisions)
        if time.monotonic() > until:
            return Unended(decisions=decisions, is_out_of_time=True)
    return Unended(decisions=limit, is_out_of_time=False)


def _ending(batch: Batch, chooser: Chooser, old_seed: int, decisions: int) -> Ending:
    ended = np.flatnonzero(batch.terminated | batch.truncated)
    new_seed, opening, carries = batch.episode_seed(0), moment_of(batch), bool(len(batch.carried(0)))
    starts = tuple(batch.episode_start.tolist())
    final_obs, final_obs_u8 = batch.final_obs[ended].copy(), batch.final_obs_u8[ended].copy()
    batch.step(chooser.choose(batch))
    return Ending(
        decisions=decisions,
        old_seed=old_seed,
        new_seed=new_seed,
        is_told=bool(len(ended)),
        starts=starts,
        final_obs=final_obs,
        final_obs_u8=final_obs_u8,
        opening=opening,
        carries=carries,
        goes_on=bool(batch.alive.any()),
    )
