"""Seats: whoever plays is told once that its episode is over, and gets nothing after that."""

import numpy as np
from numpy.typing import NDArray

from diorama.conformance.report import Report
from diorama.conformance.subject import OTHER_SEED, SEED, Subject
from diorama.conformance.walking import walk
from diorama.contracts.values import U8
from diorama.engine.batch import Batch

Flags = NDArray[np.bool_]


def check_seats(subject: Subject, report: Report) -> None:
    """Follow every seat of two copies along a walk, in every tier."""
    for tier in subject.tiers:
        batch = subject.opened(tier, (SEED, OTHER_SEED))
        _Follower(batch, report, tier.value).follow()
        batch.close()


class _Follower:
    """Knows of every row whether it plays, has ended, or never played in the episode of its copy."""

    def __init__(self, batch: Batch, report: Report, tier: str) -> None:
        self._batch, self._report, self._tier = batch, report, tier
        self._plays = batch.alive == 1
        self._has_ended = np.zeros(batch.rows, bool)

    def follow(self) -> None:
        """Walk, and compare each step with what came before it."""
        batch = self._batch
        self._check_single(batch.alive)
        seeds = [batch.episode_seed(copy) for copy in range(batch.copies)]
        has_forgotten, steps = 0, 0
        for _ in walk(batch):
            now = [batch.episode_seed(copy) for copy in range(batch.copies)]
            begins = np.repeat([one != other for one, other in zip(seeds, now, strict=True)], batch.spec.agents)
            ends = (batch.terminated | batch.truncated) == 1
            self._check_rows(ends, begins)
            running = ~begins & ~ends & (batch.alive == 1)
            steps += int(running.any())
            has_forgotten += int(running.any() and bool(batch.episode_start[running].all()))
            self._note_rows(ends, begins)
            self._check_single(batch.alive)
            seeds = now
        self._report.expect(
            steps < 2 or has_forgotten < steps,
            f"{self._tier} tier: every step of every seat is marked as the start of an episode",
            fix="write_episode_starts() writes 1 only where somebody new took the seat; zeros, for most worlds",
        )

    def _check_rows(self, ends: Flags, begins: Flags) -> None:
        batch = self._batch
        goes_on = (batch.alive == 1) & (batch.episode_start == 0) & ~begins
        for row in range(batch.rows):
            where = f"{self._tier} tier: row {row}"
            self._report.expect(
                not (self._has_ended[row] and (ends[row] or batch.rewards[row] != 0)),
                f"{where} ended before, and is paid or told its end again",
                fix="a seat that has ended gets no reward, and neither flag, until somebody new takes it",
            )
            self._report.expect(
                not (ends[row] and goes_on[row]),
                f"{where} was told that its episode is over, and decides on",
                fix="set a flag only in the last step of a seat; write_alive() gives it 0 from then on",
            )
            self._report.expect(
                not (begins[row] and self._plays[row] and not ends[row]),
                f"{where} played, and its copy began anew without telling it the end",
                fix="every seat that plays is terminated or truncated once: when it ends, or in the copy's last step",
            )

    def _note_rows(self, ends: Flags, begins: Flags) -> None:
        opens = begins | (self._batch.episode_start == 1)
        self._has_ended = (self._has_ended | ends) & ~opens
        self._plays = ((self._plays & ~ends) & ~begins) | (self._batch.alive == 1)

    def _check_single(self, alive: U8) -> None:
        self._report.expect(
            self._batch.spec.agents > 1 or bool(alive.all()),
            f"{self._tier} tier: the only seat of a copy does not decide",
            fix="write_alive() writes 1 in a world of one seat; what needs no decision passes within a step",
        )
