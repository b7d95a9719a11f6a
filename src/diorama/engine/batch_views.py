"""What a batch is and what it shows: the facts it is stamped with, and views of the buffers it writes into."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.config import WorldConfig, config_hash
from diorama.contracts.errors import UnknownName
from diorama.contracts.spec import Dtype, WorldSpec
from diorama.contracts.tiers import Tier
from diorama.contracts.values import F32, U8, U16, U64
from diorama.contracts.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchFacts:
    """What a batch was asked to be and what it is; stamped on every artifact."""

    world: World[WorldConfig]
    config: WorldConfig
    seed: int
    threads: int
    device: str
    tier_requested: str
    tier_selected: Tier
    tier_fallback_reason: str | None


class BatchViews:
    """Copies of one world in one configuration, as far as they can be looked at. Rows are copies × seats."""

    def __init__(self, facts: BatchFacts, copies: int, buffers: Buffers | None) -> None:
        """Take the caller's buffers, or allocate some."""
        self.facts = facts
        self.spec: WorldSpec = facts.world.describe(facts.config)
        self.copies = copies
        self.buffers = Buffers.allocate(self.spec, copies) if buffers is None else buffers
        self.buffers.check(self.spec, copies)

    @property
    def world(self) -> World[WorldConfig]:
        """The registration of the world."""
        return self.facts.world

    @property
    def config(self) -> WorldConfig:
        """The configuration all copies share."""
        return self.facts.config

    @property
    def config_hash(self) -> str:
        """SHA-256 of world, interface version and configuration."""
        return config_hash(self.spec.interface_version, self.spec.world, self.facts.config)

    @property
    def tier_selected(self) -> Tier:
        """The tier that runs."""
        return self.facts.tier_selected

    @property
    def tier_fallback_reason(self) -> str | None:
        """Why `tier="auto"` fell back to the reference; None if it did not."""
        return self.facts.tier_fallback_reason

    @property
    def rows(self) -> int:
        """Copies × seats."""
        return self.copies * self.spec.agents

    @property
    def obs(self) -> F32:
        """Float observation rows for the next decision."""
        return self.buffers.obs

    @property
    def obs_u8(self) -> U8:
        """Byte observation rows for the next decision."""
        return self.buffers.obs_u8

    @property
    def masks(self) -> U8:
        """Valid options for the next decision."""
        return self.buffers.masks

    @property
    def rewards(self) -> F32:
        """Reward of each row."""
        return self.buffers.rewards

    @property
    def terminated(self) -> U8:
        """1 where the row's episode ended by the rules."""
        return self.buffers.terminated

    @property
    def truncated(self) -> U8:
        """1 where the row's episode was cut off."""
        return self.buffers.truncated

    @property
    def alive(self) -> U8:
        """1 where the row takes the next decision."""
        return self.buffers.alive

    @property
    def episode_start(self) -> U8:
        """1 where `obs` opens an episode."""
        return self.buffers.episode_start

    @property
    def metrics(self) -> F32:
        """Metrics after the step just taken."""
        return self.buffers.metrics

    @property
    def dt(self) -> U16:
        """Ticks each copy's step took."""
        return self.buffers.dt

    @property
    def events(self) -> U64:
        """Event bits of each copy's step."""
        return self.buffers.events

    @property
    def final_obs(self) -> F32:
        """Last observation of rows that ended in this step."""
        return self.buffers.final_obs

    @property
    def final_obs_u8(self) -> U8:
        """Last byte observation of rows that ended in this step."""
        return self.buffers.final_obs_u8

    def adopt(self, buffers: Buffers) -> None:
        """Write into the caller's buffers from now on."""
        buffers.check(self.spec, self.copies)
        self.buffers = buffers

    def field(self, name: str) -> NDArray[np.generic]:
        """Return a view of a named observation field, shape rows × the field's shape."""
        for item in self.spec.observation:
            if item.name == name:
                rows = self.buffers.obs if item.dtype is Dtype.FLOAT32 else self.buffers.obs_u8
                return rows[:, item.start : item.stop].reshape(self.rows, *item.shape)
        raise UnknownName.among("observation field", name, (item.name for item in self.spec.observation))
