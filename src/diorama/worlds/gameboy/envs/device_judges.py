"""Judges on a device: what `referees.py` is to the host, with the same rules and the same numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch

from diorama.snapshots import WordReader, WordWriter
from diorama.worlds.gameboy.config import GameboyConfig, ObservationFormat
from diorama.worlds.gameboy.envs import pixels_on_device as pixels
from diorama.worlds.gameboy.envs.device_library import library_on
from diorama.worlds.gameboy.envs.goals.matching import count_matches, distance_of, pay_step
from diorama.worlds.gameboy.envs.goals.sources import goals_of, pay_of
from diorama.worlds.gameboy.envs.lane_state import LARGEST_BYTE, MOST_STEPS
from diorama.worlds.gameboy.envs.layout import layout_of
from diorama.worlds.gameboy.envs.pixels import pack as pack_on_host
from diorama.worlds.gameboy.envs.tasks.judging import TaskJudge


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a judge looks at: each lane's newest picture, its watched bytes and stage; `stack` gathers all pictures."""

    newest: torch.Tensor
    stack: Callable[[], torch.Tensor]
    watched: torch.Tensor
    stages: torch.Tensor


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceVerdict:
    """What a step of every lane came to; as `referees.Verdict`."""

    rewards: torch.Tensor
    reached: torch.Tensor
    failed: torch.Tensor
    advanced: torch.Tensor
    distances: torch.Tensor


class DeviceJudge(Protocol):
    """Judges steps of all lanes without looking at any of them on the host."""

    def open(self, lanes: torch.Tensor, seen: Seen) -> None:
        """Take the state of the lanes where the mask is true as their start."""

    def judge(self, seen: Seen) -> DeviceVerdict:
        """Judge a step by what it led to."""

    @property
    def distances(self) -> torch.Tensor:
        """Distance of each lane from its goal; 0 where there is none."""

    def write_lane(self, lane: int, words: WordWriter) -> None:
        """Write what is remembered of a lane, as the referee of the host does."""

    def read_lane(self, lane: int, words: WordReader) -> None:
        """Take over what `write_lane` wrote."""


class NoJudge:
    """`gb_pixels`: nothing is paid and nothing ends."""

    def __init__(self, lanes: int, device: torch.device) -> None:
        """Prepare the one verdict there is."""
        nothing = torch.zeros(lanes, device=device)
        never = torch.zeros(lanes, dtype=torch.bool, device=device)
        self._verdict = DeviceVerdict(rewards=nothing, reached=never, failed=never, advanced=never, distances=nothing)
        self.distances = nothing

    def open(self, lanes: torch.Tensor, seen: Seen) -> None:
        """Nothing to remember."""

    def judge(self, seen: Seen) -> DeviceVerdict:
        """Let it pass."""
        return self._verdict

    def write_lane(self, lane: int, words: WordWriter) -> None:
        """Nothing is remembered."""

    def read_lane(self, lane: int, words: WordReader) -> None:
        """Nothing is remembered."""


class GoalJudge:
    """`gb_goal` and `gb_curriculum`: the picture of the lane's stage is to be reached."""

    def __init__(self, config: GameboyConfig, lanes: int, device: torch.device) -> None:
        """Bring the goals to the device."""
        goals = goals_of(config)
        self._pay = pay_of(config)
        self._library = library_on(device)
        self._is_packed = config.observation is ObservationFormat.PACKED2
        pictures = [torch.from_numpy(pack_on_host(goal.picture) if self._is_packed else goal.picture) for goal in goals]
        self._goals = torch.stack(pictures).to(device)
        self._pixels = goals[0].picture.size
        self._is_whole_stack = goals[0].picture.ndim == 3
        self._tau = torch.tensor([goal.tau for goal in goals], dtype=torch.float32, device=device)
        self._k_consecutive = torch.tensor([goal.k_consecutive for goal in goals], dtype=torch.int32, device=device)
        self.distances = torch.zeros(lanes, device=device)
        self.consecutive = torch.zeros(lanes, dtype=torch.int32, device=device)

    def open(self, lanes: torch.Tensor, seen: Seen) -> None:
        """Begin to count from the start's distance."""
        self.distances = torch.where(lanes, self._measure(seen), self.distances)
        self.consecutive = torch.where(lanes, 0, self.consecutive)

    def judge(self, seen: Seen) -> DeviceVerdict:
        """Pay for distance won and for the goal; reaching any goal but the last leads on to the next stage."""
        previous, self.distances = self.distances, self._measure(seen)
        self.consecutive = count_matches(self.consecutive, self.distances, self._tau[seen.stages], self._library)
        reached = self.consecutive >= self._k_consecutive[seen.stages]
        paid = pay_step(previous, self.distances, reached, self._pay, self._library)
        is_last = seen.stages == len(self._goals) - 1
        return DeviceVerdict(
            rewards=paid.total,
            reached=reached & is_last,
            failed=torch.zeros_like(reached),
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

    def _measure(self, seen: Seen) -> torch.Tensor:
        goals = self._goals[0] if len(self._goals) == 1 else self._goals[seen.stages]
        pictures = seen.stack() if self._is_whole_stack else seen.newest
        total = (pixels.packed_distance if self._is_packed else pixels.shade_distance)(pictures, goals)
        distances: torch.Tensor = distance_of(total, self._pixels, self._library)
        return distances


class RulesJudge:
    """`gb_tasks`: the rules of a task file."""

    def __init__(self, config: GameboyConfig, lanes: int, device: torch.device) -> None:
        """Read the task."""
        task = layout_of(config).task
        if task is None:
            raise AssertionError(f"{config.kind} has no task")
        self._addresses = len(task.addresses)
        self._judge = TaskJudge(task, lanes, config.novelty_size, library_on(device))
        self.distances = torch.zeros(lanes, device=device)

    def open(self, lanes: torch.Tensor, seen: Seen) -> None:
        """Take the bytes of the start as seen."""
        self._judge.open(lanes, self._bytes(seen))

    def judge(self, seen: Seen) -> DeviceVerdict:
        """Apply the rules."""
        judged = self._judge.judge(self._bytes(seen))
        return DeviceVerdict(
            rewards=judged.reward,
            reached=judged.reached,
            failed=judged.failed,
            advanced=torch.zeros_like(judged.reached),
            distances=self.distances,
        )

    def write_lane(self, lane: int, words: WordWriter) -> None:
        """Write the bytes of the step before and what is known."""
        words.add_ints(self._judge.previous[lane].tolist())
        novelty = self._judge.novelty
        if novelty is not None:
            known = (novelty.cells[lane] == novelty.epochs[lane]).nonzero().flatten().tolist()
            words.add_ints([len(known), *known])

    def read_lane(self, lane: int, words: WordReader) -> None:
        """Read the bytes of the step before and what is known."""
        previous = self._judge.previous.clone()
        seen = [words.read_count(LARGEST_BYTE) for _ in range(self._addresses)]
        previous[lane] = torch.tensor(seen, dtype=previous.dtype)
        self._judge.previous = previous
        if self._judge.novelty is not None:
            self._judge.novelty.load(lane, words.read_ints(words.read_int()))

    def _bytes(self, seen: Seen) -> torch.Tensor:
        return seen.watched[:, : self._addresses].to(torch.int32)
