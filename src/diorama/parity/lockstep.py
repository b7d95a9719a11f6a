"""Steps two sides together until the first moment at which they differ."""

import time
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from diorama.contracts.values import I32
from diorama.parity.cases import Case
from diorama.parity.differences import Difference
from diorama.parity.fields import COMPARED, COMPARED_AT_END, COMPARED_AT_OPENING, find_differences
from diorama.parity.pair import Pair
from diorama.parity.players import Player
from diorama.parity.profiles import Profile
from diorama.parity.sides import Sides
from diorama.parity.trace import Trace


class Phase(StrEnum):
    """When two sides were found to differ."""

    RESET = "reset"
    STEP = "step"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mismatch:
    """The first moment at which two sides differ, with everything that differs then.

    Attributes:
        phase: What both sides had just done.
        step: For a step its index, counted over the whole case; else the number of steps before.
        episode: Index of the episode.
        differences: In the order of comparison, at least one.
    """

    phase: Phase
    step: int
    episode: int
    differences: tuple[Difference, ...]

    def __str__(self) -> str:
        """Say where it happened and what differs first."""
        others = len(self.differences) - 1
        more = f" (and {others} more)" if others else ""
        return f"{self.phase.value} {self.step}, episode {self.episode}: {self.differences[0]}{more}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """What came of a case; `actions` is steps by seats by heads and ends with the offending step."""

    actions: I32
    reference_trace: Trace
    fast_trace: Trace
    episodes: int
    seconds: float
    mismatch: Mismatch | None


def walk_in_lockstep(case: Case, sides: Sides, player: Player, profile: Profile) -> Walk:
    """Play a case on both sides and stop at the first mismatch."""
    started = time.perf_counter()
    walker = _Walker(case, sides, player, profile)
    mismatch = walker.first_mismatch()
    spec = walker.pair.spec
    return Walk(
        actions=np.array(walker.actions, np.int32).reshape(-1, spec.agents, len(spec.heads)),
        reference_trace=walker.reference_trace,
        fast_trace=walker.fast_trace,
        episodes=walker.pair.episodes,
        seconds=time.perf_counter() - started,
        mismatch=mismatch,
    )


def states_before(case: Case, sides: Sides, actions: I32, mismatch: Mismatch) -> tuple[bytes, bytes]:
    """Play a case again up to a mismatch and return both states.

    They are the states just before an offending step, just after an offending reset, or at the end of the case.
    """
    pair = Pair(case, sides)
    pair.open_episode()
    for decisions in actions[: mismatch.step]:
        pair.step(decisions)
        if not pair.is_open:
            pair.open_episode()
    return pair.snapshots()


class _Walker:
    def __init__(self, case: Case, sides: Sides, player: Player, profile: Profile) -> None:
        self.pair = Pair(case, sides)
        self.actions: list[I32] = []
        self.reference_trace = Trace()
        self.fast_trace = Trace()
        self._steps = case.steps
        self._player = player
        self._profile = profile

    def first_mismatch(self) -> Mismatch | None:
        for _ in range(self._steps):
            found = self._open_if_over() or self._step()
            if found is not None:
                return found
        # An episode that the last step ended is followed up too: a bundle ends with that step when the opening
        # after it is what differs.
        return self._open_if_over() or self._compare(Phase.END, step=self._steps, episode=self.pair.episodes)

    def _open_if_over(self) -> Mismatch | None:
        if self.pair.is_open:
            return None
        self.pair.open_episode()
        self._player.open(self.pair.reference.batch)
        return self._compare(Phase.RESET, step=len(self.actions), episode=self.pair.episodes)

    def _step(self) -> Mismatch | None:
        step, episode = len(self.actions), self.pair.episodes
        actions = self._player.choose(self.pair.reference.batch)
        self.pair.step(actions)
        self.actions.append(actions)
        self.reference_trace.add(actions, self.pair.reference.batch, self.pair.reference.record)
        self.fast_trace.add(actions, self.pair.fast.batch, self.pair.fast.record)
        return self._compare(Phase.STEP, step=step, episode=episode)

    def _compare(self, phase: Phase, *, step: int, episode: int) -> Mismatch | None:
        fields = COMPARED if self.pair.is_open else COMPARED_AT_OPENING
        if phase is Phase.END:
            fields = COMPARED_AT_END
        differences = find_differences(fields, self.pair.reference, self.pair.fast, self._profile)
        if not differences:
            return None
        return Mismatch(phase=phase, step=step, episode=episode, differences=tuple(differences))
