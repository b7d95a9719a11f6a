"""A batch of a single-seat world as a Gymnasium `VectorEnv` with same-step auto-reset."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ConfigError, ContractError
from diorama.engine.adapters.abandoned import open_abandoned
from diorama.engine.adapters.spaces import Observation, action_space, batched, observation_of, observation_space
from diorama.engine.make import make


class DioramaVectorEnv(VectorEnv[Observation, Any, NDArray[np.generic]]):
    """`num_envs` copies stepped with one call.

    Every `info` holds `action_mask`, `alive`, `dt` and `events` for all copies; a seat that is not alive waits for the
    end of its episode, and what is decided for it is ignored. Where episodes ended it also holds `final_obs` and, under
    `final_info`, the final metrics by name, with Gymnasium's `_key` masks.
    """

    def __init__(
        self,
        world: str,
        *,
        num_envs: int = 1,
        config: Mapping[str, object] | WorldConfig | None = None,
        seed: int = 0,
        tier: str = "auto",
        threads: int | str = "auto",
    ) -> None:
        """Make the copies; arguments are those of `diorama.make`."""
        self.batch = make(world, copies=num_envs, config=config, seed=seed, tier=tier, threads=threads)
        self.contract = self.batch.spec
        if self.contract.agents != 1:
            raise ContractError(f"{world!r} has {self.contract.agents} seats; a Gymnasium VectorEnv has one per copy")
        self.num_envs = num_envs
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = observation_space(self.contract)
        self.single_action_space = action_space(self.contract)
        self.observation_space = batched(self.single_observation_space, num_envs)
        self.action_space = batched(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Open an episode in every copy; an integer seed `s` gives copy `i` the seed `s + i`."""
        if options:
            raise ConfigError(f"reset has no options; got {sorted(options)}")
        super().reset(seed=seed % (1 << 64) if isinstance(seed, int) else None)
        if seed is None:
            self.batch.reset()
        elif isinstance(seed, int):
            self.batch.reset(range(seed, seed + self.num_envs))
        else:
            self._reset_each(seed)
        return self._observation(), self._step_info() | self._seat_info()

    def step(
        self, actions: Any
    ) -> tuple[Observation, NDArray[np.generic], NDArray[np.generic], NDArray[np.generic], dict[str, Any]]:
        """Take one decision in every copy."""
        self.batch.step(np.asarray(actions))
        terminated, truncated = self.batch.terminated.astype(bool), self.batch.truncated.astype(bool)
        rewards = self.batch.rewards.astype(np.float64)
        ended = terminated | truncated
        info = self._step_info()
        if ended.any():
            info |= self._final_info(ended)
            open_abandoned(self.batch, ended)
        return self._observation(), rewards, terminated, truncated, info | self._seat_info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the valid options of every copy."""
        return self.batch.masks.astype(bool)

    def close_extras(self, **_: Any) -> None:
        """Free the copies."""
        self.batch.close()

    def _reset_each(self, seeds: Sequence[int | None]) -> None:
        if len(seeds) != self.num_envs:
            raise ConfigError(f"got {len(seeds)} seeds for {self.num_envs} copies")
        self.batch.reset()
        seeded = {copy: seed for copy, seed in enumerate(seeds) if seed is not None}
        if seeded:
            self.batch.reset(list(seeded.values()), copies=list(seeded))

    def _observation(self) -> Observation:
        return observation_of(self.batch.obs, self.batch.obs_u8)

    def _seat_info(self) -> dict[str, Any]:
        return {"action_mask": self.batch.masks.copy(), "alive": self.batch.alive.astype(bool)}

    def _step_info(self) -> dict[str, Any]:
        return {"dt": self.batch.dt.astype(np.int64), "events": self.batch.events.copy()}

    def _final_info(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        final_obs = np.full(self.num_envs, None, dtype=object)
        for copy in np.flatnonzero(ended):
            final_obs[copy] = observation_of(self.batch.final_obs[copy], self.batch.final_obs_u8[copy])
        final_info: dict[str, Any] = {}
        for column, key in enumerate(self.contract.metric_keys):
            final_info[key] = np.where(ended, self.batch.metrics[:, column], 0.0)
            final_info[f"_{key}"] = ended
        return {"final_obs": final_obs, "_final_obs": ended, "final_info": final_info, "_final_info": ended}
