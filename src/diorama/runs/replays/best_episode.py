"""Finds the best of several episodes before anything is recorded, and plays given actions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import ConfigError, EpisodeOver
from diorama.contracts.values import F32, I32, U8
from diorama.engine.players import Contender, let_see, rows_to_open
from diorama.engine.venue import Venue


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedEpisode:
    """What was decided in an episode, steps by seats by heads."""

    seed: int
    return_total: float
    actions: NDArray[np.int32]


class GivenActions:
    """A player that sends what it was given, for the seats of one copy."""

    def __init__(self, actions: NDArray[np.int32]) -> None:
        """Take the actions, steps by seats by heads."""
        self._actions = actions
        self._step = 0

    def reset(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Nothing to forget: the actions go on in their order, whoever takes a seat meanwhile."""

    def act(self, obs: F32, obs_u8: U8, masks: U8) -> I32:
        """Return the next decisions.

        Raises:
            EpisodeOver: All of them were taken.
        """
        if self._step >= len(self._actions):
            raise EpisodeOver(f"all {len(self._actions)} given actions were taken")
        self._step += 1
        decisions: I32 = self._actions[self._step - 1]
        return decisions

    def retire(self, rows: Sequence[int]) -> None:
        """Nothing is kept per row."""


def best_episode(venue: Venue, contender: Contender, seeds: Sequence[int], *, max_steps: int) -> PlayedEpisode:
    """Play one episode per seed, all at once, and return the one with the highest return; of equals the first.

    Nothing is drawn meanwhile, so that only the episode that is kept has to be.

    Args:
        venue: World, configuration and tier.
        contender: Who plays every seat.
        seeds: Episode seeds, at least one.
        max_steps: Decisions after which an episode is cut off.

    Raises:
        ConfigError: There are no seeds.
    """
    if not seeds:
        raise ConfigError("there are no seeds to play; give at least one")
    agents = venue.spec.agents
    batch = venue.batch(venue.config, len(seeds))
    batch.reset(seeds)
    opened = [batch.episode_seed(copy) for copy in range(batch.copies)]
    player = contender.start(venue.spec, batch.rows)
    let_see(player, batch.extra)
    player.reset(range(batch.rows), [opened[row // agents] for row in range(batch.rows)])
    returns, lengths = np.zeros(batch.copies), np.zeros(batch.copies, np.int64)
    is_playing = np.ones(batch.copies, np.bool_)
    noop = np.array(venue.spec.noop, np.int32)
    taken: list[I32] = []
    while is_playing.any() and len(taken) < max_steps:
        chosen = player.act(batch.obs, batch.obs_u8, batch.masks)
        taken.append(np.where(batch.alive[:, None] != 0, chosen, noop).astype(np.int32))
        batch.step(taken[-1])
        paid = batch.rewards.reshape(batch.copies, agents).sum(axis=1, dtype=np.float64)
        returns += np.where(is_playing, paid, 0.0)
        lengths += is_playing
        has_flag = (batch.terminated | batch.truncated).reshape(batch.copies, agents).any(axis=1) & is_playing
        ended = [copy for copy in has_flag.nonzero()[0].tolist() if batch.episode_seed(copy) != opened[copy]]
        is_playing[ended] = False
        player.retire([copy * agents + seat for copy in ended for seat in range(agents)])
        arrived: list[int] = rows_to_open(batch.buffers, is_playing).nonzero()[0].tolist()
        if arrived:
            player.reset(arrived, [opened[row // agents] for row in arrived])
    batch.close()
    best = int(np.argmax(returns))
    actions = np.stack(taken)[: lengths[best], best * agents : (best + 1) * agents]
    return PlayedEpisode(seed=opened[best], return_total=float(returns[best]), actions=actions)
