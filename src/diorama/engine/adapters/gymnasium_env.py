"""A single-seat world as a Gymnasium `Env`."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ConfigError, ContractError, EpisodeOver
from diorama.contracts.records import StepRecord
from diorama.contracts.tiers import Tier
from diorama.contracts.values import U8, JsonObject
from diorama.engine.adapters.info import info_of
from diorama.engine.adapters.rendering import RENDER_FPS, RENDER_MODES, check_render_mode, rendered
from diorama.engine.adapters.spaces import Observation, action_space, observation_of, observation_space
from diorama.engine.make import make

OPTIONAL_INFO = frozenset({"action_mask", "reward_terms"})


class DioramaEnv(gymnasium.Env[Observation, Any]):
    """One copy of a world. Reward and metrics are binary64; returned arrays are copies.

    `reset(seed=s)` plays the episode of seed `s`; `reset()` plays the next of the environment's own sequence.
    A finished episode must be reset before it is stepped again. A seat that is out and waits for the end of the episode
    takes no decisions: the step in which it goes out lasts until then, and pays what has come together.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012 (as Gymnasium declares it)

    def __init__(
        self,
        world: str,
        *,
        config: Mapping[str, object] | WorldConfig | None = None,
        seed: int = 0,
        tier: str = "auto",
        info: Collection[str] = (),
        render_mode: str | None = None,
    ) -> None:
        """Make the environment.

        Args:
            world: World id.
            config: The world's own configuration.
            seed: Base of the seed sequence until `reset` is given one.
            tier: `"auto"`, `"reference"` or `"fast"`.
            info: Further keys wanted in `info`: `"action_mask"`, `"reward_terms"`.
            render_mode: What `render` gives: `"rgb_array"`, where the world has pictures, or `"frame"`, what a viewer
                needs to draw as much as the seat may see.
        """
        if unknown := set(info) - OPTIONAL_INFO:
            raise ConfigError(
                f"info has no optional key {sorted(unknown)}; there are: {', '.join(sorted(OPTIONAL_INFO))}"
            )
        self.batch = make(world, copies=1, config=config, seed=seed, tier=tier, threads=1)
        self.contract = self.batch.spec
        if self.contract.agents != 1:
            raise ContractError(f"{world!r} has {self.contract.agents} seats; a Gymnasium Env has one")
        check_render_mode(self.batch.world, render_mode)
        self.render_mode = render_mode
        self.observation_space = observation_space(self.contract)
        self.action_space = action_space(self.contract)
        self._wanted = frozenset(info)
        self._is_open = False
        self._next_is_open = False
        self._noop = np.array([self.contract.noop], np.int32)
        self._events: Sequence[str] = ()

    @property
    def tier_selected(self) -> Tier:
        """The tier that runs."""
        return self.batch.tier_selected

    @property
    def tier_fallback_reason(self) -> str | None:
        """Why the reference runs although `auto` prefers the fast tier."""
        return self.batch.tier_fallback_reason

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Open an episode; there are no options."""
        if options:
            raise ConfigError(f"reset has no options; got {sorted(options)}")
        super().reset(seed=None if seed is None else seed % (1 << 64))
        if seed is not None:
            self.batch.reset([seed])
        elif not self._next_is_open:  # an ended episode has been followed by the next one inside the batch already
            self.batch.reset()
        self._is_open, self._next_is_open = True, False
        record = self.batch.opening_record(0)
        self._events = record.events
        return self._observation(), {**info_of(self.contract, record), **self._optional_info(record.reward_terms[0])}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take one decision; an integer outside the action space is left to the world to judge."""
        if not self._is_open:
            raise EpisodeOver("the episode is over or was never opened; call reset() before step()")
        episode_seed = self.batch.episode_seed(0)
        record = self._advance(np.asarray(action).reshape(1, -1))
        reward = record.rewards[0]
        while not (_has_ended(record) or self.batch.alive[0]):
            record = self._advance(self._noop)
            reward += record.rewards[0]
        ended = _has_ended(record)
        # A copy whose seat somebody else will take goes on, and is not followed by the next episode.
        self._is_open, self._next_is_open = not ended, self.batch.episode_seed(0) != episode_seed
        info = {**info_of(self.contract, record), **self._optional_info(record.reward_terms[0])}
        return self._observation(final=ended), reward, record.terminated[0], record.truncated[0], info

    def render(self) -> Any:
        """Return the moment in the render mode; after an ending step that is the opening of the next episode."""
        return rendered(self.batch.world, self.render_mode, self.batch.render_state(0), self._events, seat=0)

    def action_mask(self) -> U8:
        """Return 1 for every option that is valid now."""
        mask: U8 = self.batch.masks[0].copy()
        return mask

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask as booleans, as sb3-contrib asks for it."""
        mask: NDArray[np.bool_] = self.batch.masks[0].astype(bool)
        return mask

    def render_state(self) -> JsonObject:
        """Return what a viewer needs to draw this moment."""
        return self.batch.render_state(0)

    def snapshot(self) -> bytes:
        """Return the complete state, random numbers included."""
        return self.batch.snapshot(0)

    def restore(self, data: bytes) -> None:
        """Continue from a snapshot of this world and configuration."""
        self.batch.restore(0, data)
        self._is_open, self._next_is_open = True, False

    def close(self) -> None:
        """Free the world."""
        self.batch.close()

    def _advance(self, actions: NDArray[np.integer[Any]]) -> StepRecord:
        self.batch.step(actions)
        record = self.batch.step_record(0)
        self._events = record.events
        return record

    def _observation(self, *, final: bool = False) -> Observation:
        buffers = self.batch.buffers
        if final:
            return observation_of(buffers.final_obs[0], buffers.final_obs_u8[0])
        return observation_of(buffers.obs[0], buffers.obs_u8[0])

    def _optional_info(self, reward_terms: Mapping[str, float]) -> dict[str, object]:
        offered: dict[str, object] = {"action_mask": self.action_mask(), "reward_terms": dict(reward_terms)}
        return {key: value for key, value in offered.items() if key in self._wanted}


def _has_ended(record: StepRecord) -> bool:
    return record.terminated[0] or record.truncated[0]
