"""Values: what a batch writes and what a step record tells are finite, in bounds and agree."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from diorama.conformance.report import Report
from diorama.conformance.subject import Subject
from diorama.conformance.walking import walk
from diorama.contracts.records import StepRecord
from diorama.contracts.spec import Dtype, WorldSpec
from diorama.contracts.values import F32, U8, canonical_json
from diorama.engine.batch import Batch

_SLACK: Final = 1e-6  # float32 may round a bound


def check_values(subject: Subject, report: Report) -> None:
    """Look at everything after every step of a walk, in every tier."""
    for tier in subject.tiers:
        batch = subject.opened(tier)
        _look(batch, report, batch.opening_record(0), tier.value)
        for _ in walk(batch):
            _look(batch, report, batch.step_record(0), tier.value)
            _check_outcome(batch, report, batch.step_record(0), tier.value)
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


def _look(batch: Batch, report: Report, record: StepRecord, tier: str) -> None:
    deciding = batch.alive == 1
    for stray in strays(batch.spec, batch.obs[deciding], batch.obs_u8[deciding]):
        report.fail(f"{tier} tier: {stray}", fix="clip it, or declare the bounds it has")
    for name in ("terminated", "truncated", "alive", "episode_start", "masks"):
        values = getattr(batch, name)
        report.expect(
            bool((values <= 1).all()), f"{tier} tier: {name} has other values than 0 and 1", fix="write 0 or 1"
        )
    _check_record(batch, report, record, tier)


def _check_record(batch: Batch, report: Report, record: StepRecord, tier: str) -> None:
    spec = batch.spec
    for name in ("received", "effective", "rewards", "reward_terms", "terminated", "truncated", "metrics"):
        count = len(getattr(record, name))
        report.expect(
            count == spec.agents,
            f"{tier} tier: the step record has {count} {name} for {spec.agents} seats",
            fix="give one entry for every seat, in seat order",
        )
    for seat, metrics in enumerate(record.metrics):
        report.expect(
            len(metrics) == len(spec.metrics) and all(map(math.isfinite, metrics)),
            f"{tier} tier: the metrics of seat {seat} are {metrics}",
            fix=f"give {len(spec.metrics)} finite numbers, in the order of the contract",
        )
    unknown = [name for name in record.events if name not in spec.event_names]
    report.expect(
        not unknown, f"{tier} tier: events {unknown} are not in the contract", fix="add them to WorldSpec.events"
    )
    report.expect(
        set(record.event_data) <= set(record.events),
        f"{tier} tier: event data of {sorted(set(record.event_data) - set(record.events))}, which did not happen",
        fix="give data only of events of the step",
    )
    canonical_json({"info": record.info, "event_data": record.event_data})


def _check_outcome(batch: Batch, report: Report, record: StepRecord, tier: str) -> None:
    report.expect(
        isinstance(record.dt, int) and record.dt >= 1, f"{tier} tier: a step took {record.dt} ticks", fix="1 or more"
    )
    report.expect(
        all(map(math.isfinite, record.rewards)),
        f"{tier} tier: the rewards are {record.rewards}",
        fix="pay finite rewards",
    )
    report.expect(
        np.array_equal(np.array(record.rewards, np.float32), batch.rewards),
        f"{tier} tier: the step record tells other rewards than the buffer",
        fix="write the rewards of the record, as float32",
    )
    for seat, (reward, terms) in enumerate(zip(record.rewards, record.reward_terms, strict=False)):
        report.expect(
            not terms or math.isclose(sum(terms.values()), reward, rel_tol=1e-6, abs_tol=1e-6),
            f"{tier} tier: seat {seat} got {reward:g}, and its reward terms add up to {sum(terms.values()):g}",
            fix="let the terms be the parts of the reward",
        )
    report.expect(
        not (batch.terminated & batch.truncated).any(),
        f"{tier} tier: a row is both terminated and truncated",
        fix="an episode ends by its rules or by the limit, not by both",
    )
