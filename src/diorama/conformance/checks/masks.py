"""Masks: every decision has something to choose, and what a mask allows is carried out."""

from typing import Final

import numpy as np

from diorama.conformance.report import Report
from diorama.conformance.subject import OTHER_SEED, SEED, Subject
from diorama.conformance.walking import head_spans, walk
from diorama.contracts.records import Decision
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import U8
from diorama.engine.batch import Batch

_FIX: Final = "write_masks() must leave at least one option of every head open, for the no-op if nothing else"


def check_masks(subject: Subject, report: Report) -> None:
    """Look at the masks of two copies along a walk, and at what became of the decisions taken by them."""
    for tier in subject.tiers:
        batch = subject.opened(tier, (SEED, OTHER_SEED))
        _check_rows(batch, report, tier.value)
        alive = batch.alive.copy()
        for actions in walk(batch):
            _check_taken(batch, report, alive, [tuple(row) for row in actions.tolist()], tier.value)
            _check_rows(batch, report, tier.value)
            alive = batch.alive.copy()
        batch.close()


def relevant_heads(spec: WorldSpec, decision: Decision) -> list[int]:
    """Return the places of the heads that matter to a decision."""
    if spec.relevance is None:
        return list(range(len(spec.heads)))
    names = [head.name for head in spec.heads]
    deciding = names.index(spec.relevance.head)
    further = spec.relevance.heads[decision[deciding]][1]
    return [place for place, name in enumerate(names) if place == deciding or name in further]


def _check_rows(batch: Batch, report: Report, tier: str) -> None:
    for row in range(batch.rows):
        mask, is_alive = batch.masks[row], bool(batch.alive[row])
        if not batch.spec.has_mask:
            report.expect(
                bool(mask.all()) or not is_alive,
                f"{tier} tier: the contract has no mask, and row {row} may not choose everything",
                fix="set has_mask=True, or write ones",
            )
        for head, allowed in zip(batch.spec.heads, _by_head(batch.spec, mask), strict=True):
            report.expect(
                bool(len(allowed)), f"{tier} tier: row {row} is allowed no option of head {head.name!r}", fix=_FIX
            )
            report.expect(
                is_alive or allowed == [head.noop],
                f"{tier} tier: row {row} decides nothing, and its mask allows {allowed} of head {head.name!r}",
                fix=f"a seat that takes no decision is allowed its no-op ({head.noop}) alone",
            )


def _by_head(spec: WorldSpec, mask: U8) -> list[list[int]]:
    return [np.flatnonzero(mask[start:stop]).tolist() for start, stop in head_spans(spec)]


def _check_taken(batch: Batch, report: Report, alive: U8, decisions: list[Decision], tier: str) -> None:
    spec = batch.spec
    for copy in range(batch.copies):
        record = batch.step_record(copy)
        for seat in range(spec.agents):
            row = copy * spec.agents + seat
            received, effective = record.received[seat], record.effective[seat]
            if not alive[row]:
                continue
            if received != decisions[row] or effective is None:
                report.fail(
                    f"{tier} tier: seat {seat} sent {decisions[row]}, and the record has received {received} "
                    f"and effective {effective}",
                    fix="received is what the seat sent, effective what was carried out",
                )
                continue
            wrong = [
                spec.heads[place].name
                for place in relevant_heads(spec, decisions[row])
                if effective[place] != decisions[row][place]
            ]
            report.expect(
                not wrong,
                f"{tier} tier: the mask allowed {decisions[row]} and {effective} was carried out ({', '.join(wrong)})",
                fix="allow only what will be carried out, and report in `effective` what was",
            )
