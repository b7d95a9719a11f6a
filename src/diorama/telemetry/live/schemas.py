"""The JSON Schemas that ship with the package; `python -m diorama.telemetry.live.schemas` writes them anew."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from diorama.contracts.live.events import EventKind
from diorama.contracts.values import JsonObject
from diorama.storage.atomic_files import replace_file
from diorama.telemetry.live.event_schemas import DIALECT, catalogue_schema
from diorama.telemetry.live.messages import Diff, Heartbeat, Snapshot
from diorama.telemetry.live.service_events import SERVICE_EVENTS
from diorama.worlds.registry import load_world, own_world_ids

SCHEMA_FOLDER: Final = Path(__file__).parent / "schema_files"


def message_schema() -> JsonObject:
    """The schema of every message, with definitions of the three kinds."""
    kinds, definitions = msgspec.json.schema_components(
        [Snapshot, Diff, Heartbeat], schema_hook=_anything, ref_template="#/$defs/{name}"
    )
    return {"$schema": DIALECT, "title": "Live telemetry 0.3.0", "oneOf": list(kinds), "$defs": definitions}


def world_event_schema(world: str, catalogue: tuple[EventKind, ...]) -> JsonObject:
    """The schema of everything that can stand under `events` in messages of a world."""
    return catalogue_schema(f"Events of {world}", (*SERVICE_EVENTS, *catalogue))


def shipped_documents() -> Iterator[tuple[str, str]]:
    """Names and texts of the files as they must be."""
    yield "messages.schema.json", _text(message_schema())
    yield "events.schema.json", _text(catalogue_schema("Events of the services", SERVICE_EVENTS))
    for world_id in own_world_ids():
        offer = load_world(world_id).live
        if offer is not None:
            yield f"events-{world_id}.schema.json", _text(world_event_schema(world_id, offer.events))


def _anything(_: type) -> dict[str, object]:
    return {"description": "Any JSON value."}


def _text(document: JsonObject) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name, text in shipped_documents():
        replace_file(SCHEMA_FOLDER / name, text.encode())
