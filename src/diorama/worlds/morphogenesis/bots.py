"""Scripted baselines that play one row from what it observes, weakest first."""

from collections.abc import Callable, Mapping
from typing import Final

from diorama.contracts.bots import Bot
from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.rng import Pcg32
from diorama.worlds.morphogenesis.contracts.actions import PLACEHOLDERS, LifecycleOp, head_sizes
from diorama.worlds.morphogenesis.controller.choices import canonical
from diorama.worlds.morphogenesis.controller.schedules import grow_three
from diorama.worlds.morphogenesis.rule_bot import Rules

_STREAM: Final = 83
_OTHER_OPTIONS: Final = sum(head_sizes(0))
_LAST_SCHEDULED_SLOT: Final = ("r0c0", "r0c1", "r0c2")


class Wait:
    """Never grows anything: the host as its control twin."""

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Wait."""
        return PLACEHOLDERS


class Random:
    """Draws an operation from the valid ones, and every head it needs from that head's.

    Attributes:
        memory: The stream it draws from.
    """

    def __init__(self) -> None:
        """Start the draws of seed 0."""
        self.reset(0)

    def reset(self, episode_seed: int) -> None:
        """Start the draws of this episode."""
        self.memory = Pcg32.from_seed(episode_seed, _STREAM)

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Draw one option per head; those that do not matter carry their placeholder."""
        picked, start = [], 0
        for size in head_sizes(len(mask) - _OTHER_OPTIONS):
            valid: list[int] = mask[start : start + size].nonzero()[0].tolist()
            picked.append(valid[self.memory.randint_exclusive(0, len(valid))])
            start += size
        return canonical(picked)


class GrowThree:
    """Plants three convolutional seeds one after another, by the clock; it waits where a host has fewer slots.

    Attributes:
        memory: Epochs it has seen.
    """

    def __init__(self) -> None:
        """Start at the first epoch."""
        self.memory = 0
        self._schedule = grow_three(_LAST_SCHEDULED_SLOT)

    def reset(self, episode_seed: int) -> None:
        """Start at the first epoch."""
        self.memory = 0

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Do what the schedule has for this epoch, unless the mask is against it."""
        self.memory += 1
        action = self._schedule.at(self.memory)
        slots, op = len(mask) - _OTHER_OPTIONS, action[-1]
        is_open = action[0] < slots and mask[len(mask) - len(LifecycleOp) + op]
        return action if is_open else PLACEHOLDERS


BOTS: Final[Mapping[str, Callable[[], Bot]]] = {
    "wait": Wait,
    "random": Random,
    "rules": Rules,
    "grow_three": GrowThree,
}
