"""The event log of a run: whole lines, one counter over all starts."""

import json
from pathlib import Path

import pytest

from diorama.contracts.errors import ContractError, DocumentError
from diorama.telemetry.jsonl_sink import JsonlSink
from tests.telemetry.factories import policy_updated, run_ended, run_started, window_closed


def test_events_are_lines_in_the_order_they_came(tmp_path: Path) -> None:
    path = tmp_path / "telemetry" / "events.jsonl"
    sink = JsonlSink(path)

    for event in (run_started(), policy_updated(), window_closed(), run_ended()):
        sink.receive(event)
    sink.close()

    written = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["event_type"] for line in written] == ["RUN_STARTED", "POLICY_UPDATED", "WINDOW_CLOSED", "RUN_ENDED"]
    assert [line["event_id"] for line in written] == [f"run-a-{number:012d}" for number in range(4)]


def test_a_resumed_run_counts_on_after_the_last_whole_line(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    first = JsonlSink(path)
    first.receive(run_started())
    first.receive(window_closed())
    first.close()
    with path.open("a") as file:
        file.write('{"schema_version":1,"event_id":"run-a-0000')

    second = JsonlSink(path)
    second.receive(run_started(is_resumed=True, env_steps_total=1024))
    second.close()

    written = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["event_id"] for line in written] == [f"run-a-{number:012d}" for number in range(3)]
    assert written[-1]["data"]["is_resumed"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        pytest.param("not json", "its last line is no telemetry event", id="no-json"),
        pytest.param('{"event_id": 3}', "its last line is no telemetry event", id="another-type"),
        pytest.param('{"event_id": "run-b-000000000001"}', "which is none of run 'run-a'", id="another-run"),
        pytest.param('{"event_id": "run-a-x"}', "which is none of run 'run-a'", id="no-number"),
    ],
)
def test_somebody_elses_file_is_not_appended_to(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text(f"{line}\n")
    sink = JsonlSink(path)

    with pytest.raises(DocumentError, match=message):
        sink.receive(run_started())

    sink.close()
    assert path.read_text() == f"{line}\n"


def test_nothing_comes_before_the_start(tmp_path: Path) -> None:
    sink = JsonlSink(tmp_path / "events.jsonl")

    with pytest.raises(ContractError, match="WINDOW_CLOSED came before RUN_STARTED"):
        sink.receive(window_closed())
    sink.close()
    assert not (tmp_path / "events.jsonl").exists()
