"""A batch of a single-seat world as a Stable-Baselines3 `VecEnv`, with masks for sb3-contrib."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ContractError, MissingExtra
from diorama.engine.adapters.abandoned import open_abandoned
from diorama.engine.adapters.spaces import Observation, action_space, observation_of, observation_space
from diorama.engine.adapters.tally import EpisodeTally
from diorama.engine.make import make

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise MissingExtra.of("sb3", needed_for="the Stable-Baselines3 adapter") from error


class DioramaVecEnv(VecEnv):
    """Copies of a world for Stable-Baselines3: `PPO("MlpPolicy", DioramaVecEnv("prospector", copies=16))`.

    The `info` of an ending step has `terminal_observation`, `TimeLimit.truncated`, `episode` (return `r`, length
    `l`) and the final metrics by name.
    """

    def __init__(
        self,
        world: str,
        *,
        copies: int = 1,
        config: Mapping[str, object] | WorldConfig | None = None,
        seed: int = 0,
        tier: str = "auto",
        threads: int | str = "auto",
    ) -> None:
        """Make the copies; arguments are those of `diorama.make`."""
        self.batch = make(world, copies=copies, config=config, seed=seed, tier=tier, threads=threads)
        self.contract = self.batch.spec
        if self.contract.agents != 1:
            raise ContractError(f"{world!r} has {self.contract.agents} seats; this adapter takes one per copy")
        self.render_mode = None
        self._tally = EpisodeTally(copies)
        self._actions: NDArray[np.integer[Any]] | None = None
        super().__init__(copies, observation_space(self.contract), action_space(self.contract))

    def reset(self) -> Observation:
        """Open an episode in every copy, with the seeds given to `seed` if there are any."""
        seeds = [seed for seed in self._seeds if seed is not None]
        self.batch.reset(seeds if len(seeds) == self.num_envs else None)
        self._reset_seeds()
        self._tally.restart()
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return observation_of(self.batch.obs, self.batch.obs_u8)

    def step_async(self, actions: NDArray[np.integer[Any]]) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Step every copy."""
        if self._actions is None:
            raise ContractError("step_wait() without step_async()")
        self.batch.step(self._actions)
        done = (self.batch.terminated | self.batch.truncated).astype(bool)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(done)
        returns, lengths = self._tally.add(self.batch.rewards, ended)
        for copy, total, length in zip(ended.tolist(), returns.tolist(), lengths.tolist(), strict=True):
            infos[copy] = self._final_info(copy, total, length)
        rewards = self.batch.rewards.copy()
        open_abandoned(self.batch, done)
        return observation_of(self.batch.obs, self.batch.obs_u8), rewards, done, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the valid options of every copy, as sb3-contrib's maskable algorithms ask for them."""
        return self.batch.masks.astype(bool)

    def close(self) -> None:
        """Free the copies."""
        self.batch.close()

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """Return an attribute once per chosen copy; all copies share one object."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Refuse: copies have no attributes of their own."""
        raise ContractError(f"cannot set {attr_name!r}: the copies of a batch have no attributes of their own")

    def env_method(
        self, method_name: str, *method_args: Any, indices: int | Iterable[int] | None = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method of the batch and return its result copy by copy."""
        rows: Sequence[Any] = getattr(self, method_name)(*method_args, **method_kwargs)
        return [rows[copy] for copy in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: int | Iterable[int] | None = None) -> list[bool]:
        """Say that no copy is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def _final_info(self, copy: int, total: float, length: int) -> dict[str, Any]:
        return {
            **dict(zip(self.contract.metric_keys, self.batch.metrics[copy].tolist(), strict=True)),
            "terminal_observation": observation_of(self.batch.final_obs[copy], self.batch.final_obs_u8[copy]),
            "TimeLimit.truncated": bool(self.batch.truncated[copy]),
            "episode": {"r": total, "l": length},
        }
