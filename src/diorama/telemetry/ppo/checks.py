"""What is wrong with one PPO telemetry record."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from reprlib import repr as short_repr
from typing import TypeGuard

from diorama.contracts.values import JsonValue
from diorama.telemetry.ppo.fields import (
    BASELINE_FIELDS,
    BASELINE_OPTIONAL_FIELDS,
    DATA_MODES,
    REQUIRED_FIELDS,
    VERSION_FIELD,
    WHOLE_NUMBER_FIELDS,
    PpoVersion,
    is_added,
    is_known,
)


class Severity(StrEnum):
    """Whether a problem makes the record invalid."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a record."""

    severity: Severity
    message: str


def check_record(record: Mapping[str, JsonValue], *, is_strict: bool = False) -> tuple[Problem, ...]:
    """Return everything that is wrong, errors first.

    Args:
        record: One line of a log, parsed.
        is_strict: Whether an unknown field is an error instead of a warning.
    """
    version = record_version(record)
    if version is None:
        given = short_repr(record[VERSION_FIELD]) if VERSION_FIELD in record else "missing"
        return (Problem(Severity.ERROR, f"{VERSION_FIELD} is {given}; it must be the number 1.0 or 1.1"),)
    unknown_severity = Severity.ERROR if is_strict else Severity.WARNING
    return (
        *(Problem(Severity.ERROR, message) for message in _errors(record, version)),
        *(Problem(unknown_severity, f"{field} is no field of any version") for field in record if not is_known(field)),
    )


def record_version(record: Mapping[str, JsonValue]) -> PpoVersion | None:
    """Return the version a record says it has; None where it says nothing that is known."""
    stated = record.get(VERSION_FIELD)
    if not is_number(stated):
        return None
    return next((version for version in PpoVersion if version.value == stated), None)


def is_number(value: JsonValue) -> TypeGuard[int | float]:
    """Whether a value is a finite number that binary64 can hold; true and false are none."""
    largest = sys.float_info.max
    return isinstance(value, int | float) and not isinstance(value, bool) and -largest <= value <= largest


def _errors(record: Mapping[str, JsonValue], version: PpoVersion) -> Iterator[str]:
    required = REQUIRED_FIELDS[version]
    for field in required:
        if field not in record:
            yield f"{field} is missing; version {version.value} requires it"
    if version is PpoVersion.V1_0:
        for field in filter(is_added, record):
            yield f"{field} belongs to version 1.1; a record of version 1.0 is not upgraded in part"
    for field, value in record.items():
        if is_known(field):
            yield from _value_errors(field, value)
    yield from _baseline_errors(record)


def _value_errors(field: str, value: JsonValue) -> Iterator[str]:
    if field == "data_mode":
        if value not in DATA_MODES:
            yield f"data_mode is {short_repr(value)}; it must be one of {', '.join(DATA_MODES)}"
    elif not is_number(value):
        yield f"{field} is {short_repr(value)}; it must be a finite number"
    elif field in WHOLE_NUMBER_FIELDS and (value < 0 or value != int(value)):
        yield f"{field} is {short_repr(value)}; it must be a whole number of 0 or more"


def _baseline_errors(record: Mapping[str, JsonValue]) -> Iterator[str]:
    has_any = any(field in record for field in (*BASELINE_FIELDS, *BASELINE_OPTIONAL_FIELDS))
    missing = [field for field in BASELINE_FIELDS if field not in record]
    if has_any and missing:
        yield f"{', '.join(missing)} missing; the baseline fields stand together or not at all"
