"""Referees: one for each kind of environment. They judge steps of all lanes at once and remember what that needs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import F32, I32, U8
from diorama.snapshots import WordReader, WordWriter
from diorama.worlds.gameboy.envs.arrays import HOST
from diorama.worlds.gameboy.envs.goals.matching import GoalPay, count_matches, distance_of, pay_step
from diorama.worlds.gameboy.envs.goals.sources import Goal
from diorama.worlds.gameboy.envs.lane_state import LARGEST_BYTE, MOST_STEPS
from diorama.worlds.gameboy.envs.pixels import pack, packed_distance, shade_distance
from diorama.worlds.gameboy.envs.stack import PictureStack
from diorama.worlds.gameboy.envs.tasks.judging import TaskJudge

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a step of every lane came to; a lane that has trapped is not judged here.

    Attributes:
        rewards: What was paid.
        terms: The parts of it by name.
        reached: The episode ended well.
        failed: The episode ended without success.
        advanced: The lane goes on to its next stage.
        distances: From the goal; 0 where there is none.
    """

    rewards: F32
    terms: Mapping[str, F32] = field(default_factory=dict)
    reached: Mask
    failed: Mask
    advanced: Mask
    distances: F32

    def of(self, lanes: slice) -> "Verdict":
        """Return the verdict of some of the lanes."""
        return Verdict(
            rewards=self.rewards[lanes],
            terms={name: term[lanes] for name, term in self.terms.items()},
            reached=self.reached[lanes],
            failed=self.failed[lanes],
            advanced=self.advanced[lanes],
            distances=self.distances[lanes],
        )


class Referee(Protocol):
    """Judges steps. `open` comes before the first judgment of a lane and after everything that moved it elsewhere."""

    def open(self, lanes: Mask, stack: PictureStack, watched: U8, stages: I32) -> None:
        """Take the state of the lanes as their start."""

    def judge(self, stack: PictureStack, watched: U8, stages: I32) -> Verdict:
        """Judge a step by what it led to."""

    def write_lane(self, lane: int, words: WordWriter) -> None:
        """Write what is remembered of a lane."""

    def read_lane(self, lane: int, words: WordReader) -> None:
        """Take over what `write_lane` wrote."""


class NoReferee:
    """`gb_pixels`: nothing is paid and nothing ends."""

    def __init__(self, lanes: int) -> None:
        """Prepare the one verdict there is."""
        nothing, never = np.zeros(lanes, np.float32), np.zeros(lanes, np.bool_)
        self._verdict = Verdict(rewards=nothing, reached=never, failed=never, advanced=never, distances=nothing)

    def open(self, lanes: Mask, stack: PictureStack, watched: U8, stages: I32) -> None:
        """Nothing to remember."""

    def judge(self, stack: PictureStack, watched: U8, stages: I32) -> Verdict:
        """Let it pass."""
        return self._verdict

    def write_lane(self, lane: int, words: WordWriter) -> None:
        """Nothing is remembered."""

    def read_lane(self, lane: int, words: WordReader) -> None:
        """Nothing is remembered."""


class GoalReferee:
    """`gb_goal` and `gb_curriculum`: the picture of the lane's stage is to be reached."""

    def __init__(self, lanes: int, goals: tuple[Goal, ...], pay: GoalPay, *, is_packed: bool) -> None:
        """Prepare the goals, one for each stage."""
        self._pay = pay
        self._is_packed = is_packed
        self._pictures = [np.ascontiguousarray(pack(goal.picture) if is_packed else goal.picture) for goal in goals]
        self._pixels = [goal.picture.size for goal in goals]
        self._tau = np.array([goal.tau for goal in goals], np.float32)
        self._k_consecutive = np.array([goal.k_consecutive for goal in goals], np.int32)
        self.distances = np.zeros(lanes, np.float32)
        self.consecutive = np.zeros(lanes, np.int32)

    def open(self, lanes: Mask, stack: PictureStack, watched: U8, stages: I32) -> None:
        """Begin to count from the start's distance."""
        self.distances = np.where(lanes, self._measure(stack, stages), self.distances)
        self.consecutive = np.where(lanes, np.int32(0), self.consecutive)

    def judge(self, stack: PictureStack, watched: U8, stages: I32) -> Verdict:
        """Pay for distance won and for the goal; reaching any goal but the last leads on to the next stage."""
        previous, self.distances = self.distances, self._measure(stack, stages)
        self.consecutive = count_matches(self.consecutive, self.distances, self._tau[stages], HOST)
        reached = self.consecutive >= self._k_consecutive[stages]
        paid = pay_step(previous, self.distances, reached, self._pay, HOST)
        is_last = stages == len(self._pictures) - 1
        return Verdict(
            rewards=paid.total,
            terms={
                "step_cost": np.full(len(stages), self._pay.step_cost, np.float32),
                "progress": paid.progress,
                "goal_bonus": paid.bonus,
            },
            reached=reached & is_last,
            failed=np.zeros(len(stages), np.bool_),
            advanced=reached & ~is_last,
            distances=self.distances,
        )

    def write_lane(self, lane: int, words: WordWriter) -> None:
        """Write distance and matches in a row."""
        words.add_float(float(self.distances[lane]))
        words.add_int(int(self.consecutive[lane]))

    def read_lane(self, lane: int, words: WordReader) -> None:
        """Read distance and matches in a row."""
        self.distances[lane] = words.read_single()
        self.consecutive[lane] = words.read_count(MOST_STEPS)

    def _measure(self, stack: PictureStack, stages: I32) -> F32:
        distances = self._measure_from(stack, 0)
        for stage in range(1, len(self._pictures)):
            here = stages == stage
            if here.any():
                distances = np.where(here, self._measure_from(stack, stage), distances)
        return distances

    def _measure_from(self, stack: PictureStack, stage: int) -> F32:
        goal = self._pictures[stage]
        seen = stack.newest if goal.ndim == 2 else stack.gathered()
        total = packed_distance(seen, goal) if self._is_packed else shade_distance(seen, goal)
        distances: F32 = distance_of(total, self._pixels[stage], HOST)
        return distances


class TaskReferee:
    """`gb_tasks`: the rules of a task file over the first watched bytes."""

    def __init__(self, judge: TaskJudge, addresses: int) -> None:
        """Take the rules; the task's addresses are the first of those the lanes watch."""
        self._judge = judge
        self._addresses = addresses

    def open(self, lanes: Mask, stack: PictureStack, watched: U8, stages: I32) -> None:
        """Take the bytes of the start as seen."""
        self._judge.open(lanes, self._bytes(watched))

    def judge(self, stack: PictureStack, watched: U8, stages: I32) -> Verdict:
        """Apply the rules."""
        judged = self._judge.judge(self._bytes(watched))
        nothing = np.zeros(len(stages), np.float32)
        return Verdict(
            rewards=judged.reward,
            terms=judged.terms,
            reached=judged.reached,
            failed=judged.failed,
            advanced=np.zeros(len(stages), np.bool_),
            distances=nothing,
        )

    def write_lane(self, lane: int, words: WordWriter) -> None:
        """Write the bytes of the step before and what is known."""
        words.add_ints(self._judge.previous[lane])
        novelty = self._judge.novelty
        if novelty is not None:
            known = novelty.known(lane)
            words.add_ints([len(known), *known])

    def read_lane(self, lane: int, words: WordReader) -> None:
        """Read the bytes of the step before and what is known."""
        previous = self._judge.previous.copy()
        previous[lane] = [words.read_count(LARGEST_BYTE) for _ in range(self._addresses)]
        self._judge.previous = previous
        novelty = self._judge.novelty
        if novelty is not None:
            novelty.load(lane, words.read_ints(words.read_int()))

    def _bytes(self, watched: U8) -> I32:
        return watched[:, : self._addresses].astype(np.int32)
