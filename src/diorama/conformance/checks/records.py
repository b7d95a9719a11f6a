"""Step records: of the types they promise, with one entry for every seat, and with names that the contract has."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from diorama.conformance.report import Report
from diorama.contracts.records import StepRecord
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import JsonObject, canonical_json

PER_SEAT: Final = ("received", "effective", "rewards", "reward_terms", "terminated", "truncated", "metrics")
_LARGEST_REWARD: Final = float(np.finfo(np.float32).max)
_MOST_TICKS: Final = 65_535  # a batch counts the ticks of a step in 16 bits


def check_record(spec: WorldSpec, report: Report, record: object, where: str) -> bool:
    """Look at a record of a step or of an opening; returns whether it is of the form that others rely on."""
    if not isinstance(record, StepRecord):
        report.fail(
            f"{where} returned a {type(record).__name__}",
            fix="return a diorama.contracts.records.StepRecord",
        )
        return False
    has_form = all(_check_seats(spec, report, record, name, where) for name in PER_SEAT)
    if not has_form:
        return False
    _check_numbers(spec, report, record, where)
    if not _check_events(spec, report, record, where) or not _check_ticks(report, record, where):
        return False
    _check_json(report, {"info": record.info, "event_data": record.event_data}, where)
    report.expect(
        isinstance(record.draws, int) and record.draws >= 0,
        f"{where}: draws is {record.draws!r}",
        fix="count the random numbers drawn since the seed; Pcg32.draws does",
    )
    return True


def check_opening(report: Report, record: StepRecord, where: str) -> None:
    """Look at a record of an episode that has not been stepped: nothing has happened yet."""
    seats = range(len(record.received))
    is_empty = all(
        record.received[seat] is None
        and record.effective[seat] is None
        and record.rewards[seat] == 0
        and not record.terminated[seat]
        and not record.truncated[seat]
        for seat in seats
    )
    report.expect(
        is_empty and record.dt == 0,
        f"{where} tells of decisions, rewards, an end, or of {record.dt} ticks",
        fix="before the first step decisions are None, rewards 0, flags False and dt 0",
    )


def check_step(report: Report, record: StepRecord, where: str) -> None:
    """Look at the record of a step that was taken."""
    report.expect(record.dt >= 1, f"{where} took {record.dt} ticks", fix="let every step take a tick or more")
    for seat, (reward, terms) in enumerate(zip(record.rewards, record.reward_terms, strict=True)):
        total = sum(terms.values())
        report.expect(
            not terms or math.isclose(total, reward, rel_tol=1e-6, abs_tol=1e-6),
            f"{where}: seat {seat} got {reward:g}, and its reward terms add up to {total:g}",
            fix="let the terms be the parts of the reward",
        )
    report.expect(
        not any(one and other for one, other in zip(record.terminated, record.truncated, strict=True)),
        f"{where}: a row is both terminated and truncated",
        fix="an episode ends by its rules or by the limit, not by both",
    )


def _check_seats(spec: WorldSpec, report: Report, record: StepRecord, name: str, where: str) -> bool:
    entries = getattr(record, name)
    is_right = isinstance(entries, Sequence) and not isinstance(entries, str) and len(entries) == spec.agents
    shown = f"{len(entries)} entries" if isinstance(entries, Sequence) else f"a {type(entries).__name__}"
    report.expect(
        is_right,
        f"{where}: {name} is {shown} for {spec.agents} seats",
        fix="give one entry for every seat, in seat order, as a tuple: ((2.5,),), not (2.5,) or 2.5",
    )
    return is_right and all(_check_entry(spec, report, name, entry, where) for entry in entries)


def _check_entry(spec: WorldSpec, report: Report, name: str, entry: object, where: str) -> bool:
    match name:
        case "received" | "effective":
            is_right, wanted = entry is None or _is_decision(spec, entry), f"None or {len(spec.heads)} whole numbers"
        case "rewards":
            is_right, wanted = _is_number(entry), "a Python float"
        case "terminated" | "truncated":
            is_right, wanted = isinstance(entry, bool), "True or False"
        case "metrics":
            is_right = isinstance(entry, Sequence) and not isinstance(entry, str) and all(map(_is_number, entry))
            is_right = is_right and len(entry) == len(spec.metrics)  # type: ignore[arg-type] # a sequence, by the line above
            wanted = f"{len(spec.metrics)} Python floats, in the order of the contract"
        case _:
            is_right = isinstance(entry, dict) and all(map(_is_number, entry.values()))
            wanted = "a dictionary of Python floats; {} where there is nothing to tell"
    return report.expect(
        is_right,
        f"{where}: an entry of {name} is {entry!r} ({type(entry).__name__})",
        fix=f"give {wanted}; float(...), int(...) and bool(...) turn numpy's numbers into Python's",
    )


def _is_decision(spec: WorldSpec, entry: object) -> bool:
    return (
        isinstance(entry, tuple)
        and len(entry) == len(spec.heads)
        and all(isinstance(option, int) and not isinstance(option, bool) for option in entry)
    )


def _is_number(value: object) -> bool:
    # numpy.float64 is a float, too, and is written like one.
    return isinstance(value, float | int) and not isinstance(value, bool)


def _check_numbers(spec: WorldSpec, report: Report, record: StepRecord, where: str) -> None:
    report.expect(
        all(abs(reward) <= _LARGEST_REWARD for reward in record.rewards),
        f"{where}: the rewards are {record.rewards}",
        fix="pay finite rewards that float32 can hold",
    )
    for seat, metrics in enumerate(record.metrics):
        report.expect(
            all(map(math.isfinite, metrics)),
            f"{where}: the metrics of seat {seat} are {metrics}",
            fix=f"give {len(spec.metrics)} finite numbers, in the order of the contract",
        )


def _check_events(spec: WorldSpec, report: Report, record: StepRecord, where: str) -> bool:
    if not report.expect(
        isinstance(record.events, tuple),
        f"{where}: events is {record.events!r}",
        fix="give a tuple of names, () for none",
    ):
        return False
    unknown = [name for name in record.events if name not in spec.event_names]
    if not report.expect(
        not unknown, f"{where}: events {unknown} are not in the contract", fix="add them to WorldSpec.events"
    ):
        return False
    report.expect(
        set(record.event_data) <= set(record.events),
        f"{where}: event data of {sorted(set(record.event_data) - set(record.events))}, which did not happen",
        fix="give data only of events of the step",
    )
    payloads = {kind.name: set(kind.payload) for kind in spec.events}
    for name in dict.fromkeys(record.events):
        for given in _payloads(record.event_data.get(name, {}), payloads[name]):
            report.expect(
                not payloads[name] or bool(payloads[name] & set(given)),
                f"{where}: event {name!r} carries {', '.join(sorted(given)) or 'nothing'}",
                fix=f"its EventKind.payload promises {', '.join(sorted(payloads[name]))}: put that into event_data",
            )
    return True


def _payloads(data: JsonObject, promised: set[str]) -> Sequence[JsonObject]:
    """Return one payload for each time the event happened: `records` where a step may have it several times."""
    records = data.get("records")
    return records if isinstance(records, list) and "records" not in promised else (data,)


def _check_ticks(report: Report, record: StepRecord, where: str) -> bool:
    return report.expect(
        isinstance(record.dt, int) and 0 <= record.dt <= _MOST_TICKS,
        f"{where} took {record.dt!r} ticks",
        fix=f"dt is a whole number: 0 for an opening, 1..{_MOST_TICKS} for a step",
    )


def _check_json(report: Report, told: JsonObject, where: str) -> None:
    try:
        canonical_json(told)
    except (TypeError, ValueError) as error:
        report.fail(
            f"{where}: info or event_data is no JSON ({error})",
            fix="use Python's own numbers, texts, lists and dictionaries; float(...) and .tolist() make them",
        )
