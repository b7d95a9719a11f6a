"""The `info` dictionary of a single environment, from a step record."""

from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.spec import WorldSpec

NO_ACTION = -1  # what `action` and `action_received` read at a reset


def info_of(spec: WorldSpec, record: StepRecord) -> dict[str, object]:
    """Return the metrics by name, what was done, what happened and the world's further keys, for seat 0."""
    return {
        **dict(zip(spec.metric_keys, record.metrics[0], strict=True)),
        "action": _shown(record.effective[0]),
        "action_received": _shown(record.received[0]),
        "dt": record.dt,
        "terminated": record.terminated[0],
        "truncated": record.truncated[0],
        "events": list(record.events),
        "event_data": dict(record.event_data),
        **record.info,
    }


def _shown(decision: Decision | None) -> int | list[int]:
    if decision is None:
        return NO_ACTION
    return decision[0] if len(decision) == 1 else list(decision)
