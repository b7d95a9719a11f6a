"""Environments that play matches: opponents act for the seats the learner does not hold."""

from itertools import pairwise
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.matches import EMPTY_SEAT
from diorama.contracts.values import F64, I32
from diorama.learn.keyed_random import DrawKey, subseed
from diorama.learn.selfplay.league import Arena, Table
from diorama.learn.selfplay.match import ANY_SIDE, LATEST, Match, MatchResult, Observed, Observer
from diorama.learn.streams import OPPONENTS

# What belongs to the step that ended an episode, and must outlast the opening of another match.
_OF_THE_STEP: Final = ("rewards", "terminated", "truncated", "metrics", "dt", "events", "final_obs", "final_obs_u8")


class SelfPlayEnvs:
    """Copies `first_copy` and on; implements `learn.rollouts.source.TrainingEnvs`.

    Every copy is a core of its own, so that its opponent and its stage can change whenever its episode ends and no
    sooner. Rows of opponents are shown to the trainer as rows that take no decision.
    """

    def __init__(self, arena: Arena, first_copy: int, copies: int) -> None:
        """Take over a run of an arena's copies."""
        self.spec = arena.spec
        self.copies = copies
        self._arena = arena
        self._first_copy = first_copy
        agents = self.spec.agents
        rows = slice(first_copy * agents, (first_copy + copies) * agents)
        self._result_column = self.spec.metric_keys.index(arena.matchmaker.rules.result_metric)
        self._memory = arena.memory[rows]
        self._sent: I32 = np.zeros((copies * agents, len(self.spec.heads)), np.int32)
        self._sent_to = [self._sent[copy * agents : (copy + 1) * agents] for copy in range(copies)]
        self._is_opponent: NDArray[np.bool_] = np.zeros(copies * agents, np.bool_)
        self._pieces: dict[int, tuple[Buffers, list[Buffers]]] = {}
        self._groups: dict[str, torch.Tensor] | None = None
        self._steps = arena.matchmaker.steps
        self._finished: list[MatchResult] = []
        self._observer = Observer(arena.matchmaker.rules)
        self._observed: list[Observed] = []
        self._buffers: Buffers | None = None

    def adopt(self, buffers: Buffers) -> None:
        """Write into these buffers from now on."""
        self._buffers = buffers

    def reset(self) -> None:
        """Open the first match of every copy."""
        for copy in range(self.copies):
            self._open(copy, self._arena.matchmaker.choose(self._first_copy + copy, 0), self._written)
        self._written.alive[self._is_opponent] = 0

    def step(self, actions: I32, into: Buffers) -> None:
        """Advance every copy by one decision per seat; opponents decide for themselves."""
        self._sent[:] = actions
        if self._groups is None:
            self._groups = self._grouped()
        if self._groups:
            key = DrawKey(
                seed=subseed(self._arena.seed, OPPONENTS, self._steps, 0),
                update=0,
                step=0,
                row=self._first_copy * self.spec.agents,
            )
            self._arena.frozen.act(self._groups, self._written, self._memory, key, self._sent)
        decisions, states = int(np.count_nonzero(self._written.alive)), self._observer.states(self._written)
        self._buffers = into
        for copy, piece in enumerate(self._pieces_of(into)):
            self._table(copy).core.step(self._sent_to[copy], piece)
        self._steps += 1
        paid = self._observer.parts(self._paid(), self._is_opponent)
        for rows in (into.rewards, into.terminated, into.truncated):
            rows[self._is_opponent] = 0
        ended = int(np.count_nonzero(into.terminated | into.truncated))
        self._observed.append(Observed(step=self._steps, decisions=decisions, ended=ended, parts=paid, states=states))
        over: list[int] = np.flatnonzero(into.episode_start.reshape(self.copies, -1).max(axis=1)).tolist()
        for copy in over:
            self._finish(copy, into)
        into.alive[self._is_opponent] = 0

    def snapshot(self, copy: int) -> bytes:
        """Return the copy's complete state; what it plays is the arena's to keep."""
        return self._table(copy).core.snapshot(0)

    def restore(self, copy: int, data: bytes) -> None:
        """Continue the copy's stored match from a snapshot."""
        match = self._arena.stored[self._first_copy + copy]
        self._open(copy, match, self._written)
        self._table(copy).core.restore(0, data, self._pieces_of(self._written)[copy])
        self._seat(copy, match)
        self._steps = self._arena.matchmaker.steps
        self._written.alive[self._is_opponent] = 0

    def split(self, parts: int) -> "list[SelfPlayEnvs]":
        """Hand the copies over to independent sources."""
        bounds = [part * self.copies // parts for part in range(parts + 1)]
        made = [SelfPlayEnvs(self._arena, self._first_copy + start, stop - start) for start, stop in pairwise(bounds)]
        self._arena.finished = [part._finished for part in made]
        self._arena.observed = [part._observed for part in made]
        return made

    @property
    def _written(self) -> Buffers:
        assert self._buffers is not None, "a source writes nowhere before it has adopted buffers"
        return self._buffers

    def _paid(self) -> F64:
        """Return what the rewards of the step are made of, rows × parts."""
        parts_of = self._arena.matchmaker.rules.parts_of
        return np.concatenate([parts_of(self._table(copy).core, 1) for copy in range(self.copies)])

    def _table(self, copy: int) -> Table:
        table = self._arena.tables[self._first_copy + copy]
        assert table is not None, "a copy has no match before the first reset"
        return table

    def _open(self, copy: int, match: Match, into: Buffers) -> None:
        """Begin a match, on the same core where its configuration is the same."""
        arena, place = self._arena, self._first_copy + copy
        config, before = arena.config(match), arena.tables[place]
        if before is not None and before.config is config and match.number:
            before.match = match
        else:
            piece = self._pieces_of(into)[copy]
            kept = {name: getattr(piece, name).copy() for name in _OF_THE_STEP}
            core = arena.core(config, place, match.number)
            core.reset([0], None, piece)
            arena.tables[place] = Table(match, core, config)
            for name, values in kept.items():
                getattr(piece, name)[...] = values
        self._seat(copy, match)

    def _seat(self, copy: int, match: Match) -> None:
        """Mark the rows of opponents."""
        self._groups = None
        rows = slice(copy * self.spec.agents, (copy + 1) * self.spec.agents)
        if match.side == ANY_SIDE:
            self._is_opponent[rows] = False
            return
        table = self._table(copy)
        sides = np.array(self._arena.matchmaker.rules.sides(table.config, table.core.opening_record(0)))
        self._is_opponent[rows] = (sides != match.side) & (sides != EMPTY_SEAT)

    def _finish(self, copy: int, into: Buffers) -> None:
        table, agents = self._table(copy), self.spec.agents
        rows = slice(copy * agents, (copy + 1) * agents)
        scores = into.metrics[rows, self._result_column][~self._is_opponent[rows]]
        result = MatchResult(
            step=self._steps, copy=self._first_copy + copy, match=table.match, score=float(scores.max(initial=0.0))
        )
        self._finished.append(result)
        following = self._arena.matchmaker.choose(self._first_copy + copy, table.match.number + 1)
        self._open(copy, following, into)

    def _grouped(self) -> dict[str, torch.Tensor]:
        """Return the rows of every frozen policy."""
        agents, maker = self.spec.agents, self._arena.matchmaker
        rows_of: dict[str, list[int]] = {}
        for copy in range(self.copies):
            opponent = self._table(copy).match.opponent
            if opponent != LATEST and maker.is_mirrored(opponent):
                seats = self._is_opponent[copy * agents : (copy + 1) * agents].nonzero()[0] + copy * agents
                rows_of.setdefault(opponent, []).extend(seats.tolist())
        return {name: torch.tensor(rows) for name, rows in sorted(rows_of.items()) if rows}

    def _pieces_of(self, buffers: Buffers) -> list[Buffers]:
        """Return the buffers of every copy, sliced once."""
        found = self._pieces.get(id(buffers))
        if found is None:
            agents = self.spec.agents
            found = buffers, [buffers.copies_slice(copy, copy + 1, agents=agents) for copy in range(self.copies)]
            self._pieces[id(buffers)] = found
        return found[1]
