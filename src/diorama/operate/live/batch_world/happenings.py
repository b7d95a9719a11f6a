"""What happens in a batch, as live events: the world's own, and the end of an episode."""

from collections.abc import Iterator

from diorama.contracts.live.events import EventField, EventKind, LiveEvent, Priority
from diorama.contracts.records import StepRecord
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import JsonObject

EPISODE_OVER = "episode_over"
_EPISODE_FIELDS: tuple[tuple[str, JsonObject], ...] = (
    ("episode", {"type": "integer", "minimum": 0}),
    ("seed", {"type": "string"}),  # more digits than the numbers of a browser hold
    ("reason", {"type": ["string", "null"]}),
    ("metrics", {"type": "object", "additionalProperties": {"type": "number"}}),
)


def catalogue(spec: WorldSpec) -> tuple[EventKind, ...]:
    """Return the kinds of events that a world's batch can raise."""
    own = tuple(
        EventKind(
            name=kind.name,
            priority=_priority(spec, kind.name),
            fields=tuple(EventField(name=name, schema={}) for name in kind.payload),
        )
        for kind in spec.events
    )
    ending = EventKind(
        name=EPISODE_OVER,
        priority=Priority.P0,
        fields=tuple(EventField(name=name, schema=schema) for name, schema in _EPISODE_FIELDS),
    )
    return (*own, ending)


def step_events(spec: WorldSpec, record: StepRecord, tick: int) -> Iterator[LiveEvent]:
    """Yield what happened in a step, in order."""
    payloads = {kind.name: kind.payload for kind in spec.events}
    for name in record.events:
        data = record.event_data.get(name, {})
        yield LiveEvent(
            name=name,
            tick=tick,
            priority=_priority(spec, name),
            fields={field: data.get(field) for field in payloads[name]},
        )


def end_of_episode(spec: WorldSpec, record: StepRecord, *, tick: int, episode: int, seed: int) -> LiveEvent:
    """Return the event of an episode that ended with a step."""
    reasons = (reason for name, reason in spec.end_events if name in record.events)
    return LiveEvent(
        name=EPISODE_OVER,
        tick=tick,
        priority=Priority.P0,
        fields={
            "episode": episode,
            "seed": str(seed),
            "reason": next(reasons, None),
            "metrics": mean_metrics(spec, record),
        },
    )


def mean_metrics(spec: WorldSpec, record: StepRecord) -> dict[str, float]:
    """Return every metric of a step as the mean over the seats."""
    seats = len(record.metrics)
    return {key: sum(row[place] for row in record.metrics) / seats for place, key in enumerate(spec.metric_keys)}


def _priority(spec: WorldSpec, name: str) -> Priority:
    return Priority.P0 if any(name == ending for ending, _ in spec.end_events) else Priority.P1
