"""Steps in words: names instead of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diorama.contracts.records import Decision, StepRecord
    from diorama.contracts.spec import WorldSpec
    from diorama.contracts.values import JsonObject, JsonValue


def decision_label(spec: WorldSpec, decision: Decision | None) -> str:
    """Name the options of a decision, one per head; an option that does not exist keeps its number."""
    if decision is None:
        return "-"
    labels = [
        head.options[option] if 0 <= option < len(head.options) else str(option)
        for head, option in zip(spec.heads, decision, strict=True)
    ]
    return " + ".join(labels)


def action_words(spec: WorldSpec, record: StepRecord, seat: int) -> str:
    """Say what a seat asked for and, where that was impossible, what was done instead."""
    received, effective = (decision_label(spec, side[seat]) for side in (record.received, record.effective))
    return received if received == effective else f"{received} -> {effective}"


def events_words(record: StepRecord) -> str:
    """List the events of a step with their payloads."""
    return ", ".join(
        f"{name} ({payload_words(record.event_data[name])})" if name in record.event_data else name
        for name in record.events
    )


def payload_words(payload: JsonObject) -> str:
    """Write a payload as `key value` pairs."""
    return ", ".join(f"{key} {value_words(value)}" for key, value in payload.items())


def value_words(value: JsonValue) -> str:
    """Write a plain value for people: whole numbers as such, others to two places, nothing as a dash."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() else f"{value:,.2f}"
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return f"({payload_words(value)})"
    if isinstance(value, Sequence):
        return f"[{' '.join(value_words(item) for item in value)}]"
    return str(value)
