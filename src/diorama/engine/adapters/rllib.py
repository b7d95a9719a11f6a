"""A world as an RLlib `MultiAgentEnv`: the agents of its `ParallelEnv`, and an `__all__` that can be relied on."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from diorama.contracts.errors import ConfigError, MissingExtra
from diorama.contracts.values import JsonObject
from diorama.engine.adapters.opening import parallel_env

try:
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
except ImportError as error:
    raise MissingExtra.of("rllib", needed_for="the RLlib adapter") from error

ALL_AGENTS = "__all__"
_SETTINGS = ("world", "config", "seed", "tier", "render_mode")


class DioramaMultiAgentEnv(MultiAgentEnv):  # type: ignore[misc] # Ray need not be installed
    """One copy of a world, made from the `env_config` of an algorithm: the arguments of `diorama.parallel_env`.

    Agents are told of when they decide next, and once more when they end. One that is out and waits for the end of the
    copy is not asked, and is paid what comes together. The mask of what can be chosen is in `infos[agent]`, and in the
    observation where the world puts it there.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        """Make the environment.

        Raises:
            ConfigError: The configuration names no world, or has a key that means nothing.
        """
        super().__init__()
        given = dict(config)
        if unknown := sorted(set(given) - set(_SETTINGS)):
            raise ConfigError(f"env_config has no key {unknown[0]!r}; there are: {', '.join(_SETTINGS)}")
        if "world" not in given:
            raise ConfigError("env_config names no world; set env_config={'world': 'townlet'}")
        self.parallel = parallel_env(given.pop("world"), **given)
        self.possible_agents = list(self.parallel.possible_agents)
        self.observation_spaces = dict(self.parallel.observation_spaces)
        self.action_spaces = dict(self.parallel.action_spaces)
        self.agents: list[str] = []
        noop = self.parallel.contract.noop
        self._noop = noop[0] if len(noop) == 1 else np.array(noop, np.int64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Open an episode: that of the seed, or the next of the sequence."""
        observations, infos = self.parallel.reset(seed=seed, options=options)
        self.agents = list(self.parallel.agents)
        return _asked(observations, infos, ()), infos

    def step(
        self, action_dict: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Take the decisions of those who were asked; everybody else takes the no-op."""
        actions = {agent: action_dict.get(agent, self._noop) for agent in self.agents}
        observations, rewards, terminated, truncated, infos = self.parallel.step(actions)
        self.agents = list(self.parallel.agents)
        ended = {agent for agent in terminated if terminated[agent] or truncated[agent]}
        is_over = not self.agents
        is_cut_off = any(truncated.values())
        shown = _asked(observations, infos, ended)
        return (
            shown,
            rewards,
            {**terminated, ALL_AGENTS: is_over and not is_cut_off},
            {**truncated, ALL_AGENTS: is_over and is_cut_off},
            {agent: infos[agent] for agent in shown},
        )

    def render(self) -> Any:
        """Return the moment in the render mode."""
        return self.parallel.render()

    def render_state(self) -> JsonObject:
        """Return what a viewer needs to draw this moment."""
        return self.parallel.render_state()

    def close(self) -> None:
        """Free the world."""
        self.parallel.close()


def _asked(observations: dict[str, Any], infos: dict[str, Any], ended: Collection[str]) -> dict[str, Any]:
    return {
        agent: observation
        for agent, observation in observations.items()
        if agent in ended or infos[agent].get("alive", True)
    }
