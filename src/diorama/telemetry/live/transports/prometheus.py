"""`PrometheusTransport`: counters and gauges of a live world in a text file that a node exporter collects."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from diorama.contracts.errors import MissingExtra
from diorama.contracts.values import JsonValue
from diorama.storage.atomic_files import replace_file
from diorama.telemetry.live.reader import LiveState

try:
    from prometheus_client import CollectorRegistry, Counter, Gauge
    from prometheus_client.exposition import generate_latest
except ImportError:
    raise MissingExtra.of("serve", needed_for="the prometheus transport") from None

BLOCKS: Final = ("health", "kpis", "stability", "transport")
"""Blocks whose numbers are shown; none of them has a member for every citizen."""

_Name: TypeAlias = tuple[str, str]


class PrometheusTransport:
    """Counts what passes, and rewrites the file after every batch."""

    begins_anew: Final = False

    def __init__(self, path: Path, name: str = "prometheus") -> None:
        """Choose the file, which is replaced as a whole."""
        self.name = name
        self._path = path
        self._state = LiveState()
        self._registry = CollectorRegistry()
        self._messages = self._counter("messages", "Messages told", "payload_type")
        self._events = self._counter("events", "Events, those told as a number included", "event")
        self._narrations = self._counter("narrations", "Narrations told", "category")
        self._tick = Gauge("diorama_live_tick", "The tick described last", ["world"], registry=self._registry)
        self._values = Gauge(
            "diorama_live_value", "Numbers of the services' blocks", ["world", "block", "path"], registry=self._registry
        )
        self._shown: set[_Name] = set()

    def send(self, messages: Sequence[bytes]) -> None:
        """Count the messages and rewrite the file.

        Raises:
            StorageError: The disk refuses.
        """
        fresh = [message for message in map(msgspec.json.decode, messages) if self._state.apply(message)]
        for message in fresh:
            self._count(message)
        if fresh:
            self._show(str(fresh[-1]["world"]))
        replace_file(self._path, generate_latest(self._registry))

    def close(self) -> None:
        """Nothing is held."""

    def _counter(self, name: str, meaning: str, label: str) -> Counter:
        return Counter(f"diorama_live_{name}", meaning, ["world", label], registry=self._registry)

    def _count(self, message: Mapping[str, object]) -> None:
        world = str(message["world"])
        self._messages.labels(world, str(message["payload_type"])).inc()
        for event in _objects(message.get("events")):
            self._events.labels(world, str(event["event"])).inc()
        for narration in _objects(message.get("narrations")):
            self._narrations.labels(world, str(narration["category"])).inc()
        folded = message.get("folded")
        if isinstance(folded, Mapping):
            for name, count in folded.items():
                self._events.labels(world, name).inc(count)

    def _show(self, world: str) -> None:
        self._tick.labels(world).set(self._state.tick)
        shown = {
            (block, path): number for block in BLOCKS for path, number in numbers_in(self._state.state.get(block, {}))
        }
        for block, path in self._shown - shown.keys():
            self._values.remove(world, block, path)
        for (block, path), number in shown.items():
            self._values.labels(world, block, path).set(number)
        self._shown = set(shown)


def numbers_in(value: JsonValue, path: str = "") -> Iterator[tuple[str, float]]:
    """Every number of nested objects with its dotted path; lists are left out."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from numbers_in(item, f"{path}.{name}" if path else name)
    elif isinstance(value, bool | int | float):
        yield path, float(value)


def _objects(value: object) -> Sequence[Mapping[str, object]]:
    return value if isinstance(value, list) else ()
