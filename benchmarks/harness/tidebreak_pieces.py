"""Whole battles cut into pieces, so that any number of copies is timed on the same ticks.

A battle costs more while everybody is afloat than near its end. So one battle is played to its end first, with random
valid orders, and cut into equal pieces. One copy then plays the pieces one after another and a batch plays them side by
side: the same orders, the same states, the same ticks, whoever plays them.
"""

import time
from dataclasses import dataclass

import numpy as np

import diorama
from diorama.contracts.values import F64, I32, JsonObject
from diorama.engine.batch import Batch
from diorama.engine.throughput import ValidActionSampler

PIECES = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class CutBattle:
    """A battle in pieces.

    Attributes:
        config: Of the world.
        openings: Snapshot with which each piece begins.
        orders: What is decided in each tick of each piece, pieces × ticks × seats × heads. The last piece runs through
            the end of the battle, so that an auto-reset is part of it.
        ticks: Length of the whole battle.
    """

    config: JsonObject
    openings: tuple[bytes, ...]
    orders: I32
    ticks: int


def cut_battle(config: JsonObject, *, seed: int) -> CutBattle:
    """Play a battle to its end on the fast tier and cut it into `PIECES` pieces."""
    batch = diorama.make("tidebreak", config=config, copies=1, seed=seed, tier="fast", threads=1)
    batch.reset()
    episode, sampler, orders = batch.episode_seed(0), ValidActionSampler(batch.spec, seed=seed), []
    is_over = False
    while not is_over:
        orders.append(sampler.sample(batch.masks))
        batch.step(orders[-1])
        is_over = bool(batch.episode_start[0])
    ticks = len(orders)
    starts = [piece * ticks // PIECES for piece in range(PIECES)]
    length = -(-ticks // PIECES)
    openings = []
    batch.reset(seeds=[episode])
    for tick, given in enumerate(orders):
        openings += [batch.snapshot(0)] * starts.count(tick)
        batch.step(given)
    batch.close()
    # A piece may be a tick longer than its share; past the end nobody is given an order.
    orders += [np.tile(np.array(batch.spec.noop, np.int32), (batch.rows, 1))] * length
    pieces = np.array([orders[start : start + length] for start in starts], np.int32)
    return CutBattle(config=config, openings=tuple(openings), orders=pieces, ticks=ticks)


def play_in_turn(battle: CutBattle, *, tier: str, length: int | None = None, is_drawing: bool = False) -> F64:
    """Play the pieces one after another with one copy.

    Args:
        battle: What is played.
        tier: Who plays it.
        length: Ticks to play of each piece; all by default.
        is_drawing: Draw orders between the steps, as a caller would, and throw them away. That is not timed, but the
            caches hold what the caller works with when the next step begins.

    Returns:
        Seconds of processor time per tick, by piece.
    """
    batch = diorama.make("tidebreak", config=battle.config, copies=1, seed=1, tier=tier, threads=1)
    batch.reset()
    sampler = ValidActionSampler(batch.spec, seed=1) if is_drawing else None
    spent = []
    for opening, orders in zip(battle.openings, battle.orders, strict=True):
        batch.restore(0, opening)
        spent.append(_seconds(batch, orders[:length], sampler) / len(orders[:length]))
    batch.close()
    return np.array(spent)


def play_together(battle: CutBattle) -> float:
    """Play all pieces side by side on the fast tier, one to a copy; return seconds of processor time per tick."""
    batch = diorama.make("tidebreak", config=battle.config, copies=PIECES, seed=1, tier="fast", threads=1)
    batch.reset()
    for piece, opening in enumerate(battle.openings):
        batch.restore(piece, opening)
    orders = np.ascontiguousarray(battle.orders.swapaxes(0, 1)).reshape(battle.orders.shape[1], batch.rows, -1)
    seconds = _seconds(batch, orders, None)
    batch.close()
    return seconds / (PIECES * len(orders))


def _seconds(batch: Batch, orders: I32, sampler: ValidActionSampler | None) -> float:
    if sampler is None:
        began = time.thread_time()
        for given in orders:
            batch.step(given)
        return time.thread_time() - began
    spent = 0.0
    for given in orders:
        sampler.sample(batch.masks)
        began = time.thread_time()
        batch.step(given)
        spent += time.thread_time() - began
    return spent
