"""The `info` dictionary of a single environment, from a step record."""

from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.spec import WorldSpec

NO_ACTION = -1  # what `action` and `action_received` read at a reset


def info_of(spec: WorldSpec, record: StepRecord, seat: int = 0) -> dict[str, object]:
    """Return the metrics by name, what was done, what happened and the world's further keys, for one seat."""
    return {
        **dict(zip(spec.metric_keys, record.metrics[seat], strict=True)),
        "action": _shown(record.effective[seat]),
        "action_received": _shown(record.received[seat]),
        "dt": record.dt,
        "terminated": record.terminated[seat],
        "truncated": record.truncated[seat],
        "events": list(record.events),
        "event_data": dict(record.event_data),
        **record.info,
    }


def _shown(decision: Decision | None) -> int | list[int]:
    if decision is None:
        return NO_ACTION
    return decision[0] if len(decision) == 1 else list(decision)
