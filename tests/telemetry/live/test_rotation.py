"""Telemetry files that are put aside: every line is in one of them, once, and every file can be read by itself."""

import json
import random
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from pydantic import ValidationError

from diorama.contracts.errors import StorageError
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.settings.telemetry import Telemetry, Transport
from diorama.telemetry.live.merge_patch import is_same
from diorama.telemetry.live.reader import LiveState
from diorama.telemetry.live.transports import building
from diorama.telemetry.live.transports.file import FileTransport
from diorama.telemetry.live.transports.rotation import Rotation, put_aside_files
from tests.operate.live.runtimes import open_live_world

MOST_BYTES = 4096


def _message(number: int, kind: str, size: int = 100) -> bytes:
    return json.dumps({"seq": number, "payload_type": kind, "state": "x" * size}).encode()


def _numbers(path: Path) -> list[int]:
    return [json.loads(line)["seq"] for line in path.read_bytes().splitlines()]


@contextmanager
def _full_disk(most_bytes: int) -> Iterator[None]:
    """No file may grow beyond a size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("seed", range(4))
def test_no_line_is_lost_or_told_twice(seed: int, tmp_path: Path) -> None:
    chance, path = random.Random(seed), tmp_path / "live.ndjson"
    rotation = Rotation(most_bytes=MOST_BYTES, keep=None)
    transport, number = FileTransport(path, rotation=rotation), 0
    while number < 600:
        count = chance.randrange(1, 20)
        batch = [
            _message(number + place, "snapshot" if chance.random() < 0.1 else "diff", chance.randrange(300))
            for place in range(count)
        ]
        number += count
        transport.send(batch)
        if chance.random() < 0.1:  # the process ends, and another one goes on
            transport.close()
            transport = FileTransport(path, rotation=rotation)
    transport.close()

    files = [*put_aside_files(path), path]
    assert len(files) > 5
    assert [seq for file in files for seq in _numbers(file)] == [*range(number)]
    for file in files[1:]:
        assert json.loads(file.read_bytes().splitlines()[0])["payload_type"] == "snapshot"
    assert all(file.stat().st_size >= MOST_BYTES for file in files[:-1])


def test_a_disk_that_refuses_in_the_middle_is_told_nothing_twice(tmp_path: Path) -> None:
    path = tmp_path / "live.ndjson"
    transport = FileTransport(path, rotation=Rotation(most_bytes=MOST_BYTES, keep=None))
    transport.send([_message(0, "snapshot", MOST_BYTES)])
    batch = [_message(1, "diff"), _message(2, "snapshot", 20_000), _message(3, "diff")]

    with _full_disk(10_000), pytest.raises(StorageError):
        transport.send(batch)
    transport.send(batch)
    transport.close()

    (aside,) = put_aside_files(path)
    assert (_numbers(aside), _numbers(path)) == ([0, 1], [2, 3])


def test_only_the_newest_stay_where_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "live.ndjson"
    transport = FileTransport(path, rotation=Rotation(most_bytes=MOST_BYTES, keep=2))
    for number in range(6):
        transport.send([_message(number, "snapshot", MOST_BYTES)])
    transport.close()

    assert [file.name for file in put_aside_files(path)] == ["live.ndjson.000004", "live.ndjson.000005"]
    assert [_numbers(file) for file in [*put_aside_files(path), path]] == [[3], [4], [5]]


def test_what_a_world_keeps_is_bounded_where_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "DEFAULT_ROTATE_BYTES", MOST_BYTES)
    [transport] = building.build_transports(Telemetry(), tmp_path)
    for number in range(building.DEFAULT_ROTATE_KEEP + 5):
        transport.send([_message(number, "snapshot", MOST_BYTES)])
    transport.close()

    assert len(put_aside_files(tmp_path / building.DEFAULT_FILE)) == building.DEFAULT_ROTATE_KEEP


def test_a_live_world_tells_its_state_across_files(tmp_path: Path) -> None:
    telemetry = Telemetry(transport=Transport(rotate_bytes=10_000), snapshot_every=10)
    runtime = open_live_world(tmp_path, "prospector", settings=LiveSettings(telemetry=telemetry), seed=5)
    runtime.run_ticks(300)
    told = runtime.publisher.latest_snapshot()["state"]
    runtime.close()

    path = tmp_path / "telemetry/live.ndjson"
    assert len(put_aside_files(path)) > 2
    state = LiveState()
    for line in path.read_bytes().splitlines():
        assert state.apply(msgspec.json.decode(line))
    assert is_same(state.state, told)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"type": "stdout", "rotate_bytes": 5000}, "not rotated"),
        ({"rotate_keep": 2}, "needs rotate_bytes"),
        ({"rotate_bytes": 10}, "greater than or equal to 4096"),
    ],
)
def test_what_cannot_be_rotated_is_refused(given: dict[str, object], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        Transport.model_validate(given)
