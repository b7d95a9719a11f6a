"""What happened in a step, by name and with its details."""

from enum import StrEnum
from typing import Final

from diorama.contracts.values import JsonObject
from diorama.worlds.prospector.contract import EVENT_PAYLOADS, Event

_BIT: Final = {event: bit for bit, event in enumerate(Event)}
_NO_PAYLOAD: Final[JsonObject] = {}


class HullCause(StrEnum):
    """What can take hull away; the payload of `destroyed`."""

    EDGE_HAZARD = "edge_hazard"
    NODE_HAZARD = "node_hazard"
    PIRATE = "pirate"
    FRACTURE = "fracture"
    OVERHEAT = "overheat"


class EventLog:
    """Events of one step; each kind stands in it once."""

    __slots__ = ("_payloads",)

    def __init__(self) -> None:
        """Begin with no events."""
        self._payloads: dict[Event, JsonObject] = {}

    def record(self, event: Event, payload: JsonObject = _NO_PAYLOAD) -> None:
        """Note an event with the payload its kind has in the contract."""
        self._payloads[event] = payload

    def names(self) -> tuple[str, ...]:
        """Names in bit order, which puts the endings last."""
        return tuple(event.value for event in sorted(self._payloads, key=_BIT.__getitem__))

    def data(self) -> dict[str, JsonObject]:
        """Payloads of the events that have one, in bit order."""
        return {
            event.value: self._payloads[event]
            for event in sorted(self._payloads, key=_BIT.__getitem__)
            if event in EVENT_PAYLOADS
        }
