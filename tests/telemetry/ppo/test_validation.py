"""The validator accepts what the format allows and names everything else."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.contracts.errors import UnknownName
from diorama.contracts.values import JsonValue
from diorama.telemetry.ppo.checks import Severity, check_record
from diorama.telemetry.ppo.fields import ADDED_FIELDS, COMMON_FIELDS, CONFLICT_FIELDS, PpoVersion
from diorama.telemetry.ppo.log_files import MAX_LINE_BYTES, distinct_logs, find_log
from diorama.telemetry.ppo.validation import validate_log
from tests.telemetry.factories import BASELINE, ppo_record, write_log

EXTENSIONS = {"clip_fraction_max": 0.2, "late_help_events": 3, "anneal_stage": 1, "anneal_bc_accuracy": 0.93}


def messages(record: dict[str, JsonValue], *, is_strict: bool = False) -> list[str]:
    return [problem.message for problem in check_record(record, is_strict=is_strict)]


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(ppo_record(1, PpoVersion.V1_0), id="1.0"),
        pytest.param(ppo_record(1, PpoVersion.V1_0, telemetry_version=1), id="1.0-written-as-1"),
        pytest.param(ppo_record(1, PpoVersion.V1_0, **BASELINE), id="1.0-with-baseline"),
        pytest.param(ppo_record(), id="1.1"),
        pytest.param(ppo_record(**BASELINE, baseline_log_prob_mean=-1.5), id="1.1-with-baseline"),
        pytest.param(ppo_record(**EXTENSIONS), id="1.1-with-extensions"),
        pytest.param(ppo_record(data_mode="replay", cycle_id=0, rollout_ticks=0), id="replay"),
        pytest.param(ppo_record(updates=4.0), id="whole-number-with-a-point"),
    ],
)
def test_what_the_format_allows_is_valid_even_strictly(record: dict[str, JsonValue]) -> None:
    assert messages(record, is_strict=True) == []


@pytest.mark.parametrize("field", [*COMMON_FIELDS[1:], *ADDED_FIELDS, *CONFLICT_FIELDS])
def test_a_record_of_version_1_1_misses_nothing(field: str) -> None:
    assert messages(ppo_record(**{field: None})) == [f"{field} is missing; version 1.1 requires it"]


@pytest.mark.parametrize("field", [*COMMON_FIELDS[1:], *CONFLICT_FIELDS])
def test_a_record_of_version_1_0_misses_nothing(field: str) -> None:
    record = ppo_record(1, PpoVersion.V1_0, **{field: None})

    assert messages(record) == [f"{field} is missing; version 1.0 requires it"]


@pytest.mark.parametrize("field", [*ADDED_FIELDS, *EXTENSIONS])
def test_a_record_of_version_1_0_is_not_upgraded_in_part(field: str) -> None:
    value = "rollout" if field == "data_mode" else 1
    record = ppo_record(1, PpoVersion.V1_0, **{field: value})

    assert messages(record) == [f"{field} belongs to version 1.1; a record of version 1.0 is not upgraded in part"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param({"telemetry_version": 1.2}, "telemetry_version is 1.2; it must be", id="future-version"),
        pytest.param({"telemetry_version": "1.1"}, "telemetry_version is '1.1'; it must be", id="version-as-text"),
        pytest.param({"telemetry_version": True}, "telemetry_version is True; it must be", id="version-as-flag"),
        pytest.param({"telemetry_version": None}, "telemetry_version is missing; it must be", id="no-version"),
        pytest.param({"loss_value": "0.5"}, "loss_value is '0.5'; it must be a finite number", id="text"),
        pytest.param({"loss_value": False}, "loss_value is False; it must be a finite number", id="flag"),
        pytest.param({"grad_norm": float("inf")}, "grad_norm is inf; it must be a finite number", id="infinite"),
        pytest.param({"steps": 10**400}, "it must be a finite number", id="beyond-binary64"),
        pytest.param({"epoch": 1.5}, "epoch is 1.5; it must be a whole number of 0 or more", id="half-an-epoch"),
        pytest.param({"steps": -1}, "steps is -1; it must be a whole number of 0 or more", id="negative-counter"),
        pytest.param({"data_mode": "live"}, "data_mode is 'live'; it must be one of replay, rollout, mixed", id="mode"),
        pytest.param({"data_mode": [1]}, "data_mode is [1]; it must be one of", id="mode-of-another-type"),
        pytest.param(
            {"baseline_sample_count": 3, "baseline_reward_sum": 1.0},
            "baseline_reward_mean, baseline_reward_sum_mean missing; the baseline fields stand together",
            id="part-of-the-baseline",
        ),
        pytest.param(
            {"baseline_log_prob_mean": -1.0}, "the baseline fields stand together or not at all", id="only-the-optional"
        ),
        pytest.param({"anneal_ratio": "high"}, "anneal_ratio is 'high'; it must be a finite number", id="extension"),
    ],
)
def test_what_the_format_does_not_allow_is_named(changes: dict[str, JsonValue], message: str) -> None:
    (found,) = messages(ppo_record(**changes))

    assert message in found


def test_an_unknown_field_is_a_warning_and_strictly_an_error() -> None:
    record = ppo_record(mood=0.5)

    assert [problem.severity for problem in check_record(record)] == [Severity.WARNING]
    assert [problem.severity for problem in check_record(record, is_strict=True)] == [Severity.ERROR]
    assert messages(record) == ["mood is no field of any version"]


def test_findings_name_file_and_line(tmp_path: Path) -> None:
    log = tmp_path / "ppo.ndjson"
    write_log(log, [ppo_record(1), ppo_record(2, lr=None)])
    (tmp_path / "ppo.ndjson.1").write_bytes(b'{"telemetry_version": NaN}\n\xff\xfe\n[1]\n' + b"[" * 20_000 + b"\n")

    report = validate_log(log)

    assert [finding.place for finding in report.errors] == [
        f"{log} line 2",
        f"{log}.1 line 1",
        f"{log}.1 line 2",
        f"{log}.1 line 3",
        f"{log}.1 line 4",
    ]
    assert [finding.message for finding in report.errors][:2] == [
        "lr is missing; version 1.1 requires it",
        "no JSON object: JSON is malformed: invalid character (byte 22)",
    ]
    assert report.errors[3].message == "no JSON object: a JSON list, not an object"
    assert len(report.records) == 2
    assert not report.is_valid


def test_the_counter_grows_over_all_files(tmp_path: Path) -> None:
    log = write_log(tmp_path / "ppo.ndjson", [ppo_record(5), ppo_record(9)])
    write_log(tmp_path / "ppo.ndjson.1", [ppo_record(9), ppo_record(10), ppo_record(3), ppo_record(4)])

    report = validate_log(log)

    assert [finding.message for finding in report.errors] == [
        "log_stream_offset is 9 after 9; it must grow",
        "log_stream_offset is 3 after 10; it must grow",
    ]


def test_a_log_may_change_its_version(tmp_path: Path) -> None:
    log = write_log(tmp_path / "ppo.ndjson", [ppo_record(1), ppo_record(2, PpoVersion.V1_0), ppo_record(3)])

    assert validate_log(log, is_strict=True).findings == ()


def test_a_line_that_is_still_being_written_is_left_out(tmp_path: Path) -> None:
    log = write_log(tmp_path / "ppo.ndjson", [ppo_record(1)], unfinished='{"telemetry_ver')

    report = validate_log(log)

    assert report.is_valid
    assert [finding.message for finding in report.findings] == ["the last line is unfinished and was left out"]


def test_an_empty_log_proves_nothing(tmp_path: Path) -> None:
    log = write_log(tmp_path / "ppo.ndjson", [])

    assert [finding.message for finding in validate_log(log).errors] == ["there is no record in it"]


def test_an_endless_line_is_an_error_and_not_a_memory_problem(tmp_path: Path) -> None:
    log = tmp_path / "ppo.ndjson"
    log.write_bytes(b"1" * (2 * MAX_LINE_BYTES) + b"\n")

    assert not validate_log(log).is_valid


@given(
    st.dictionaries(
        st.sampled_from([*COMMON_FIELDS, *ADDED_FIELDS, *CONFLICT_FIELDS]),
        st.none() | st.booleans() | st.text(max_size=3) | st.lists(st.integers(), max_size=2),
        min_size=1,
    )
)
def test_a_record_with_values_of_other_types_is_never_valid(damage: dict[str, JsonValue]) -> None:
    record = ppo_record() | damage

    assert any(problem.severity is Severity.ERROR for problem in check_record(record))


def test_a_run_directory_stands_for_its_log(tmp_path: Path) -> None:
    (tmp_path / "telemetry").mkdir()
    log = write_log(tmp_path / "telemetry" / "ppo.ndjson", [ppo_record()])

    assert find_log(tmp_path) == log


def test_a_log_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"ppo\.ndjson does not exist; name a PPO log or a run directory"):
        find_log(tmp_path)


def test_rotated_files_named_beside_their_log_are_read_once(tmp_path: Path) -> None:
    log = write_log(tmp_path / "ppo.ndjson", [ppo_record(1)])
    rotated = write_log(tmp_path / "ppo.ndjson.1", [ppo_record(2)])
    other = write_log(tmp_path / "other.ndjson", [ppo_record(1)])

    assert distinct_logs([rotated, log, other, log]) == (log, other)
    assert distinct_logs([rotated]) == (rotated,)
