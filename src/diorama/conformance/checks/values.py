"""Values: what a batch writes and what a step record tells are finite, in bounds and agree."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from diorama.conformance.checks.records import check_opening, check_record, check_step
from diorama.conformance.report import Report
from diorama.conformance.subject import Subject
from diorama.conformance.walking import walk
from diorama.contracts.records import StepRecord
from diorama.contracts.spec import Dtype, WorldSpec
from diorama.contracts.values import F32, U8
from diorama.engine.batch import Batch

_SLACK: Final = 1e-6  # float32 may round a bound


def check_values(subject: Subject, report: Report) -> None:
    """Look at everything after every step of a walk, in every tier."""
    for tier in subject.tiers:
        batch = subject.opened(tier)
        _look(batch, report, tier.value)
        opening = batch.opening_record(0)
        if check_record(batch.spec, report, opening, f"{tier.value} tier: opening_record()"):
            check_opening(report, opening, f"{tier.value} tier: opening_record()")
        for _ in walk(batch):
            _look(batch, report, tier.value)
            record = batch.step_record(0)
            if check_record(batch.spec, report, record, f"{tier.value} tier: a step"):
                check_step(report, record, f"{tier.value} tier: a step")
                _check_outcome(batch, report, record, tier.value)
        batch.close()


def strays(spec: WorldSpec, obs: F32, obs_u8: U8) -> Iterator[str]:
    """Yield a line for every observation field that is not finite or leaves its bounds; rows × width of each dtype."""
    for item in spec.observation:
        rows = obs if item.dtype is Dtype.FLOAT32 else obs_u8
        block = rows[:, item.start : item.stop].astype(np.float64)
        if not np.isfinite(block).all():
            yield f"observation field {item.name!r} is not finite"
        elif block.size and (block.min() < item.low - _SLACK or block.max() > item.high + _SLACK):
            seen = f"{block.min():g}..{block.max():g}"
            yield f"observation field {item.name!r} is {seen}, outside of its bounds {item.low:g}..{item.high:g}"


def _look(batch: Batch, report: Report, tier: str) -> None:
    deciding = batch.alive == 1
    for stray in strays(batch.spec, batch.obs[deciding], batch.obs_u8[deciding]):
        report.fail(f"{tier} tier: {stray}", fix="clip it, or declare the bounds it has")
    for name in ("terminated", "truncated", "alive", "episode_start", "masks"):
        values = getattr(batch, name)
        report.expect(
            bool((values <= 1).all()), f"{tier} tier: {name} has other values than 0 and 1", fix="write 0 or 1"
        )


def _check_outcome(batch: Batch, report: Report, record: StepRecord, tier: str) -> None:
    report.expect(
        np.array_equal(np.array(record.rewards, np.float32), batch.rewards, equal_nan=True),
        f"{tier} tier: the step record tells other rewards than the buffer",
        fix="write the rewards of the record, as float32",
    )
