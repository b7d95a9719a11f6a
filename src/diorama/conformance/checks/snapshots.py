"""Snapshots: a copy goes on from one as if nothing had happened, also in the other tier."""

import time
from dataclasses import dataclass
from typing import Final

import numpy as np

from diorama.conformance.report import Report
from diorama.conformance.subject import OTHER_SEED, Subject
from diorama.conformance.walking import WALK_SECONDS, Moment, moment_of, short_walk, walk
from diorama.contracts.tiers import Tier
from diorama.contracts.values import I32

_LEAD_STEPS: Final = 17
_EVERY: Final = 4
_FIX: Final = "keep everything that decides the future in the snapshot: random streams, timers, what is pending"
_SECONDS: Final = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Course:
    """A snapshot, what its copy shows, and what came after it."""

    data: bytes
    start: Moment
    actions: list[I32]
    moments: list[Moment]


def check_snapshots(subject: Subject, report: Report) -> None:
    """Take a snapshot in the middle of an episode and go on from it elsewhere."""
    for tier in subject.tiers:
        course = _run_on(subject, tier)
        report.expect(
            course.data.startswith(subject.spec.snapshot_magic),
            f"{tier.value} tier: a snapshot begins with {course.data[:4]!r}",
            fix=f"it must begin with the contract's {subject.spec.snapshot_magic!r}",
        )
        _check_along(subject, report, tier)
        for other in subject.tiers:
            _check_going_on(subject, report, course, tier, other)
        report.note(f"{tier.value}: {len(course.data):,} bytes, compared over {len(course.actions)} decisions")


def _run_on(subject: Subject, tier: Tier) -> _Course:
    batch = subject.opened(tier)
    for _ in short_walk(batch, steps=_LEAD_STEPS, seconds=_SECONDS):
        pass
    data, start = batch.snapshot(0), moment_of(batch)
    actions, moments = list[I32](), list[Moment]()
    for taken in walk(batch, seed=1):
        actions.append(taken)
        moments.append(moment_of(batch))
    batch.close()
    return _Course(data=data, start=start, actions=actions, moments=moments)


def _check_along(subject: Subject, report: Report, tier: Tier) -> None:
    """Have another copy go on from a snapshot again and again, all along a walk."""
    batch, other = subject.opened(tier), subject.opened(tier, (OTHER_SEED,))
    other.restore_all([batch.snapshot(0)])
    for step, actions in enumerate(walk(batch)):
        other.step(actions)
        differs = moment_of(batch).differs_in(moment_of(other))
        if differs:
            report.fail(f"{tier.value} tier: a snapshot goes on with another {differs} at step {step}", fix=_FIX)
            break
        if step % _EVERY == 0:
            other.restore_all([batch.snapshot(0)])
    batch.close()
    other.close()


def _check_going_on(subject: Subject, report: Report, course: _Course, tier: Tier, other: Tier) -> None:
    where = f"a snapshot of the {tier.value} tier in the {other.value} tier"
    tolerance = subject.world.tolerance if tier is not other else 0.0
    batch = subject.opened(other, (OTHER_SEED,))
    batch.restore_all([course.data])
    differs = _differs(course.start, moment_of(batch), tolerance, is_opening=True)
    report.expect(
        not differs,
        f"{where} shows another {differs}",
        fix="snapshot_words() and load_words() must hold all that the copy is",
    )
    # Tiers that agree within a tolerance drift apart: what they promise is about one decision.
    compared, until = 1 if tolerance else len(course.actions), time.monotonic() + WALK_SECONDS
    for step, (taken, before) in enumerate(zip(course.actions[:compared], course.moments, strict=False)):
        batch.step(taken)
        differs = _differs(before, moment_of(batch), tolerance)
        if differs:
            report.fail(
                f"{where} goes on with another {differs} after {step + 1} decisions",
                fix=_FIX,
            )
            break
        if time.monotonic() > until:
            break
    batch.close()


def _differs(before: Moment, now: Moment, tolerance: float, *, is_opening: bool = False) -> str:
    """Name what differs; the flags and rewards of the step before a snapshot are no part of it."""
    names = ["masks", "obs_u8"] + ([] if is_opening else ["flags", "happened"])
    exact = [*names, "state_hash", "obs", *([] if is_opening else ["rewards", "metrics"])]
    for name in names if tolerance else exact:
        if getattr(before, name) != getattr(now, name):
            return name.replace("_", " ")
    for name in ("obs", "rewards") if tolerance and not is_opening else ():
        one, other = (np.frombuffer(getattr(moment, name), np.float32) for moment in (before, now))
        if not np.allclose(one, other, rtol=tolerance, atol=tolerance):
            return name
    return ""
