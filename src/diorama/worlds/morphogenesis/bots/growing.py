"""A baseline that grows by the clock, whatever it sees."""

from typing import Final

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.worlds.morphogenesis.contracts.actions import PLACEHOLDERS, LifecycleOp, slots_among
from diorama.worlds.morphogenesis.controller.schedules import grow_three

_SCHEDULED_SLOTS: Final = ("r0c0", "r0c1", "r0c2")


class GrowThree:
    """Plants three convolutional seeds one after another, by the clock; it waits where a host has fewer slots.

    Attributes:
        memory: Epochs it has seen.
    """

    def __init__(self) -> None:
        """Start at the first epoch."""
        self.memory = 0
        self._schedule = grow_three(_SCHEDULED_SLOTS)

    def reset(self, episode_seed: int) -> None:
        """Start at the first epoch."""
        self.memory = 0

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Do what the schedule has for this epoch, unless the mask is against it."""
        self.memory += 1
        action = self._schedule.at(self.memory)
        slots, op = slots_among(len(mask)), action[-1]
        is_open = action[0] < slots and mask[len(mask) - len(LifecycleOp) + op]
        return action if is_open else PLACEHOLDERS
