"""`NextRollout`: gathers what is learned from next, when it is asked for or while the last is learned from."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass

from diorama.learn.guidance import Guidance
from diorama.learn.parts import Parts
from diorama.learn.ppo.update import Moment
from diorama.learn.rollouts.lane import Acting
from diorama.learn.rollouts.rollout import Rollout
from diorama.learn.workers import use_one_thread


@dataclass(frozen=True, slots=True)
class Gathered:
    """A rollout that has not been learned from, and where in the run it was gathered."""

    rollout: Rollout
    moment: Moment


class NextRollout:
    """Gathers one rollout after another.

    Where learning overlaps, a thread gathers ahead, so that copies step and the device decides while learning is asked
    for and told of.
    """

    def __init__(self, parts: Parts, *, use_masks: bool, first_row: int, overlap: bool) -> None:
        """Gather nothing yet.

        Args:
            parts: Who gathers, and who decides.
            use_masks: Whether options that are masked out are left out of decisions.
            first_row: Number of the first row among those of all processes.
            overlap: Whether to gather ahead; starts the thread.
        """
        self._parts = parts
        self._use_masks = use_masks
        self._first_row = first_row
        self._thread = ThreadPoolExecutor(1, "diorama-ahead", initializer=use_one_thread) if overlap else None
        self._ahead: Gathered | None = None

    def take(self, moment: Moment, guidance: Guidance) -> Gathered:
        """Return the rollout that was gathered ahead; if there is none, gather it now."""
        gathered, self._ahead = self._ahead or self._gather(moment, guidance), None
        return gathered

    @contextmanager
    def gathered_ahead(self, moment: Moment, guidance: Guidance) -> Iterator[None]:
        """Gather ahead during the block, where learning overlaps; it is not left before that is done."""
        if self._thread is None:
            yield
            return
        upcoming = self._thread.submit(self._gather, moment, guidance)
        try:
            yield
        finally:
            wait([upcoming])
        self._ahead = upcoming.result()

    def forget(self) -> None:
        """Drop what was gathered ahead; the copies went elsewhere."""
        self._ahead = None

    def close(self) -> None:
        """End the thread."""
        if self._thread is not None:
            self._thread.shutdown()

    def _gather(self, moment: Moment, guidance: Guidance) -> Gathered:
        acting = Acting(
            seed=moment.seed,
            update=moment.update,
            exploration=moment.exploration,
            use_masks=self._use_masks,
            teacher_share=guidance.teacher_share,
            first_row=self._first_row,
        )
        collector = self._parts.collector
        collector.collect(self._parts.acting_policy, acting)
        return Gathered(collector.rollout, moment)
