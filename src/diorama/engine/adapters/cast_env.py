"""A world whose seats change hands as a PettingZoo `ParallelEnv`: agents come and go while the episode runs."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from diorama.contracts.casts import Cast, CastOpening
from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ConfigError, ContractError, EpisodeOver, UnknownAgent
from diorama.contracts.records import StepRecord
from diorama.contracts.values import F32, I32
from diorama.engine.adapters.parallel import Agents, DioramaParallelEnv
from diorama.engine.adapters.spaces import action_space
from diorama.engine.make import make_batch
from diorama.engine.reference_core import opening_snapshot, snapshot_words

Mask = NDArray[np.int8]


class CastParallelEnv(DioramaParallelEnv):
    """One copy of a world; agents are those who have a seat, and bear the names the world gives them.

    An agent that leaves is told so once, with its last observation, and never comes back; one that arrives is told of
    with a reward of 0. Whoever is given no action takes the no-op. When nobody is left and somebody is still to come,
    the step lasts until the next arrival.
    """

    def __init__(
        self,
        world: str,
        *,
        config: Mapping[str, object] | WorldConfig | None = None,
        seed: int = 0,
        tier: str = "auto",
        render_mode: str | None = None,
    ) -> None:
        """Make the environment; arguments are those of `DioramaEnv`."""
        super().__init__(world, config=config, seed=seed, tier=tier, render_mode=render_mode)
        cast = self.batch.world.cast
        if cast is None:
            raise ContractError(f"whoever has a seat in {world!r} keeps it; use DioramaParallelEnv")
        self._cast: Cast[WorldConfig] = cast
        self._parts = cast.parts(self.contract)
        self._usual = CastOpening(config=self.batch.config)
        self._tier = tier
        self.metadata = {**self.metadata, "name": self.contract.interface_version.replace("-", "_")}
        self.possible_agents = list(cast.names)
        self._arrivals = {agent: place for place, agent in enumerate(cast.names)}
        self._seats: dict[str, int] = {}
        self.observation_spaces = {agent: self._observation_space() for agent in cast.names}
        self.action_spaces = {agent: action_space(self.contract) for agent in cast.names}
        self.state_space = spaces.Box(-1.0, 1.0, (cast.state_width(self.contract),), np.float32)
        self._told: Agents = {}
        # Of somebody who has left.
        self._noop_mask: Mask = np.array(
            [place == head.noop for head in self.contract.heads for place in range(len(head.options))], np.int8
        )

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Agents, Agents]:
        """Open an episode: that of the seed, or the next of the sequence.

        Args:
            seed: Episode seed.
            options: What the world offers for an episode, such as a scenario; other names are ignored.

        Raises:
            ConfigError: An option is wrong, or leads to another contract than this environment's.
        """
        opening = self._cast.open(self._usual.config, options or {})
        self._play_under(opening.config)
        if seed is not None:
            self.batch.reset([seed])
        elif not self._next_is_open:
            self.batch.reset()
        if opening.words is not None:
            begun = self.batch.episode_seed(0)
            self.batch.restore(0, opening_snapshot(self.contract, opening.config, begun, opening.words(begun)))
        self._next_is_open = False
        self._record = self.batch.opening_record(0)
        self._told = {}
        self._seat(self._record)
        return self._views(self.agents), self._news(self._record, self._seats)

    def step(self, actions: Mapping[str, Any]) -> tuple[Agents, Agents, Agents, Agents, Agents]:
        """Take one decision for every agent.

        Raises:
            EpisodeOver: Nobody is left.
            UnknownAgent: An action is for somebody who is not there.
        """
        if not self.agents:
            raise EpisodeOver("no agent is left; call reset() before step()")
        acting = dict(self._seats)
        record = self._advance(self._rows(actions))
        ended = [agent for agent, seat in acting.items() if record.terminated[seat] or record.truncated[seat]]
        final = {agent: self._view(self.batch.final_obs, acting[agent], self._noop_mask) for agent in ended}
        news = self._news(record, acting)
        for agent in ended:
            news[agent]["action_mask"] = self._noop_mask.copy()
        self._told = {agent: told for agent, told in self._told.items() if agent not in ended}
        self._seat(record)
        while not (self.agents or self._next_is_open):
            self._seat(self._advance(self._noops()))
        arrived = [agent for agent in self.agents if agent not in acting]
        assert self._record is not None
        return (
            {**self._views(self.agents), **final},
            {**{agent: record.rewards[seat] for agent, seat in acting.items()}, **dict.fromkeys(arrived, 0.0)},
            {**{agent: record.terminated[seat] for agent, seat in acting.items()}, **dict.fromkeys(arrived, False)},
            {**{agent: record.truncated[seat] for agent, seat in acting.items()}, **dict.fromkeys(arrived, False)},
            {**news, **self._news(self._record, self._of(arrived))},
        )

    def state(self) -> F32:
        """Return a vector that describes the whole copy; after the last step, the opening of the next episode."""
        words = snapshot_words(self.contract, self.batch.snapshot(0))
        return self._cast.state(self.batch.config, self.batch.obs, words)

    def _play_under(self, config: WorldConfig) -> None:
        if config == self.batch.config:
            return
        spec = self.batch.world.describe(config)
        if spec != self.contract:
            raise ConfigError("the options lead to another contract than this environment's; make one for them")
        played = make_batch(self.batch.world, config=config, seed=self.batch.facts.seed, tier=self._tier, threads=1)
        self.batch.close()
        self.batch, self._next_is_open = played, False

    def _advance(self, rows: I32) -> StepRecord:
        episode_seed = self.batch.episode_seed(0)
        self.batch.step(rows)
        self._next_is_open = self.batch.episode_seed(0) != episode_seed
        self._record = self.batch.step_record(0)
        return self._record

    def _seat(self, record: StepRecord) -> None:
        there = {} if self._next_is_open else enumerate(self._cast.seated(record))
        seats = {agent: seat for seat, agent in dict(there).items() if agent is not None}
        self._seats = dict(sorted(seats.items(), key=lambda entry: self._arrivals[entry[0]]))
        self.agents = list(self._seats)

    def _noops(self) -> I32:
        return np.tile(np.array(self.contract.noop, np.int32), (self.contract.agents, 1))

    def _rows(self, actions: Mapping[str, Any]) -> I32:
        if unknown := sorted(set(actions) - set(self.agents)):
            raise UnknownAgent(f"actions are for {unknown}; the agents are {self.agents}")
        rows = self._noops()
        for agent, action in actions.items():
            rows[self._seats[agent]] = np.asarray(action).reshape(-1)
        return rows

    def _observation_space(self) -> gymnasium.Space[Any]:
        options = len(self.contract.option_names)
        blocks: dict[str, gymnasium.Space[Any]] = {
            part.name: spaces.Box(part.low, part.high, part.shape, np.float32) for part in self._parts
        }
        return spaces.Dict({**blocks, "action_mask": spaces.MultiBinary(options)})

    def _view(self, rows: F32, seat: int, mask: Mask) -> Agents:
        blocks = {part.name: rows[seat, part.start : part.stop].reshape(part.shape).copy() for part in self._parts}
        return {**blocks, "action_mask": mask.copy()}

    def _views(self, agents: list[str]) -> Agents:
        return {agent: self._view(self.batch.obs, seat, self._mask(seat)) for agent, seat in self._of(agents).items()}

    def _mask(self, seat: int) -> Mask:
        mask: Mask = self.batch.masks[seat].astype(np.int8)
        return mask

    def _of(self, agents: list[str]) -> dict[str, int]:
        return {agent: self._seats[agent] for agent in agents}

    def _news(self, record: StepRecord, seats: Mapping[str, int]) -> Agents:
        news = {agent: self._new_of(record, agent, seat) for agent, seat in seats.items()}
        self._told.update(news)
        return news

    def _new_of(self, record: StepRecord, agent: str, seat: int) -> Agents:
        metrics = dict(zip(self.contract.metric_keys, record.metrics[seat], strict=True))
        return {
            **self._told.get(agent, {}),
            **metrics,
            **self._cast.tell(record, seat),
            "action_mask": self._mask(seat),
        }
