"""A lane and its episode as words: the same whoever runs the lane, so that each continues what another has saved."""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from diorama.contracts.values import U8
from diorama.snapshots import WordReader, WordWriter, check_bounds
from diorama.worlds.gameboy.envs.pixels import FULL_SHAPE, PACKED_SHAPE, SHADES, pack, unpack

MOST_STEPS: Final = 1 << 30  # of an episode; counters of 32 bits have room for more
LARGEST_BYTE: Final = 0xFF
_SHOWN_BYTES: Final = FULL_SHAPE[0] * FULL_SHAPE[1] // 4


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneState:
    """Everything that going on needs, but for what a referee remembers, which follows it.

    Attributes:
        seed: Of the episode.
        steps: Taken in it.
        slot: Start state it began with.
        stage: Of a curriculum.
        last_reward: Paid by the last step.
        distance: From the goal.
        console: Savestate.
        shown: Full picture for viewers, shades.
        pictures: Observed pictures, oldest first.
    """

    seed: int
    steps: int
    slot: int
    stage: int
    last_reward: float
    distance: float
    console: bytes
    shown: U8
    pictures: U8

    def write(self, words: WordWriter) -> None:
        """Append the words."""
        words.add_int(self.seed)
        words.add_ints([self.steps, self.slot, self.stage])
        words.add_floats([self.last_reward, self.distance])
        words.add_int(len(self.console))
        words.add_bytes(self.console)
        words.add_bytes(pack(self.shown).tobytes())
        words.add_bytes(self.pictures.tobytes())

    @classmethod
    def read(cls, words: WordReader, pictures: tuple[int, ...], *, slots: int, stages: int) -> Self:
        """Take the words of a lane whose pictures have this shape, of a configuration with so many starts and stages.

        Raises:
            SnapshotError: If they do not describe such a lane.
        """
        seed = words.read_u64()
        steps, slot, stage = words.read_ints(3)
        last_reward, distance = words.read_single(), words.read_single()
        check_bounds(
            "the episode",
            [("steps", steps, 0, MOST_STEPS), ("slot", slot, 0, slots - 1), ("stage", stage, 0, stages - 1)],
        )
        console = words.read_bytes(words.read_int())
        shown = np.frombuffer(words.read_bytes(_SHOWN_BYTES), np.uint8).reshape(FULL_SHAPE[0], -1)
        observed = np.frombuffer(words.read_bytes(int(np.prod(pictures))), np.uint8).reshape(pictures)
        if pictures[1:] != PACKED_SHAPE and observed.size:
            check_bounds("an observed picture", [("a shade", int(observed.max()), 0, SHADES - 1)])
        return cls(
            seed=seed,
            steps=steps,
            slot=slot,
            stage=stage,
            last_reward=last_reward,
            distance=distance,
            console=console,
            shown=unpack(shown),
            pictures=observed,
        )
