"""Events and narrations as messages tell them."""

from dataclasses import dataclass, field
from typing import Final

import msgspec

from diorama.contracts.live.events import LiveEvent, Narration, Priority
from diorama.telemetry.live.merge_patch import JsonDict
from diorama.telemetry.live.plain_values import plain

_encoder: Final = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldEvent:
    """An event on its way out; `size_bytes` is that of its JSON."""

    name: str
    priority: Priority
    line: JsonDict
    size_bytes: int = field(init=False)

    def __post_init__(self) -> None:
        """Weigh it."""
        object.__setattr__(self, "size_bytes", len(_encoder.encode(self.line)))

    def with_line(self, line: JsonDict) -> "ToldEvent":
        """The same event in other words."""
        return ToldEvent(name=self.name, priority=self.priority, line=line)


def event_line(event: LiveEvent, seq_in_tick: int) -> JsonDict:
    """An event as one flat object; a field of the catalogue that is called `tick` stands for itself."""
    line: JsonDict = {"event": event.name, "tick": event.tick, "seq_in_tick": seq_in_tick}
    line["priority"] = event.priority.name
    for name, value in event.fields.items():
        line[name] = plain(value)
    return line


def narration_line(narration: Narration) -> JsonDict:
    """A narration as one object."""
    return {
        "tick": narration.tick,
        "category": narration.category,
        "message": narration.message,
        "priority": narration.is_priority,
        "data": plain(narration.data),
        "dedupe_key": narration.dedupe_key,
    }
