"""Matches that workers play for a learner: what they must know of the pool, and what they tell of the results."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from numpy.typing import NDArray

from diorama.learn.policies.policy import Policy
from diorama.learn.selfplay.envs import SelfPlayEnvs
from diorama.learn.selfplay.league import League
from diorama.learn.selfplay.match import Match, MatchmakerState, MatchResult, StepStats


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolState:
    """Pool and stages as they stand for a whole rollout; `frozen` has references to the policies in it, by name."""

    matchmaker: MatchmakerState
    frozen: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Playing:
    """What a worker's copies play, and what the policies they meet remember there."""

    matches: list[Match]
    memory: NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What came of the matches of a rollout, lane by lane, and what is played now."""

    playing: Playing
    finished: list[list[MatchResult]]
    observed: list[list[StepStats]]


class LeagueShare:
    """A worker's side: its copies of the league, which it plays as the learner would."""

    def __init__(self, league: League, first_copy: int, copies: int, *, threads: int) -> None:
        """Take over a run of copies, stepped by so many threads of their own; no match is opened yet."""
        self._league = league
        self._first_copy = first_copy
        agents = league.spec.agents
        self._rows = slice(first_copy * agents, (first_copy + copies) * agents)
        self.source = SelfPlayEnvs(league, first_copy, copies, threads=threads)

    def take(self, pool: PoolState) -> None:
        """Hear who can be met in the rollout to come."""
        import ray

        self._league.matchmaker.load(pool.matchmaker)
        frozen = self._league.frozen
        frozen.keep(set(pool.frozen))
        for name, reference in pool.frozen.items():
            if name not in frozen.policies:
                policy: Policy = ray.get(reference)
                frozen.add(name, policy)

    def go_on_from(self, playing: Playing) -> None:
        """Take what the copies played; call it before they are restored."""
        self._league.restored_matches = [playing.matches[0]] * self._first_copy + playing.matches
        self._league.memory[self._rows] = torch.from_numpy(playing.memory.copy())
        self._forget()

    def tell(self) -> Told:
        """Return what came of the rollout, and forget it."""
        told = Told(
            playing=Playing(matches=self._league.matches, memory=self._league.memory[self._rows].numpy().copy()),
            finished=[list(part) for part in self._league.finished],
            observed=[list(part) for part in self._league.step_stats],
        )
        self._forget()
        return told

    def _forget(self) -> None:
        for results in self._league.finished:
            results.clear()
        for observed in self._league.step_stats:
            observed.clear()


class LeagueBook:
    """The learner's side: sends the pool out, and writes the results into the league as if it had been played there."""

    def __init__(self, league: League, shares: list[slice]) -> None:
        """Serve workers that have these copies."""
        self._league = league
        self._shares = shares
        self._sent: dict[str, tuple[Policy, Any]] = {}

    def pool_state(self) -> PoolState:
        """Return who can be met; a policy travels once."""
        import ray

        policies = self._league.frozen.policies
        self._sent = {name: sent for name, sent in self._sent.items() if policies.get(name) is sent[0]}
        for name, policy in policies.items():
            if name not in self._sent:
                self._sent[name] = (policy, ray.put(policy))
        return PoolState(
            matchmaker=self._league.matchmaker.state(),
            frozen={name: reference for name, (_, reference) in self._sent.items()},
        )

    def playing(self, place: int) -> Playing:
        """Return what a worker's copies play."""
        return Playing(
            matches=self._league.matches[self._shares[place]],
            memory=self._league.memory[self._rows(place)].numpy().copy(),
        )

    def restore(self) -> None:
        """Go on with the matches of a saved run."""
        self._league.remote_matches = list(self._league.restored_matches)

    def take(self, told: list[Told]) -> None:
        """Take what came of a rollout, in the order of the copies."""
        league = self._league
        league.remote_matches = [match for item in told for match in item.playing.matches]
        league.finished = [part for item in told for part in item.finished]
        league.step_stats = [part for item in told for part in item.observed]
        for place, item in enumerate(told):
            league.memory[self._rows(place)] = torch.from_numpy(item.playing.memory.copy())

    def _rows(self, place: int) -> slice:
        agents, copies = self._league.spec.agents, self._shares[place]
        return slice(copies.start * agents, copies.stop * agents)
