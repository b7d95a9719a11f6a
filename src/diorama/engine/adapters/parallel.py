"""A world of several seats as a PettingZoo `ParallelEnv`."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import ParallelEnv

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ContractError, EpisodeOver
from diorama.contracts.records import StepRecord
from diorama.contracts.tiers import Tier
from diorama.contracts.values import I32, JsonObject
from diorama.engine.adapters.info import info_of
from diorama.engine.adapters.rendering import RENDER_FPS, RENDER_MODES, check_render_mode, rendered
from diorama.engine.adapters.spaces import action_space, observation_of, observation_space, space_mask
from diorama.engine.make import make

Agents = dict[str, Any]


class DioramaParallelEnv(ParallelEnv):  # type: ignore[misc] # PettingZoo ships no types
    """One copy of a world; seat `i` is the agent `seat_i`.

    Agents are those whose seats are filled. One whose episode has ended leaves. One that is out and waits for the end
    of the copy stays: it must be given an action, which is ignored, and its mask has the no-ops alone. Every
    `infos[agent]` holds the mask in the form that `action_space(agent).sample` takes, whether the agent decides next
    (`alive`), the parts of its reward, its metrics and what else the world tells.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS, "name": "diorama"}  # noqa: RUF012

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
        self.batch = make(world, copies=1, config=config, seed=seed, tier=tier, threads=1)
        self.contract = self.batch.spec
        check_render_mode(self.batch.world, render_mode)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": self.contract.interface_version}
        self.possible_agents = [f"seat_{seat}" for seat in range(self.contract.agents)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        # A space of their own for each, since PettingZoo seeds them one by one.
        self.observation_spaces = {agent: observation_space(self.contract) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(self.contract) for agent in self.possible_agents}
        self._next_is_open = False
        self._record: StepRecord | None = None

    @property
    def tier_selected(self) -> Tier:
        """The tier that runs."""
        return self.batch.tier_selected

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return what an agent sees; always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return what an agent can choose from; always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Agents, Agents]:
        """Open an episode: that of the seed, or the next of the sequence; there are no options, and any are ignored."""
        if seed is not None:
            self.batch.reset([seed])
        elif not self._next_is_open:  # a copy that ended has been opened anew inside the batch already
            self.batch.reset()
        self._next_is_open = False
        self._record = self.batch.opening_record(0)
        self.agents = [agent for agent, seat in self._seats.items() if self.batch.alive[seat]]
        return self._observations(self._record), self._infos(self._record)

    def step(self, actions: Mapping[str, Any]) -> tuple[Agents, Agents, Agents, Agents, Agents]:
        """Take one decision for every agent.

        Raises:
            EpisodeOver: Nobody is left.
            ContractError: An agent is missing, or somebody is no agent (any more).
        """
        if not self.agents:
            raise EpisodeOver("no agent is left; call reset() before step()")
        episode_seed = self.batch.episode_seed(0)
        self.batch.step(self._rows(actions))
        self._next_is_open = self.batch.episode_seed(0) != episode_seed
        record = self._record = self.batch.step_record(0)
        told = (
            self._observations(record),
            {agent: record.rewards[self._seats[agent]] for agent in self.agents},
            {agent: record.terminated[self._seats[agent]] for agent in self.agents},
            {agent: record.truncated[self._seats[agent]] for agent in self.agents},
            self._infos(record),
        )
        self.agents = [agent for agent in self.agents if not self._has_ended(record, agent)]
        return told

    def render(self) -> Any:
        """Return the moment in the render mode, as the first seat may see it."""
        events = () if self._record is None else self._record.events
        return rendered(self.batch.world, self.render_mode, self.render_state(), events, seat=0)

    def render_state(self) -> JsonObject:
        """Return what a viewer needs to draw this moment."""
        return self.batch.render_state(0)

    def close(self) -> None:
        """Free the world."""
        self.batch.close()

    def _rows(self, actions: Mapping[str, Any]) -> I32:
        if set(actions) != set(self.agents):
            raise ContractError(f"actions are for {sorted(actions)}; the agents are {sorted(self.agents)}")
        rows: I32 = np.tile(np.array(self.contract.noop, np.int32), (self.contract.agents, 1))
        for agent, action in actions.items():
            rows[self._seats[agent]] = np.asarray(action).reshape(-1)
        return rows

    def _observations(self, record: StepRecord) -> Agents:
        buffers = self.batch.buffers
        observations: Agents = {}
        for agent in self.agents:
            seat = self._seats[agent]
            rows = (buffers.obs, buffers.obs_u8)
            if self._has_ended(record, agent):
                rows = (buffers.final_obs, buffers.final_obs_u8)
            observations[agent] = observation_of(rows[0][seat], rows[1][seat])
        return observations

    def _infos(self, record: StepRecord) -> Agents:
        return {
            agent: {
                **info_of(self.contract, record, self._seats[agent]),
                "alive": bool(self.batch.alive[self._seats[agent]]) and not self._has_ended(record, agent),
                "action_mask": space_mask(self.contract, self.batch.masks[self._seats[agent]]),
                "reward_terms": dict(record.reward_terms[self._seats[agent]]),
            }
            for agent in self.agents
        }

    def _has_ended(self, record: StepRecord, agent: str) -> bool:
        seat = self._seats[agent]
        return record.terminated[seat] or record.truncated[seat]
