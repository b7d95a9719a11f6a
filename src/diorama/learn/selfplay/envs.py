"""`SelfPlayEnvs`: environments in which opponents act for the seats that the learner does not have."""

from itertools import pairwise
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.matches import EMPTY_SEAT
from diorama.contracts.values import F64, I32
from diorama.learn.keyed_random import DrawKey, subseed
from diorama.learn.selfplay.league import ActiveMatch, League
from diorama.learn.selfplay.match import ANY_SIDE, LATEST, Match, MatchResult, StepCounter, StepStats
from diorama.learn.streams import OPPONENTS

# Belongs to the step that ended an episode; the reset for the next match must not overwrite it.
_STEP_FIELDS: Final = ("rewards", "terminated", "truncated", "metrics", "dt", "events", "final_obs", "final_obs_u8")


class SelfPlayEnvs:
    """Copies `first_copy` and on of a league; implements `learn.envs.TrainingEnvs` and `HasEpisodeSeeds`.

    Every copy has its own core, so its opponent and its stage can change when its episode ends. The trainer sees the
    rows of opponents as rows that take no decision.
    """

    def __init__(self, league: League, first_copy: int, copies: int) -> None:
        """Take a range of a league's copies."""
        self.spec = league.spec
        self.copies = copies
        self._league = league
        self._first_copy = first_copy
        agents = self.spec.agents
        rows = slice(first_copy * agents, (first_copy + copies) * agents)
        self._result_column = self.spec.metric_keys.index(league.matchmaker.rules.result_metric)
        self._memory = league.memory[rows]
        self._actions: I32 = np.zeros((copies * agents, len(self.spec.heads)), np.int32)
        self._copy_actions = [self._actions[copy * agents : (copy + 1) * agents] for copy in range(copies)]
        self._is_opponent: NDArray[np.bool_] = np.zeros(copies * agents, np.bool_)
        self._slices: dict[int, tuple[Buffers, list[Buffers]]] = {}
        self._policy_rows: dict[str, torch.Tensor] | None = None
        self._steps = league.matchmaker.steps
        self._finished: list[MatchResult] = []
        self._counter = StepCounter(league.matchmaker.rules)
        self._step_stats: list[StepStats] = []
        self._closing_terms: dict[int, F64] = {}
        self._buffers: Buffers | None = None

    @property
    def reward_term_names(self) -> tuple[str, ...]:
        """Names of the terms that rewards are sums of; empty for a world that does not say."""
        terms = self._league.venue.world.reward_terms
        return () if terms is None else terms.names(self._league.venue.config)

    def reward_terms(self) -> F64:
        """Return the terms of the rewards of the last step, rows × terms; opponents have terms, too."""
        closing = self._closing_terms
        return np.concatenate([closing[copy] if copy in closing else self._terms(copy) for copy in range(self.copies)])

    def adopt(self, buffers: Buffers) -> None:
        """Write into these buffers from now on."""
        self._buffers = buffers

    def reset(self) -> None:
        """Start the first match of every copy."""
        for copy in range(self.copies):
            self._start(copy, self._league.matchmaker.draw_match(self._first_copy + copy, 0), self._current)
        self._current.alive[self._is_opponent] = 0

    def step(self, actions: I32, into: Buffers) -> None:
        """Advance every copy by one decision per seat; frozen policies replace the actions of their rows."""
        self._actions[:] = actions
        if self._policy_rows is None:
            self._policy_rows = self._rows_by_policy()
        if self._policy_rows:
            key = DrawKey(
                seed=subseed(self._league.seed, OPPONENTS, self._steps, 0),
                update=0,
                step=0,
                row=self._first_copy * self.spec.agents,
            )
            self._league.frozen.act(self._policy_rows, self._current, self._memory, key, self._actions)
        decisions = int(np.count_nonzero(self._current.alive))
        states = self._counter.count_states(self._current)
        self._buffers = into
        for copy, buffers in enumerate(self._slices_of(into)):
            self._active(copy).core.step(self._copy_actions[copy], buffers)
        self._steps += 1
        parts = self._counter.sum_rewards(self._reward_parts(), self._is_opponent)
        for rows in (into.rewards, into.terminated, into.truncated):
            rows[self._is_opponent] = 0
        ended = int(np.count_nonzero(into.terminated | into.truncated))
        self._step_stats.append(
            StepStats(step=self._steps, decisions=decisions, ended=ended, parts=parts, states=states)
        )
        over: list[int] = np.flatnonzero(into.episode_start.reshape(self.copies, -1).max(axis=1)).tolist()
        self._closing_terms.clear()
        for copy in over:
            if self.reward_term_names:
                # The next match may have another core.
                self._closing_terms[copy] = self._terms(copy)
            self._finish(copy, into)
        into.alive[self._is_opponent] = 0

    def episode_seed(self, copy: int) -> int:
        """Return the seed of the episode the copy is in."""
        return self._active(copy).core.episode_seed(0)

    def snapshot(self, copy: int) -> bytes:
        """Return the core's state of a copy; the league stores its match."""
        return self._active(copy).core.snapshot(0)

    def restore(self, copy: int, data: bytes) -> None:
        """Continue the copy's stored match from a snapshot."""
        match = self._league.restored_matches[self._first_copy + copy]
        self._start(copy, match, self._current)
        self._active(copy).core.restore(0, data, self._slices_of(self._current)[copy])
        self._mark_opponents(copy, match)
        self._steps = self._league.matchmaker.steps
        self._current.alive[self._is_opponent] = 0

    def split(self, parts: int) -> "list[SelfPlayEnvs]":
        """Return shards that have the copies from now on; they can be stepped independently."""
        bounds = [part * self.copies // parts for part in range(parts + 1)]
        shards = [
            SelfPlayEnvs(self._league, self._first_copy + start, stop - start) for start, stop in pairwise(bounds)
        ]
        self._league.finished = [shard._finished for shard in shards]
        self._league.step_stats = [shard._step_stats for shard in shards]
        return shards

    @property
    def _current(self) -> Buffers:
        assert self._buffers is not None, "call adopt() first"
        return self._buffers

    def _reward_parts(self) -> F64:
        parts_of = self._league.matchmaker.rules.parts_of
        return np.concatenate([parts_of(self._active(copy).core, 1) for copy in range(self.copies)])

    def _terms(self, copy: int) -> F64:
        terms = self._league.venue.world.reward_terms
        assert terms is not None, "worlds without terms have no names of them"
        return terms.read(self._active(copy).core, 1, self.reward_term_names)

    def _active(self, copy: int) -> ActiveMatch:
        active = self._league.active[self._first_copy + copy]
        assert active is not None, "call reset() first"
        return active

    def _start(self, copy: int, match: Match, into: Buffers) -> None:
        """Start a match; a core whose configuration stays the same goes on with its next episode."""
        league, index = self._league, self._first_copy + copy
        config, before = league.config(match), league.active[index]
        if before is not None and before.config is config and match.number:
            before.match = match
        else:
            buffers = self._slices_of(into)[copy]
            kept = {name: getattr(buffers, name).copy() for name in _STEP_FIELDS}
            core = league.core(config, index, match.number)
            core.reset([0], None, buffers)
            league.active[index] = ActiveMatch(match, core, config)
            for name, values in kept.items():
                getattr(buffers, name)[...] = values
        self._mark_opponents(copy, match)

    def _mark_opponents(self, copy: int, match: Match) -> None:
        self._policy_rows = None
        rows = slice(copy * self.spec.agents, (copy + 1) * self.spec.agents)
        if match.side == ANY_SIDE:
            self._is_opponent[rows] = False
            return
        active = self._active(copy)
        sides = np.array(self._league.matchmaker.rules.sides(active.config, active.core.opening_record(0)))
        self._is_opponent[rows] = (sides != match.side) & (sides != EMPTY_SEAT)

    def _finish(self, copy: int, into: Buffers) -> None:
        match, agents = self._active(copy).match, self.spec.agents
        rows = slice(copy * agents, (copy + 1) * agents)
        scores = into.metrics[rows, self._result_column][~self._is_opponent[rows]]
        result = MatchResult(
            step=self._steps, copy=self._first_copy + copy, match=match, score=float(scores.max(initial=0.0))
        )
        self._finished.append(result)
        following = self._league.matchmaker.draw_match(self._first_copy + copy, match.number + 1)
        self._start(copy, following, into)

    def _rows_by_policy(self) -> dict[str, torch.Tensor]:
        agents, maker = self.spec.agents, self._league.matchmaker
        rows_of: dict[str, list[int]] = {}
        for copy in range(self.copies):
            opponent = self._active(copy).match.opponent
            if opponent != LATEST and maker.is_policy(opponent):
                seats = self._is_opponent[copy * agents : (copy + 1) * agents].nonzero()[0] + copy * agents
                rows_of.setdefault(opponent, []).extend(seats.tolist())
        return {name: torch.tensor(rows) for name, rows in sorted(rows_of.items()) if rows}

    def _slices_of(self, buffers: Buffers) -> list[Buffers]:
        found = self._slices.get(id(buffers))
        if found is None:
            agents = self.spec.agents
            found = buffers, [buffers.copies_slice(copy, copy + 1, agents=agents) for copy in range(self.copies)]
            self._slices[id(buffers)] = found
        return found[1]
