"""Files of lines: PPO telemetry, events, live telemetry, the log of a live world, the audit of its console."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from diorama.contracts.values import JsonObject
from diorama.operate.console.audit_export import exported_audit
from diorama.operate.live.journal.segments import segments
from diorama.telemetry.jsonl_sink import JsonlSink
from diorama.telemetry.live.reader import LiveState, read_lines
from diorama.telemetry.ppo.drift import measure_drift
from diorama.telemetry.ppo.summary import summarize
from diorama.telemetry.ppo.validation import validate_log
from diorama.worlds.morphogenesis.rounds.recorded import read_recording
from diorama.worlds.morphogenesis.views.reading import EventFollower
from tests.fuzz.damage import damaged_bytes, damaged_lines
from tests.fuzz.effort import examples, read_or_refused
from tests.telemetry.factories import run_started

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
RECORDS: list[Any] = [
    json.loads(line)
    for version in ("1.0", "1.1")
    for line in (REFERENCE / f"ppo-telemetry-{version}.ndjson").read_text().splitlines()[:2]
]
HEADER = {
    "journal": "1.0",
    "world": "prospector",
    "run_id": "a",
    "identity": {
        "config_id": "c",
        "structural_id": "s",
        "policy_hash": None,
        "observation_variant": "v",
        "anneal_ratio": 0.0,
        "seed": 3,
    },
    "base": {"path": "a/snapshot-0.json.gz", "tick": 0, "state_hash": "0" * 16},
    "is_continuous": False,
}
TICK = {"t": "tick", "tick": 1, "actions": [3], "source": "scripted", "state_hash": "0" * 16}
COMMANDS = {"t": "commands", "tick": 2, "commands": [{"name": "noop"}]}
TOLD: list[Any] = [
    {
        "schema_version": "0.3.0",
        "payload_type": "snapshot",
        "seq": 1,
        "tick": 4,
        "run_id": "a",
        "world": "townlet",
        "blocks": {"economy": {"prices": {"meal": 0.4}}},
        "state": {"economy": {}},
    },
    {"schema_version": "0.3.0", "payload_type": "diff", "seq": 2, "base_seq": 1, "tick": 5, "changes": {"economy": {}}},
]
EVENT = {
    "schema_version": 1,
    "event_id": "run-a-000000000001",
    "event_type": "EPISODE_OUTCOME",
    "group_id": "default",
    "timestamp": "2031-05-06T07:08:09+00:00",
    "seed_id": None,
    "slot_id": None,
    "epoch": 3,
    "message": "",
    "severity": "info",
    "data": {"final_accuracy": 50.0, "episode_reward": 1.0, "param_ratio": 1.2},
}


def test_whatever_a_ppo_log_holds_it_is_judged(tmp_path: Path) -> None:
    path = tmp_path / "ppo.ndjson"

    @examples(5)
    @given(data=damaged_lines(RECORDS))
    def check(data: bytes) -> None:
        path.write_bytes(data)
        with read_or_refused():
            report = validate_log(path)
            if report.is_valid and report.records:
                summarize(report.records)
                measure_drift(report.records, RECORDS, is_relative=True)

    check()


def test_whatever_the_log_of_a_live_world_holds_it_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "000001.jsonl"

    @examples(5)
    @given(data=damaged_lines([HEADER, TICK, COMMANDS, TICK]))
    def check(data: bytes) -> None:
        path.write_bytes(data)
        with read_or_refused():
            for segment in segments(tmp_path):
                segment.header.snapshot_identity()
                list(segment.lines())

    check()


@examples(5)
@given(data=damaged_lines(TOLD))
def test_whatever_live_telemetry_says_it_is_followed_or_refused(data: bytes) -> None:
    state = LiveState()
    with read_or_refused():
        for message in read_lines(data.splitlines(keepends=True)):
            with read_or_refused():
                state.apply(message)


def test_whatever_events_a_run_has_a_sink_goes_on_after_them_or_refuses(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"

    @examples(5)
    @given(data=damaged_lines([EVENT, EVENT]))
    def check(data: bytes) -> None:
        path.write_bytes(data)
        sink = JsonlSink(path)
        with read_or_refused():
            sink.receive(run_started())
        sink.close()

    check()


def test_whatever_events_of_growing_networks_are_read_they_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"

    @examples(5)
    @given(data=damaged_lines([EVENT, EVENT]))
    def check(data: bytes) -> None:
        path.write_bytes(data)
        recording = read_recording(path)
        recording.to_json()
        follower = EventFollower(path)
        follower.take()
        assert follower.malformed <= data.count(b"\n")

    check()


def _hidden(line: JsonObject) -> JsonObject:
    return dict.fromkeys(line)


def test_whatever_an_audit_holds_it_is_exported_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "commands.jsonl"
    lines = [{"name": "noop", "issuer": "olga", "client": "10.0.0.1", "args": [1]}, {"name": "step"}]

    @examples(5)
    @given(data=damaged_lines(lines) | damaged_bytes(b""), is_private=st.booleans())
    def check(data: bytes, is_private: bool) -> None:
        path.write_bytes(data)
        for line in exported_audit(path, _hidden if is_private else lambda given: given, {"noop"}):
            json.loads(line)

    check()
