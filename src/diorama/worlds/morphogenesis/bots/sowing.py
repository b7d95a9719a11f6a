"""A baseline that knows how seeds are grown and not which: it plants by chance and finishes what it has planted."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.rng import Pcg32
from diorama.worlds.morphogenesis.contracts.actions import HEAD_NAMES, PLACEHOLDERS, LifecycleOp, head_sizes
from diorama.worlds.morphogenesis.contracts.blueprints import NULL_BLUEPRINT_INDEX, BlueprintAction
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.controller.choices import compose
from diorama.worlds.morphogenesis.controller.features import HOST_WIDTH, SLOT_FEATURES, SLOT_WIDTH

_SLOT: Final = {name: column for column, name in enumerate(SLOT_FEATURES)}
_STREAM: Final = 89
_GROWING: Final = tuple(
    _SLOT[f"stage_{stage.name.lower()}"] for stage in (SeedStage.GERMINATED, SeedStage.TRAINING, SeedStage.BLENDING)
)
_HOLDING: Final = _SLOT[f"stage_{SeedStage.HOLDING.name.lower()}"]


@dataclass(slots=True)
class SowingMemory:
    """Where its choices come from, and how many seeds this host gets; 0 before that is drawn."""

    draws: Pcg32 = field(default_factory=lambda: Pcg32.from_seed(0, _STREAM))
    seeds: int = 0


class Sower:
    """Grows one to all seeds a host has room for, one after another and as soon as it can; chance says which and where.

    Attributes:
        memory: Its random stream, and how many seeds it wants.
    """

    def __init__(self) -> None:
        """Begin with the stream of episode seed 0."""
        self.memory = SowingMemory()

    def reset(self, episode_seed: int) -> None:
        """Begin the stream of the episode."""
        self.memory = SowingMemory(draws=Pcg32.from_seed(episode_seed, _STREAM))

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Make a seed permanent, else send one on, else plant one."""
        slots = len(obs_u8)
        valid = dict(zip(HEAD_NAMES, np.split(mask, np.cumsum(head_sizes(slots))[:-1]), strict=True))
        seen = obs[HOST_WIDTH:].reshape(slots, SLOT_WIDTH)
        if not self.memory.seeds:
            self.memory.seeds = 1 + self.memory.draws.choose_valid(np.ones(slots, np.uint8))
        ready = valid["slot"].astype(np.bool_)
        for op, fitting in (
            (LifecycleOp.FOSSILIZE, seen[:, _HOLDING] > 0.0),
            (LifecycleOp.ADVANCE, (seen[:, _GROWING] > 0.0).any(axis=1)),
        ):
            if valid["op"][op] and (fitting & ready).any():
                # The one that has waited longest: its gate is the one that opened.
                waited = np.where(fitting & ready, seen[:, _SLOT["epochs_in_stage"]], -1.0)
                return compose(op, int(waited.argmax()))
        empty = obs_u8 == NULL_BLUEPRINT_INDEX
        is_full = int((~empty).sum()) >= self.memory.seeds
        if is_full or not valid["op"][LifecycleOp.GERMINATE] or not (empty & ready).any():
            return PLACEHOLDERS
        valid["slot"] = (empty & ready).astype(np.uint8)
        slot, blueprint = (self.memory.draws.choose_valid(valid[name]) for name in ("slot", "blueprint"))
        return compose(LifecycleOp.GERMINATE, slot, blueprint=BlueprintAction(blueprint))
