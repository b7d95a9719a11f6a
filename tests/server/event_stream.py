"""Reads server-sent events the way a browser does."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx


@dataclass(frozen=True, slots=True)
class Event:
    """One event; a heartbeat has the name `heartbeat` and nothing else."""

    name: str
    id: str
    data: Any


@contextmanager
def following(base_url: str, run_id: str, last_event_id: str | None = None) -> Iterator[Iterator[Event]]:
    """Follow a run; the iterator waits for the next event and ends with the stream."""
    headers = {} if last_event_id is None else {"Last-Event-ID": last_event_id}
    address = f"{base_url}/api/runs/{run_id}/follow"
    with httpx.stream("GET", address, headers=headers, timeout=60) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert "content-encoding" not in answer.headers
        yield _events(answer.iter_lines())


def _events(lines: Iterator[str]) -> Iterator[Event]:
    fields: dict[str, str] = {}
    for line in lines:
        if line.startswith(":"):
            yield Event("heartbeat", "", None)
        elif line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "data" in fields:
            yield Event(fields["event"], fields["id"], json.loads(fields["data"]))
            fields = {}
        else:
            fields = {}
