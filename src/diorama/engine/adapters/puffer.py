"""A batch of any world as a native PufferLib environment: its buffers are the batch's, nothing is copied."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ContractError, MissingExtra
from diorama.engine.adapters.spaces import action_space, observation_space
from diorama.engine.adapters.tally import EpisodeTally
from diorama.engine.make import make

try:
    from pufferlib import PufferEnv
except ImportError as error:
    raise MissingExtra("the PufferLib adapter needs PufferLib 3.0; README.md says how to install it") from error


class DioramaPufferEnv(PufferEnv):  # type: ignore[misc] # PufferLib ships no types
    """Rows of a world (copies × seats) as PufferLib agents.

    Works alone (`pufferlib.vector.make(DioramaPufferEnv, env_kwargs={"world": "prospector", "copies": 1024})`) and
    inside PufferLib's `Serial` and `Multiprocessing` backends, which hand over their own buffers.
    """

    def __init__(
        self,
        world: str,
        *,
        copies: int = 1,
        config: Mapping[str, object] | WorldConfig | None = None,
        tier: str = "auto",
        threads: int | str = "auto",
        buf: Mapping[str, NDArray[np.generic]] | None = None,
        seed: int | None = 0,
    ) -> None:
        """Make the copies; `buf` holds PufferLib's arrays to write into."""
        self.batch = make(world, copies=copies, config=config, seed=seed or 0, tier=tier, threads=threads)
        self.contract = self.batch.spec
        if self.contract.obs_width and self.contract.obs_u8_width:
            raise ContractError(f"{world!r} has float and byte observations; a PufferLib environment has one array")
        self.single_observation_space = observation_space(self.contract)
        self.single_action_space = action_space(self.contract)
        self.num_agents = self.batch.rows
        # PufferLib's trainer asks for it where a policy has memory; its base class has it under another name.
        self.agents_per_batch = self.num_agents
        super().__init__(buf)
        shown = "obs" if self.contract.obs_width else "obs_u8"
        self.batch.adopt(
            replace(
                self.batch.buffers,
                **{shown: self.observations},
                rewards=self.rewards,
                terminated=self.terminals.view(np.uint8),
                truncated=self.truncations.view(np.uint8),
                alive=self.masks.view(np.uint8),
            )
        )
        self._tally = EpisodeTally(self.num_agents)

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.generic], list[dict[str, Any]]]:
        """Open an episode in every copy; seed `s` gives copy `i` the seed `s + i`."""
        self.batch.reset(None if seed is None else range(seed, seed + self.batch.copies))
        self._tally.restart()
        return self.observations, []

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.generic], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], list[dict[str, Any]]]:
        """Step every copy; where episodes ended, the one info has their mean return, length and metrics."""
        self.batch.step(actions)
        ended = np.flatnonzero(self.terminals | self.truncations)
        returns, lengths = self._tally.add(self.rewards, ended)
        infos = [self._summary(ended, returns, lengths)] if len(ended) else []
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def close(self) -> None:
        """Free the copies."""
        self.batch.close()

    def _summary(
        self, ended: NDArray[np.intp], returns: NDArray[np.float64], lengths: NDArray[np.int64]
    ) -> dict[str, float]:
        means = self.batch.metrics[ended].mean(axis=0, dtype=np.float64).tolist()
        return {
            "episode_return": float(returns.mean()),
            "episode_length": float(lengths.mean()),
            **dict(zip(self.contract.metric_keys, means, strict=True)),
        }
