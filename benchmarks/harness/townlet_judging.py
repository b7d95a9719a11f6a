"""Lets players live through the same held-out towns and says what a citizen of each earns."""

from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np
import torch

import diorama
from diorama.contracts.values import F64, I32, JsonObject, JsonValue
from diorama.engine.batch import Batch
from diorama.engine.players import rows_to_open
from diorama.learn.evaluation.policy_player import PolicyPlayer
from diorama.runs.checkpoints.files import newest_checkpoint
from diorama.runs.layout import RunLayout
from diorama.training.policy_files import load_policy

WORLD = "townlet"
TICKS_PER_DAY = 1000


class Decider(Protocol):
    """Chooses for every citizen of a batch of towns."""

    def open(self, batch: Batch) -> Callable[[], I32]:
        """Return what is called before every tick; it has just been reset, and the towns never end while it plays."""


class Controller:
    """The scripted controller as the core plays it."""

    def open(self, batch: Batch) -> Callable[[], I32]:
        """Ask the core."""
        return batch.expert_actions


class Learned:
    """The newest policy of a run, by its likeliest options."""

    def __init__(self, layout: RunLayout, device: str) -> None:
        """Take the newest checkpoint of a run; it is read when the towns are known."""
        self._path = newest_checkpoint(layout)
        self._device = device

    def open(self, batch: Batch) -> Callable[[], I32]:
        """Ask the policy; whoever has just come to town is met without memories."""
        policy, _ = load_policy(self._path, batch.spec)
        player = PolicyPlayer(policy.to(self._device), batch.spec, batch.rows, deterministic=True, seed=0)
        running = np.ones(len(batch.dt), np.bool_)

        def choose() -> I32:
            rows: list[int] = rows_to_open(batch.buffers, running).nonzero()[0].tolist()
            player.reset(rows, [0] * len(rows))
            return player.act(batch.obs, batch.obs_u8, batch.masks)

        return choose


def judge(
    players: Mapping[str, Decider], config: Mapping[str, object], *, days: int, first_seed: int, towns: int
) -> JsonObject:
    """Return for every player what a citizen earns, and how far that is ahead of the first player, town by town.

    Args:
        players: By name; the first is who the others are measured against.
        config: Of the towns; how long they last is set here.
        days: How long they are watched.
        first_seed: Of the first town; the others count up from it.
        towns: How many.
    """
    torch.set_num_threads(1)
    ticks = days * TICKS_PER_DAY
    # Towns must not end before the last tick has been counted: a town that ends opens again at once.
    lasting = {**config, "episode_ticks": ticks + 1}
    seeds = list(range(first_seed, first_seed + towns))
    rows: dict[str, JsonValue] = {}
    usual: F64 | None = None
    for name, player in players.items():
        returns, exits, needs = _live(player, lasting, seeds, ticks)
        usual = returns if usual is None else usual
        ahead = returns - usual
        rows[name] = {
            "return": float(returns.mean()),
            "return_error": _error(returns),
            "ahead": float(ahead.mean()),
            "ahead_error": _error(ahead),
            "towns_ahead": int((ahead > 0).sum()),
            "towns": towns,
            "exits": exits,
            "mean_need": needs,
        }
    return rows


def _live(player: Decider, config: Mapping[str, object], seeds: list[int], ticks: int) -> tuple[F64, int, float]:
    """Return what a citizen of each town earns on average, how many left all towns, and the mean need at the end."""
    batch: Batch = diorama.make(WORLD, copies=len(seeds), config=config)
    try:
        batch.reset(seeds)
        choose = player.open(batch)
        citizens = batch.alive.reshape(len(seeds), -1).sum(axis=1).astype(np.float64)
        earned: F64 = np.zeros(len(seeds))
        exits = 0
        for _ in range(ticks):
            batch.step(choose())
            earned += batch.rewards.reshape(len(seeds), -1).sum(axis=1, dtype=np.float64)
            citizens += (batch.episode_start & batch.alive).reshape(len(seeds), -1).sum(axis=1)
            exits += int(batch.terminated.sum())
        keys = [metric.key for metric in batch.spec.metrics]
        needs = batch.metrics[batch.alive != 0, keys.index("mean_need")]
        return earned / citizens, exits, float(needs.mean())
    finally:
        batch.close()


def _error(values: F64) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
