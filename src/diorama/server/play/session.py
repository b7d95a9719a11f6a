"""`Session`: one person at play. Not thread-safe; whoever calls it holds its lock."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import EpisodeOver, ReplayDiverged
from diorama.contracts.records import StepRecord
from diorama.contracts.values import I32
from diorama.runs.replays.frames import Frame, action_rows
from diorama.runs.replays.rerun import rerun_frame
from diorama.runs.replays.scene import Moment
from diorama.server.models.play import SeatDecision
from diorama.server.play.decisions import DecisionLog, checked_decision, checked_others
from diorama.server.play.errors import SessionConflict
from diorama.server.play.limits import PlayLimits, checked_cost
from diorama.server.play.origin import Origin
from diorama.server.play.others import OtherSeats
from diorama.server.play.scene import Place, PlayScene
from diorama.server.play.setting import Setting
from diorama.server.play.undo import STRIDE, Bookmark, UndoTrail


class Session:
    """An episode in which one seat is played by hand.

    Attributes:
        setting: Where it is played and by whom.
        scene: The episode as it stands.
        return_total: Sum of the seat's rewards.
        last: The last step; None at the opening.
        origin: The replay it continues, if any.
        memory_bytes: What it holds at most, by what the world declares.
    """

    scene: PlayScene
    last: Moment | None
    return_total: float
    _log: DecisionLog
    _others: OtherSeats
    _trail: UndoTrail

    def __init__(self, setting: Setting, seed: int, limits: PlayLimits, origin: Origin | None = None) -> None:
        """Open the episode of a seed.

        Raises:
            BadValue: By what the world declares, it would cost more than the limits allow.
        """
        self.memory_bytes = checked_cost(setting.venue, limits)
        self.setting = setting
        self.origin = origin
        self._returned_to: list[int] = []
        self._limits = limits
        self._open(seed)

    @property
    def seed(self) -> int:
        """Seed of the episode."""
        return self.scene.seed

    @property
    def steps(self) -> int:
        """Decisions so far."""
        return self.scene.steps

    @property
    def rewrites(self) -> int:
        """How often what had been decided was taken back."""
        return len(self._returned_to)

    def kept_since(self, rewrites: int) -> int:
        """Return how many of the first decisions nobody has taken back since so many rewrites; 0 in a new episode."""
        return min((self.steps, *self._returned_to[rewrites:]))

    @property
    def has_left(self) -> bool:
        """Whether the last step was the last of the seat."""
        seat = self.setting.seat
        return self.last is not None and (self.last.record.terminated[seat] or self.last.record.truncated[seat])

    @property
    def is_over(self) -> bool:
        """Whether nothing more can be decided."""
        return self.scene.is_over or self.has_left

    @property
    def record(self) -> StepRecord:
        """The last step, or the opening."""
        return self.scene.opening if self.last is None else self.last.record

    @property
    def undo_available(self) -> int:
        """How many decisions can be taken back."""
        return self._trail.available(self.steps)

    def reset(self, seed: int, seat: int | None = None) -> None:
        """Open another episode, in another seat if one is named.

        Raises:
            BadValue: There is no such seat.
            ConfigError: Two sides must have seats, and have none in that episode.
        """
        setting = self.setting.for_episode(seed).in_seat(seat)
        checked_cost(setting.venue, self._limits)
        self.setting = setting
        self.scene.close()
        self.origin = None
        self._returned_to.append(0)
        self._open(seed)

    def step(self, action: int | Sequence[int], others: Iterable[SeatDecision] = ()) -> None:
        """Take a decision for the seat; one that the mask rules out is left to the world to judge.

        Args:
            action: What the seat decides.
            others: What other seats decide, instead of whoever plays them.

        Raises:
            ActionRefused: It is no decision of this world.
            EpisodeOver: There is nothing left to decide.
            SessionConflict: The episode has become longer than sessions may be.
        """
        decision = checked_decision(self.setting.spec, action)
        given = checked_others(self.setting.spec, self.setting.seat, others)
        if self.is_over:
            raise EpisodeOver(f"the episode of seed {self.seed} ended after {self.steps} decisions; reset or undo")
        if self.steps >= self._limits.decisions:
            raise SessionConflict(f"an episode of a session has at most {self._limits.decisions} decisions; reset it")
        rows = self._others.decide(self.scene, decision, given)
        moment = self.scene.step(rows)
        self._log.append(rows)
        self._see(moment)

    def undo(self, steps: int) -> None:
        """Take decisions back.

        Raises:
            SessionConflict: Not so many are kept.
        """
        if steps > self.undo_available:
            raise SessionConflict(f"cannot take back {steps} decisions; {self.undo_available} can be taken back now")
        target = self.steps - steps
        bookmark = self._trail.go_back(target)
        self.scene.return_to(bookmark.place)
        self.last, self.return_total = bookmark.last, bookmark.return_total
        self._others.recall(bookmark.others)
        while self.steps < target:
            self._others.watch(self.scene)
            self._see(self.scene.step(self._log.rows(self.steps)))
        self._log.truncate(target)
        self._returned_to.append(target)
        if self.origin is not None:
            self.origin = self.origin.not_after(target - 1)

    def repeat(self, frame: Frame, *, where: str) -> None:
        """Take the step of a recorded frame again.

        Raises:
            DocumentError: The frame does not fit the world.
            ReplayDiverged: It does not come out as it was recorded.
        """
        self._others.watch(self.scene)
        rerun = rerun_frame(self.scene, frame, where=where)
        if rerun.moment is None or rerun.divergence is not None:
            raise ReplayDiverged(f"the replay cannot be continued: {rerun.divergence}")
        self._log.append(action_rows(self.setting.spec, frame.action, where=where))
        self._see(rerun.moment)

    def decisions(self) -> NDArray[np.int32]:
        """Return all decisions so far, steps by seats by heads."""
        return self._log.all()

    def decided(self, step: int) -> I32:
        """Return what was decided in one step, seats by heads."""
        return self._log.rows(step)

    def kept_place(self, step: int) -> Place | None:
        """Return the newest place that undo keeps of those at or before a step, if there is one."""
        return self._trail.place_before(step)

    def close(self) -> None:
        """Free the copy."""
        self.scene.close()

    def _open(self, seed: int) -> None:
        self.scene = PlayScene(self.setting.venue, seed)
        self.last = None
        self.return_total = 0.0
        self._log = DecisionLog(self.setting.spec)
        self._others = OtherSeats(self.setting, self.scene.seed)
        self._trail = UndoTrail(self._bookmark(), limit_bytes=self._limits.undo_bytes)

    def _see(self, moment: Moment) -> None:
        self.last = moment
        self.return_total += moment.record.rewards[self.setting.seat]
        if self.steps % STRIDE == 0 and not self.scene.is_over:
            self._trail.add(self._bookmark())

    def _bookmark(self) -> Bookmark:
        return Bookmark(
            place=self.scene.place(),
            last=self.last,
            return_total=self.return_total,
            others=self._others.remember(),
        )
