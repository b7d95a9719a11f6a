"""Refusals: options that are masked or do not exist do what the contract says they do."""

from dataclasses import dataclass

import numpy as np

from diorama.conformance.report import Report
from diorama.conformance.subject import Subject
from diorama.conformance.walking import head_spans, walk
from diorama.contracts.errors import UnknownOption
from diorama.contracts.tiers import Tier
from diorama.contracts.values import I32
from diorama.engine.batch import Batch


@dataclass(frozen=True, slots=True, kw_only=True)
class _Masked:
    row: int
    head: int
    option: int


def check_refused_decisions(subject: Subject, report: Report) -> None:
    """Ask for what does not exist, and for what is masked."""
    for tier in subject.tiers:
        for option in (-1, max(len(head.options) for head in subject.spec.heads)):
            _check_unknown(subject, report, tier, option)
        _check_masked(subject, report, tier)


def _check_unknown(subject: Subject, report: Report, tier: Tier, option: int) -> None:
    batch = subject.opened(tier)
    before, actions = batch.state_hash(0), _noops(batch)
    actions[np.flatnonzero(batch.alive)[0]] = option
    refused = False
    try:
        batch.step(actions)
    except UnknownOption:
        refused = True
    if subject.spec.rejects_unknown_options:
        report.expect(
            refused and batch.state_hash(0) == before,
            f"{tier.value} tier: option {option} does not exist, and was not refused before anything moved",
            fix="rejects_unknown_options promises UnknownOption, and a state that is as before",
        )
    else:
        report.expect(
            not refused,
            f"{tier.value} tier: option {option} does not exist and was refused with UnknownOption",
            fix="judge it in step() as an invalid decision, or set rejects_unknown_options=True",
        )
    batch.close()


def _check_masked(subject: Subject, report: Report, tier: Tier) -> None:
    if not subject.spec.has_mask:
        return
    batch = subject.opened(tier)
    masked = _find_masked(batch)
    for _ in walk(batch) if masked is None else ():
        masked = _find_masked(batch)
        if masked is not None:
            break
    if masked is None:
        report.note(f"{tier.value}: everything was allowed all the time")
    else:
        _ask_for(batch, report, masked, tier)
    batch.close()


def _ask_for(batch: Batch, report: Report, masked: _Masked, tier: Tier) -> None:
    spec, kept, before = batch.spec, batch.snapshot(0), batch.state_hash(0)
    name = f"{spec.heads[masked.head].options[masked.option]!r} of head {spec.heads[masked.head].name!r}"
    actions = _noops(batch)
    batch.step(actions)
    idle = batch.state_hash(0)
    batch.restore_all([kept])
    actions[masked.row, masked.head] = masked.option
    try:
        batch.step(actions)
    except UnknownOption:
        report.expect(
            batch.state_hash(0) == before,
            f"{tier.value} tier: the masked option {name} was refused, and something moved",
            fix="refuse a decision before anything is stepped",
        )
        return
    record, sent = batch.step_record(0), tuple(actions[masked.row].tolist())
    received, effective = record.received[masked.row], record.effective[masked.row]
    report.expect(
        received == sent,
        f"{tier.value} tier: {sent} was sent, and the record has received {received}",
        fix="received is what the seat sent, also where something else is carried out",
    )
    is_replaced = effective is None or effective[masked.head] != masked.option
    report.expect(
        is_replaced or batch.state_hash(0) == idle,
        f"{tier.value} tier: the mask forbids {name}, and it was carried out",
        fix="replace it (by the no-op, say) and tell so in `effective`, give it no effect, or allow it",
    )


def _find_masked(batch: Batch) -> _Masked | None:
    for row in np.flatnonzero(batch.alive).tolist():
        for head, (start, stop) in enumerate(head_spans(batch.spec)):
            closed = np.flatnonzero(batch.masks[row, start:stop] == 0).tolist()
            if closed:
                return _Masked(row=row, head=head, option=closed[0])
    return None


def _noops(batch: Batch) -> I32:
    return np.tile(np.array(batch.spec.noop, np.int32), (batch.rows, 1))
