"""The floor: controllers that any learner must beat."""

from typing import ClassVar

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.worlds.morphogenesis.contracts.actions import PLACEHOLDERS, head_sizes, slots_among
from diorama.worlds.morphogenesis.controller.choices import canonical
from diorama.worlds.random_bot import RandomBot


class Wait:
    """Never grows anything: the host as its control twin."""

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Wait."""
        return PLACEHOLDERS


class Random(RandomBot):
    """Draws an operation from the valid ones, and every head it needs from that head's."""

    stream: ClassVar[int] = 83

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Draw one option per head; those that do not matter carry their placeholder."""
        picked, start = [], 0
        for size in head_sizes(slots_among(len(mask))):
            picked.append(self.memory.choose_valid(mask[start : start + size]))
            start += size
        return canonical(picked)
