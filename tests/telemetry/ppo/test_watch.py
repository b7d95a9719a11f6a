"""A watch sees every new line once, across rotations, and knows its bounds."""

import json
from pathlib import Path

import pytest

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import JsonValue
from diorama.telemetry.ppo.log_files import LogLine
from diorama.telemetry.ppo.ndjson_sink import PpoNdjsonSink
from diorama.telemetry.ppo.watch import LogTail, Side, Threshold, Watch, follow
from tests.telemetry.factories import policy_updated, ppo_record, run_started, update_report, write_log


def line_of(record: dict[str, JsonValue], number: int = 1) -> LogLine:
    return LogLine(Path("ppo.ndjson"), number, json.dumps(record).encode(), is_whole=True)


def test_a_tail_reads_every_line_once_and_follows_rotations(tmp_path: Path) -> None:
    path = tmp_path / "ppo.ndjson"
    sink = PpoNdjsonSink(path, max_log_entries=2)
    sink.receive(run_started())
    tail = LogTail(path)

    seen = [tail.new_lines()]
    for update in range(1, 6):
        sink.receive(policy_updated(update_report(update)))
        if update in (1, 4):
            seen.append(tail.new_lines())
    seen.append(tail.new_lines())
    seen.append(tail.new_lines())
    sink.close()

    assert [[(line.file.name, line.number) for line in lines] for lines in seen] == [
        [],
        [("ppo.ndjson", 1)],
        [("ppo.ndjson", 2), ("ppo.ndjson.1", 1), ("ppo.ndjson.1", 2)],
        [("ppo.ndjson.2", 1)],
        [],
    ]


def test_a_tail_waits_for_the_end_of_a_line(tmp_path: Path) -> None:
    text = json.dumps(ppo_record())
    path = write_log(tmp_path / "ppo.ndjson", [], unfinished=text[:40])
    tail = LogTail(path)

    before = tail.new_lines()
    with path.open("a") as file:
        file.write(f"{text[40:]}\n")
    after = tail.new_lines()

    assert before == []
    assert [line.data.decode() for line in after] == [text]


def test_following_ends_when_patience_does(tmp_path: Path) -> None:
    path = write_log(tmp_path / "ppo.ndjson", [ppo_record(1)])
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 2:
            write_log(tmp_path / "ppo.ndjson.1", [ppo_record(2)])

    lines = list(follow(LogTail(path), interval_s=0.5, patience_s=1.5, sleep=sleep))

    assert [line.file.name for line in lines] == ["ppo.ndjson", "ppo.ndjson.1"]
    # Twice until the second record came, then three times half a second for nothing.
    assert slept == [0.5] * 5


def test_without_patience_a_log_is_read_once(tmp_path: Path) -> None:
    path = write_log(tmp_path / "ppo.ndjson", [ppo_record(1), ppo_record(2)])

    def never(seconds: float) -> None:
        raise AssertionError(f"waited {seconds} s")

    assert len(list(follow(LogTail(path), interval_s=0.5, patience_s=0.0, sleep=never))) == 2


@pytest.mark.parametrize(
    ("threshold", "value", "breach"),
    [
        pytest.param(Threshold("kl_divergence", Side.AT_MOST, 0.05), 0.05, None, id="at-the-upper-bound"),
        pytest.param(
            Threshold("kl_divergence", Side.AT_MOST, 0.05),
            -0.06,
            "kl_divergence is -0.06; it must be at most 0.05",
            id="upper-bounds-look-at-the-size",
        ),
        pytest.param(Threshold("loss_entropy", Side.AT_LEAST, 0.1), 0.1, None, id="at-the-lower-bound"),
        pytest.param(
            Threshold("reward_advantage_corr", Side.AT_LEAST, 0.0),
            -0.2,
            "reward_advantage_corr is -0.2; it must be at least 0",
            id="lower-bounds-look-at-the-sign",
        ),
    ],
)
def test_a_bound_belongs_to_what_it_allows(threshold: Threshold, value: float, breach: str | None) -> None:
    assert threshold.breach(value) == breach


def test_a_bound_on_no_field_is_refused() -> None:
    with pytest.raises(ConfigError, match="'klm' is no field of PPO telemetry"):
        Threshold("klm", Side.AT_MOST, 1.0)


def test_every_breach_of_a_record_is_told() -> None:
    watch = Watch([Threshold("kl_divergence", Side.AT_MOST, 0.001), Threshold("loss_entropy", Side.AT_LEAST, 3.0)])

    record, problems = watch.judge(line_of(ppo_record()))

    assert record == ppo_record()
    assert problems == (
        "kl_divergence is 0.008; it must be at most 0.001",
        "loss_entropy is 2.5; it must be at least 3",
    )


def test_an_invalid_record_is_a_breach() -> None:
    watch = Watch([])
    watch.judge(line_of(ppo_record(4)))

    assert watch.judge(line_of(ppo_record(4)))[1] == ("log_stream_offset is 4 after 4; it must grow",)
    assert watch.judge(line_of(ppo_record(5, lr=None)))[1] == ("lr is missing; version 1.1 requires it",)
    assert watch.judge(LogLine(Path("ppo.ndjson"), 7, b"[]", is_whole=True)) == (
        None,
        ("no JSON object: a JSON list, not an object",),
    )


def test_an_unknown_field_is_none() -> None:
    assert Watch([]).judge(line_of(ppo_record(mood=1.0)))[1] == ()


def test_a_field_that_some_records_have_is_judged_there() -> None:
    watch = Watch([Threshold("anneal_bc_accuracy", Side.AT_LEAST, 0.9), Threshold("lr", Side.AT_MOST, 1.0)])

    first = watch.judge(line_of(ppo_record(1)))[1]
    before = watch.never_seen()
    second = watch.judge(line_of(ppo_record(2, anneal_bc_accuracy=0.8)))[1]

    assert first == ()
    assert before == ("anneal_bc_accuracy",)
    assert second == ("anneal_bc_accuracy is 0.8; it must be at least 0.9",)
    assert watch.never_seen() == ()
