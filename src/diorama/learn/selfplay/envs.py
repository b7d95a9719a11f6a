"""`SelfPlayEnvs`: environments in which opponents act for the seats that the learner does not have."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.capabilities import ReconfigurableCore
from diorama.contracts.matches import opposing_seats
from diorama.contracts.tiers import BatchCore
from diorama.contracts.values import F64, I32
from diorama.engine.batch import keep_awake
from diorama.learn.keyed_random import DrawKey, subseed
from diorama.learn.selfplay.league import ActiveMatch, League
from diorama.learn.selfplay.match import ANY_SIDE, LATEST, Match, MatchResult, StepCounter, StepStats
from diorama.learn.streams import OPPONENTS


class SelfPlayEnvs:
    """Copies `first_copy` and on of a league; implements `learn.envs.TrainingEnvs` and `HasEpisodeSeeds`.

    One core steps all copies. A copy gets another configuration when its match has ended and the next one has another
    opponent, side or stage. The trainer sees the rows of opponents as rows that take no decision.
    """

    def __init__(
        self, league: League, first_copy: int, copies: int, *, threads: int = 1, core: BatchCore | None = None
    ) -> None:
        """Take a range of a league's copies.

        Args:
            league: Whose matches are played.
            first_copy: Index of the first copy in the league.
            copies: How many.
            threads: How many threads of their own step the copies, where the tier has any.
            core: The copies, split off those of other environments; made here if None.
        """
        self.spec = league.spec
        self.copies = copies
        self._league = league
        self._first_copy = first_copy
        self._core = league.core(copies, threads) if core is None else core
        agents = self.spec.agents
        rows = slice(first_copy * agents, (first_copy + copies) * agents)
        self._result_column = self.spec.metric_keys.index(league.matchmaker.rules.result_metric)
        self._memory = league.memory[rows]
        self._actions: I32 = np.zeros((copies * agents, len(self.spec.heads)), np.int32)
        self._is_opponent: NDArray[np.bool_] = np.zeros(copies * agents, np.bool_)
        self._rows_of: dict[str, torch.Tensor] | None = None
        self._bots = league.seated_bots(copies)
        self._are_bots_restored = False
        self._steps = league.matchmaker.steps
        self._finished: list[MatchResult] = []
        self._counter = StepCounter(league.matchmaker.rules)
        self._step_stats: list[StepStats] = []
        self._buffers: Buffers | None = None

    @property
    def reward_term_names(self) -> tuple[str, ...]:
        """Names of the terms that rewards are sums of; empty for a world that does not say."""
        terms = self._league.venue.world.reward_terms
        return () if terms is None else terms.names(self._league.venue.config)

    def reward_terms(self) -> F64:
        """Return the terms of the rewards of the last step, rows × terms; opponents have terms, too."""
        terms = self._league.venue.world.reward_terms
        assert terms is not None, "worlds without terms have no names of them"
        return terms.read(self._core, self.copies, self.reward_term_names)

    def adopt(self, buffers: Buffers) -> None:
        """Write into these buffers from now on."""
        self._buffers = buffers

    def reset(self) -> None:
        """Start the first match of every copy."""
        draw_match = self._league.matchmaker.draw_match
        self._start({copy: draw_match(self._first_copy + copy, 0) for copy in range(self.copies)})
        self._current.alive[self._is_opponent] = 0

    def step(self, actions: I32, into: Buffers) -> None:
        """Advance every copy by one decision per seat; frozen policies and bots replace the actions of their rows."""
        self._actions[:] = actions
        if self._rows_of is None:
            self._rows_of = self._rows_by_opponent()
        bots = {name: rows for name, rows in self._rows_of.items() if name in self._bots.names}
        policies = {name: rows for name, rows in self._rows_of.items() if name not in bots}
        self._bots.act(bots, self._current, self.episode_seed, self._actions)
        if policies:
            key = DrawKey(
                seed=subseed(self._league.seed, OPPONENTS, self._steps, 0),
                update=0,
                step=0,
                row=self._first_copy * self.spec.agents,
            )
            self._league.frozen.act(policies, self._current, self._memory, key, self._actions)
        decisions = int(np.count_nonzero(self._current.alive))
        states = self._counter.count_states(self._current)
        self._buffers = into
        self._core.step(self._actions, into)
        self._steps += 1
        reward_parts = self._league.matchmaker.rules.parts_of(self._core, self.copies)
        parts = self._counter.sum_rewards(reward_parts, self._is_opponent)
        for rows in (into.rewards, into.terminated, into.truncated):
            rows[self._is_opponent] = 0
        ended = int(np.count_nonzero(into.terminated | into.truncated))
        self._step_stats.append(
            StepStats(step=self._steps, decisions=decisions, ended=ended, parts=parts, states=states)
        )
        over: list[int] = np.flatnonzero(into.episode_start.reshape(self.copies, -1).max(axis=1)).tolist()
        self._start({copy: self._finish(copy) for copy in over})
        into.alive[self._is_opponent] = 0

    def awake(self) -> AbstractContextManager[None]:
        """Keep the threads that step from sleeping between steps, inside the block."""
        return keep_awake(self._core)

    def episode_seed(self, copy: int) -> int:
        """Return the seed of the episode the copy is in."""
        return self._core.episode_seed(copy)

    def snapshot(self, copy: int) -> bytes:
        """Return the core's state of a copy; the league stores its match."""
        return self._core.snapshot(copy)

    def restore(self, copy: int, data: bytes) -> None:
        """Continue the copy's stored match from a snapshot."""
        match = self._league.restored_matches[self._first_copy + copy]
        self._start({copy: match})
        self._restore_bots()
        self._core.restore(copy, data, self._current)
        self._mark_opponents(copy, match)
        self._steps = self._league.matchmaker.steps
        self._current.alive[self._is_opponent] = 0

    def split(self, parts: int) -> "list[SelfPlayEnvs]":
        """Return shards that have the copies from now on; they can be stepped independently."""
        bounds = [part * self.copies // parts for part in range(parts + 1)]
        sizes = [stop - start for start, stop in pairwise(bounds)]
        shards = [
            SelfPlayEnvs(self._league, self._first_copy + start, stop - start, core=core)
            for core, (start, stop) in zip(self._core.split(sizes), pairwise(bounds), strict=True)
        ]
        self._league.bots = [shard._bots for shard in shards]
        self._league.finished = [shard._finished for shard in shards]
        self._league.step_stats = [shard._step_stats for shard in shards]
        return shards

    @property
    def _current(self) -> Buffers:
        assert self._buffers is not None, "call adopt() first"
        return self._buffers

    def _active(self, copy: int) -> ActiveMatch:
        active = self._league.active[self._first_copy + copy]
        assert active is not None, "call reset() first"
        return active

    def _start(self, matches: Mapping[int, Match]) -> None:
        """Start matches; a copy whose setup stays the same is in its next episode already."""
        league, first, changed = self._league, self._first_copy, []
        for copy, match in matches.items():
            before, setup = league.active[first + copy], league.setup(match)
            if before is None or before.setup is not setup or match.number == 0:
                changed.append(copy)
            league.active[first + copy] = ActiveMatch(match, setup)
        if changed:
            assert isinstance(self._core, ReconfigurableCore), "the league builds no other"
            prototypes = [self._active(copy).setup.prototype for copy in changed]
            seeds = [league.episodes_seed(first + copy, matches[copy].number) for copy in changed]
            self._core.reconfigure(changed, prototypes, seeds, self._current)
        for copy, match in matches.items():
            self._mark_opponents(copy, match)

    def _mark_opponents(self, copy: int, match: Match) -> None:
        self._rows_of = None
        rows = slice(copy * self.spec.agents, (copy + 1) * self.spec.agents)
        if match.side == ANY_SIDE:
            self._is_opponent[rows] = False
            return
        active = self._active(copy)
        sides = self._league.matchmaker.rules.sides(active.setup.config, self._core.opening_record(copy))
        self._is_opponent[rows] = opposing_seats(sides, match.side, match.opponent)

    def _restore_bots(self) -> None:
        """Give the bots their memories, once: they have those of all rows together."""
        if self._are_bots_restored:
            return
        rows = slice(self._first_copy * self.spec.agents, (self._first_copy + self.copies) * self.spec.agents)
        for name in self._bots.names:
            self._bots.load_memories(name, self._league.restored_bots[name][rows])
        self._are_bots_restored = True

    def _finish(self, copy: int) -> Match:
        """Note the result of a copy's match, and return its next match."""
        match, agents = self._active(copy).match, self.spec.agents
        rows = slice(copy * agents, (copy + 1) * agents)
        scores = self._current.metrics[rows, self._result_column][~self._is_opponent[rows]]
        following = self._league.matchmaker.draw_match(self._first_copy + copy, match.number + 1)
        result = MatchResult(
            step=self._steps,
            copy=self._first_copy + copy,
            match=match,
            score=float(scores.max(initial=0.0)),
            following=following,
        )
        self._finished.append(result)
        return following

    def _rows_by_opponent(self) -> dict[str, torch.Tensor]:
        agents, maker = self.spec.agents, self._league.matchmaker
        rows_of: dict[str, list[int]] = {}
        for copy in range(self.copies):
            opponent = self._active(copy).match.opponent
            if opponent != LATEST and maker.needs_seats(opponent):
                seats = self._is_opponent[copy * agents : (copy + 1) * agents].nonzero()[0] + copy * agents
                rows_of.setdefault(opponent, []).extend(seats.tolist())
        return {name: torch.tensor(rows) for name, rows in sorted(rows_of.items()) if rows}
