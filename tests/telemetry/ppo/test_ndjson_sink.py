"""The PPO log grows line by line, rotates, and continues where it stopped."""

import json
from pathlib import Path

import pytest

from diorama.contracts.errors import ConfigError, ContractError
from diorama.telemetry.ppo.fields import PpoVersion
from diorama.telemetry.ppo.log_files import log_files
from diorama.telemetry.ppo.ndjson_sink import PpoNdjsonSink
from diorama.telemetry.ppo.validation import validate_log
from tests.telemetry.factories import (
    TICKS_PER_UPDATE,
    TRANSITIONS_PER_UPDATE,
    policy_updated,
    run_ended,
    run_started,
    update_report,
    window_closed,
)


def write_updates(sink: PpoNdjsonSink, first: int, count: int) -> None:
    done = first - 1
    sink.receive(
        run_started(is_resumed=done > 0, ticks_total=TICKS_PER_UPDATE * done, agent_steps=TRANSITIONS_PER_UPDATE * done)
    )
    for update in range(first, first + count):
        sink.receive(policy_updated(update_report(update)))
    sink.close()


def offsets(path: Path) -> list[int]:
    return [json.loads(line)["log_stream_offset"] for line in path.read_text().splitlines()]


def test_an_update_is_a_line_at_once_and_other_events_are_none(tmp_path: Path) -> None:
    path = tmp_path / "telemetry" / "ppo.ndjson"
    sink = PpoNdjsonSink(path)

    sink.receive(run_started())
    sink.receive(policy_updated())
    written = path.read_text()
    sink.receive(window_closed())
    sink.receive(run_ended())
    sink.close()

    assert written.count("\n") == 1
    assert path.read_text() == written
    assert validate_log(path, is_strict=True).findings == ()


def test_a_full_file_is_followed_by_the_next_and_the_counter_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "ppo.ndjson"

    write_updates(PpoNdjsonSink(path, max_log_entries=3), 1, 8)

    assert [file.name for file in log_files(path)] == ["ppo.ndjson", "ppo.ndjson.1", "ppo.ndjson.2"]
    assert [offsets(file) for file in log_files(path)] == [[1, 2, 3], [4, 5, 6], [7, 8]]
    assert validate_log(path).is_valid


def test_without_a_limit_there_is_one_file(tmp_path: Path) -> None:
    path = tmp_path / "ppo.ndjson"

    write_updates(PpoNdjsonSink(path, max_log_entries=None), 1, 5)

    assert log_files(path) == (path,)
    assert offsets(path) == [1, 2, 3, 4, 5]


def test_a_resumed_run_drops_what_it_makes_again_fills_the_last_file_and_counts_on(tmp_path: Path) -> None:
    path = tmp_path / "ppo.ndjson"
    write_updates(PpoNdjsonSink(path, max_log_entries=3), 1, 5)
    with (tmp_path / "ppo.ndjson.1").open("a") as file:
        file.write('{"telemetry_version":1.1,"epo')

    # The checkpoint is older than the log: updates 4 and 5 are made a second time.
    write_updates(PpoNdjsonSink(path, max_log_entries=3), 4, 3)

    records = validate_log(path).records
    assert validate_log(path).is_valid
    assert [offsets(file) for file in log_files(path)] == [[1, 2, 3], [4, 5, 6]]
    assert [record["epoch"] for record in records] == [1, 2, 3, 1, 2, 3]
    assert [record["cycle_id"] for record in records] == [1, 2, 3, 4, 5, 6]
    assert {record["rollout_ticks"] for record in records} == {TICKS_PER_UPDATE}


def test_files_that_hold_nothing_but_what_is_made_again_go(tmp_path: Path) -> None:
    path = tmp_path / "ppo.ndjson"
    write_updates(PpoNdjsonSink(path, max_log_entries=2), 1, 7)

    write_updates(PpoNdjsonSink(path, max_log_entries=2), 2, 1)

    assert [(file.name, offsets(file)) for file in log_files(path)] == [("ppo.ndjson", [1, 2])]


def test_rotations_beyond_nine_keep_their_order(tmp_path: Path) -> None:
    path = tmp_path / "ppo.ndjson"

    write_updates(PpoNdjsonSink(path, max_log_entries=1), 1, 12)
    write_updates(PpoNdjsonSink(path, max_log_entries=1), 13, 1)

    assert [file.name for file in log_files(path)][-3:] == ["ppo.ndjson.10", "ppo.ndjson.11", "ppo.ndjson.12"]
    assert offsets(tmp_path / "ppo.ndjson.12") == [13]
    assert validate_log(path).is_valid


def test_the_counter_survives_records_without_one(tmp_path: Path) -> None:
    path = tmp_path / "ppo.ndjson"
    write_updates(PpoNdjsonSink(path, max_log_entries=2), 1, 3)
    write_updates(PpoNdjsonSink(path, max_log_entries=2, version=PpoVersion.V1_0), 4, 3)

    write_updates(PpoNdjsonSink(path, max_log_entries=2), 7, 2)

    report = validate_log(path, is_strict=True)
    assert report.findings == ()
    assert [record.get("log_stream_offset") for record in report.records] == [1, 2, 3, None, None, None, 4, 5]


def test_files_beside_the_log_are_not_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "ppo[1].ndjson"
    for name in ("ppo[1].ndjson.bak", "ppo[1].ndjson.01", "ppo1.ndjson", "ppo[1].ndjson.3.gz"):
        (tmp_path / name).write_text("something else\n")

    write_updates(PpoNdjsonSink(path, max_log_entries=1), 1, 2)

    assert [file.name for file in log_files(path)] == ["ppo[1].ndjson", "ppo[1].ndjson.1"]


def test_lines_that_are_no_records_do_not_keep_training_from_its_log(tmp_path: Path) -> None:
    path = tmp_path / "ppo.ndjson"
    path.write_text("garbage\n[]\n")

    write_updates(PpoNdjsonSink(path), 1, 1)

    assert json.loads(path.read_text().splitlines()[2])["log_stream_offset"] == 1


def test_a_lost_record_leaves_no_hole_in_the_counter(tmp_path: Path) -> None:
    path = tmp_path / "ppo.ndjson"
    sink = PpoNdjsonSink(path)
    sink.receive(run_started())
    sink.receive(policy_updated(update_report(1)))

    with pytest.raises(ContractError):
        sink.receive(policy_updated(update_report(2, loss_policy=float("nan"))))
    sink.receive(policy_updated(update_report(3)))
    sink.close()

    report = validate_log(path)
    assert report.is_valid
    assert offsets(path) == [1, 2]
    assert [record["rollout_ticks"] for record in report.records] == [TICKS_PER_UPDATE] * 2


def test_fields_that_the_format_does_not_have_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "ppo.ndjson"
    sink = PpoNdjsonSink(path)
    sink.receive(run_started())
    sink.receive(policy_updated(extras={"adv_min_std": 0.5, "my_own_field": 1.0}))
    sink.close()

    (record,) = validate_log(path, is_strict=True).records
    assert record["adv_min_std"] == 0.5
    assert "my_own_field" not in record


def test_a_file_without_room_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="max_log_entries is 0; use 1 or more"):
        PpoNdjsonSink(tmp_path / "ppo.ndjson", max_log_entries=0)


def test_nothing_comes_before_the_start(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="POLICY_UPDATED came before RUN_STARTED"):
        PpoNdjsonSink(tmp_path / "ppo.ndjson").receive(policy_updated())
