"""The scripts run, in small, and say with their reports and exit codes how it went; the numbers are no test."""

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from diorama.runs.metadata import RunStatus
from diorama.runs.run import open_run, run_ids
from tests.benchmarks.scripts import Ended, run_script, script_command

SMALL_SIZES = ("--copies", 8, "--rollout-steps", 8, "--repeats", 1, "--seconds", 0.05)


def gates(ended: Ended) -> dict[str, Any]:
    return {gate["name"]: gate for gate in ended.written["summary"]["gates"]}


@pytest.mark.slow
def test_pages_and_streams_are_measured_and_a_gate_that_fails_exits_with_1(tmp_path: Path) -> None:
    ended = run_script(
        "replay_api", tmp_path, "--frames", 600, "--limit", 32, "--samples", 4, "--max-replay-latency-p95-ms", 0
    )

    report = ended.written
    assert ended.code == 1, ended.words
    assert not gates(ended)["page p95, plain, ms"]["pass"]
    assert report["replay"]["frames"] == 600
    assert report["pages"]["packed"]["body_bytes"]["max"] < report["pages"]["plain"]["body_bytes"]["min"]
    assert set(report["pages"]["plain"]["latency_ms"]) == {"samples", "min", "max", "mean", "p50", "p95", "p99"}
    assert report["streaming"]["websocket"]["frames"] == report["streaming"]["http"]["frames"] == 600
    assert all(Path(path).is_dir() for path in report["artifacts"])


def test_a_run_directory_that_exists_is_refused(tmp_path: Path) -> None:
    (tmp_path / "work" / "mine").mkdir(parents=True)

    ended = run_script("replay_api", tmp_path, "--run-id", "mine")

    assert ended.code == 2
    assert ended.report is None
    assert ended.words.count("\n") == 1
    assert "exists already" in ended.words
    assert list((tmp_path / "work" / "mine").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        pytest.param("profile_ws", ["--frames", 255], "needs 256 or more", id="short-replay"),
        pytest.param("profile_ws", ["--replay", "one"], "use RUN/REPLAY", id="half-a-name"),
        pytest.param("memory_soak", ["--replay", "a/b", "--replay-root", "."], "there is no run 'a'", id="no-run"),
        pytest.param("bench", ["--backend", "magic"], "'magic' is wrong", id="backend"),
        pytest.param("stability", ["--cycles", 0], "use 1 or more", id="no-cycles"),
        pytest.param("throughput_matrix", ["--world", "atlantis"], "atlantis", id="world"),
        pytest.param("gate_floors", ["--matrix", "missing.json"], "does not exist", id="no-matrix"),
        pytest.param("morphogenesis_pace", ["--baseline", "missing.json"], "does not exist", id="no-baseline"),
        pytest.param("replay_api", ["--run-id", "../up"], "is not allowed", id="run-id"),
    ],
)
def test_bad_input_exits_with_2_and_says_what_would_be_right(
    name: str, arguments: list[object], words: str, tmp_path: Path
) -> None:
    ended = run_script(name, tmp_path, *arguments)

    assert ended.code == 2, ended.words
    assert words in ended.words
    assert "Traceback" not in ended.words
    assert ended.report is None


@pytest.mark.slow
def test_a_matrix_lists_what_cannot_run_and_its_floors_can_be_gated(tmp_path: Path) -> None:
    backends = ("--trainer-backends", "random", "--required-trainer-backends", "random", "ppo")
    matrix = run_script(
        "throughput_matrix", tmp_path, "--modes", "env_only", "trainer", "--tiers", "fast", "imaginary", *backends,
        *SMALL_SIZES,
    )  # fmt: skip
    low, high = tmp_path / "low.json", tmp_path / "high.json"
    for path, floor in ((low, 1e-6), (high, 1e15)):
        modes = json.loads(json.dumps(matrix.written["modes"]))
        modes["env_only"]["floor_steps_per_sec"] = floor
        path.write_text(json.dumps({"modes": {"env_only": modes["env_only"], "trainer": None}}))

    reached = run_script("gate_floors", tmp_path / "a", "--matrix", low, "--repeats", 1, "--seconds", 0.05)
    missed = run_script("gate_floors", tmp_path / "b", "--matrix", high, "--repeats", 1, "--seconds", 0.05)

    assert matrix.code == 0, matrix.words
    assert [line.split(":")[0] for line in matrix.written["summary"]["skipped"]] == ["env_only", "trainer"]
    assert matrix.written["coverage_gaps"] == ["trainer: backend 'ppo' was not measured"]
    assert (reached.code, missed.code) == (0, 1), reached.words + missed.words
    assert set(missed.written["modes"]) == {"env_only"}


@pytest.mark.slow
def test_hosts_that_have_become_slower_than_their_baseline_fail_and_strangers_are_no_baseline(tmp_path: Path) -> None:
    small = ("--episodes", 1, "--blocks", 1)
    recorded = run_script("morphogenesis_pace", tmp_path, *small)
    quick, foreign = tmp_path / "quick.json", tmp_path / "foreign.json"
    document = recorded.written
    document["paces"]["fast"] = {"episodes_per_s": 1e6, "epoch_ms": 1e-6}
    quick.write_text(json.dumps(document))
    foreign.write_text(json.dumps({**document, "system": {**document["system"], "cpu_model": "abacus"}}))

    slower = run_script("morphogenesis_pace", tmp_path / "a", "--baseline", quick, *small)
    refused = run_script("morphogenesis_pace", tmp_path / "b", "--baseline", foreign, *small)

    assert recorded.code == 0, recorded.words
    assert slower.code == 1, slower.words
    assert not gates(slower)["fast, episodes/s"]["pass"]
    assert not gates(slower)["fast, ms per epoch"]["pass"]
    assert refused.code == 2
    assert "abacus" in refused.words


@pytest.mark.slow
def test_a_coverage_gap_fails_where_it_is_asked_to(tmp_path: Path) -> None:
    asked = ("--required-trainer-backends", "ppo", "--fail-on-coverage-gap")

    ended = run_script(
        "throughput_matrix", tmp_path, "--modes", "trainer", "--tiers", "fast", "--trainer-backends", "random", *asked,
        *SMALL_SIZES,
    )  # fmt: skip

    assert ended.code == 1
    assert ended.written["summary"]["failures"] == ["trainer: backend 'ppo' was not measured"]


@pytest.mark.slow
def test_all_three_modes_are_profiled_apart(tmp_path: Path) -> None:
    ended = run_script("profile_throughput", tmp_path, *SMALL_SIZES)

    modes = ended.written["modes"]
    assert ended.code == 0, ended.words
    assert set(modes) == {"env_only", "trainer", "trainer_eval"}
    for mode in modes.values():
        assert mode["repeats"][0]["env_steps"] > 0
        assert mode["repeats"][0]["cpu_seconds"] > 0.0
        assert "heap_growth_mib" in mode


@pytest.mark.slow
def test_every_size_of_messages_is_profiled(tmp_path: Path) -> None:
    sizes = ("--batch-sizes", 64, 128, "--chunk-bytes", 65536, "--yield-every-batches", 0, 4)

    ended = run_script("profile_ws", tmp_path, "--frames", 300, "--repeats", 2, *sizes)

    rows = ended.written["rows"]
    assert ended.code == 0, ended.words
    assert [(row["batch_size"], row["max_chunk_bytes"], row["yield_every_batches"]) for row in rows] == [
        (64, 65536, 0),
        (64, 65536, 4),
        (128, 65536, 0),
        (128, 65536, 4),
    ]
    assert all(row["frames"] == 300 and row["messages"] >= 300 / row["batch_size"] for row in rows)
    assert ended.written["recommendation"] in rows


@pytest.mark.slow
def test_the_harness_trains_reads_and_soaks(tmp_path: Path) -> None:
    ended = run_script(
        "bench", tmp_path, "--backend", "random", "--windows", 2, "--frames", 300, "--samples", 3,
        "--soak-requests", 16, "--min-trainer-steps-per-sec", 1e12,
    )  # fmt: skip

    report = ended.written
    assert ended.code == 1, ended.words
    assert [name for name, gate in gates(ended).items() if not gate["pass"]] == ["training, steps/s"]
    assert report["trainer"]["env_steps_total"] == 2 * 4096
    assert len(report["memory"]["heap"]["during_mib"]) == 8


@pytest.mark.slow
def test_a_soak_looks_at_the_heap_and_at_memory(tmp_path: Path) -> None:
    ended = run_script("memory_soak", tmp_path, "--frames", 300, "--requests", 16)

    assert ended.code == 0, ended.words
    assert ended.written["resident"]["before_mib"] > ended.written["heap"]["before_mib"] > 0.0


@pytest.mark.slow
def test_starts_are_timed_until_the_server_answers(tmp_path: Path) -> None:
    ended = run_script("cold_start", tmp_path, "--repeats", 1, "--runs", 1)

    report = ended.written
    assert ended.code == 0, ended.words
    assert report["healthy_ms"]["min"] >= report["listening_ms"]["min"] > 0.0


@pytest.mark.slow
def test_many_runs_are_listed(tmp_path: Path) -> None:
    ended = run_script("run_listing", tmp_path, "--runs", 20, "--samples", 1, "--max-listing-p95-ms", 60_000)

    assert ended.code == 0, ended.words
    assert ended.written["looking_ms"]["samples"] == 1


@pytest.mark.slow
def test_viewers_of_every_kind_see_something_while_a_run_trains(tmp_path: Path) -> None:
    ended = run_script(
        "viewers", tmp_path, "--frames", 300, "--viewers", 6, "--seconds", 3, "--rounds", 1, "--min-steps-ratio", 0
    )

    seen = ended.written["seen"]
    assert ended.code == 0, ended.words
    assert min(seen["streamed_frames"], seen["paged_frames"], seen["events"]) > 0
    assert seen["failures"] == []


@pytest.mark.slow
def test_cycles_of_training_and_reading_stay_right(tmp_path: Path) -> None:
    requests = ("--catalogue-requests", 3, "--frames-requests", 3, "--index-requests", 3)

    ended = run_script("stability", tmp_path, "--cycles", 2, "--backend", "random", "--windows", 2, *requests)

    assert ended.code == 0, ended.words
    assert [cycle["problems"] for cycle in ended.written["cycles"]] == [[], []]


def test_without_a_browser_the_first_picture_is_listed_as_skipped(tmp_path: Path) -> None:
    ended = run_script("first_frame", tmp_path, "--chromium", tmp_path / "no-browser")

    assert ended.code == 0, ended.words
    assert "there is no Chromium; name one with --chromium" in ended.written["summary"]["skipped"]
    assert ended.written["summary"]["gates"] == []


@pytest.mark.slow
def test_a_script_that_is_told_to_stop_ends_its_training(tmp_path: Path) -> None:
    command = script_command("viewers", tmp_path, "--frames", 64, "--seconds", 600, "--run-id", "mine")
    run_root = tmp_path / "work" / "mine"
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and "training" not in run_ids(run_root):
            time.sleep(0.05)
        process.terminate()

    status = open_run(run_root, "training").metadata().status
    assert process.returncode == 128 + signal.SIGTERM
    assert status is RunStatus.STOPPED


@pytest.mark.slow
def test_a_crowd_of_spectators_is_compared_with_one(tmp_path: Path) -> None:
    small = ("--spectators", 5, "--ticks", 20, "--seconds", 1, "--rounds", 1, "--max-ratio", 100)
    ended = run_script("spectator_cost", tmp_path, *small)

    report = ended.written
    assert ended.code == 0, ended.words
    assert {"followers, 5 to 1", "sockets, 5 to 1"} <= set(gates(ended))
    assert [report[kind]["5"]["tick_ms"]["samples"] > 0 for kind in ("followers", "sockets")] == [True, True]
    assert report["sockets"]["5"]["messages_per_second"] > report["sockets"]["1"]["messages_per_second"]
