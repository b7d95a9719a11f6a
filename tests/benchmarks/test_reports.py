"""Percentiles, gates, floors and recommendations, by hand-made numbers."""

import argparse
from pathlib import Path

import pytest

from harness.latency import latency_block, percentile
from harness.matrix import Result, candidates_for, coverage_gaps, mode_summary
from harness.memory_growth import Growth
from harness.modes import Candidate, Measurement, Mode
from harness.reports import Findings, Gate, make_report
from harness.stopwatch import Stopwatch
from profile_ws import recommended

MIB = 1 << 20


@pytest.mark.parametrize(
    ("share", "value"),
    [
        pytest.param(0.0, 1.0, id="least"),
        pytest.param(0.5, 2.5, id="between-two"),
        pytest.param(0.95, 3.85, id="p95"),
        pytest.param(1.0, 4.0, id="most"),
    ],
)
def test_percentiles_interpolate_between_sorted_values(share: float, value: float) -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], share) == pytest.approx(value)


def test_a_latency_block_is_in_milliseconds() -> None:
    block = latency_block([0.001, 0.003])

    assert block == pytest.approx(
        {"samples": 2, "min": 1.0, "max": 3.0, "mean": 2.0, "p50": 2.0, "p95": 2.9, "p99": 2.98}
    )


@pytest.mark.parametrize(
    ("gate", "holds"),
    [
        pytest.param(Gate(name="x", value=3.0), True, id="no-limit"),
        pytest.param(Gate(name="x", value=3.0, at_most=3.0), True, id="exactly-the-most"),
        pytest.param(Gate(name="x", value=3.1, at_most=3.0), False, id="too-much"),
        pytest.param(Gate(name="x", value=2.9, at_least=3.0), False, id="too-little"),
    ],
)
def test_a_gate_holds_within_its_limits(gate: Gate, holds: bool) -> None:
    assert gate.holds is holds
    assert gate.to_json()["pass"] is holds


def test_a_failure_in_words_fails_a_report_whose_gates_hold() -> None:
    findings = Findings(gates=[Gate(name="x", value=1.0, at_most=2.0)], failures=["a file is broken"])

    report = make_report("here", argparse.Namespace(json=Path("a/b.json"), sizes=[1, 2]), findings)

    assert report["run_id"] == "here"
    assert report["config"] == {"json": "a/b.json", "sizes": [1, 2]}
    assert isinstance(report["summary"], dict)
    assert report["summary"]["pass"] is False
    assert report["summary"]["failures"] == ["a file is broken"]


def test_growth_is_told_at_the_end_and_at_its_peak() -> None:
    growth = Growth(before_bytes=10 * MIB, during_bytes=(15 * MIB, 11 * MIB))

    assert growth.final_mib == pytest.approx(1.0)
    assert growth.peak_mib == pytest.approx(5.0)


def result(mode: Mode, backend: str | None, *rates: float) -> Result:
    candidate = Candidate(world="prospector", tier="fast", backend=backend, copies=4)
    repeats = tuple(Measurement(env_steps=int(rate), wall_seconds=1.0, cpu_seconds=1.0) for rate in rates)
    return Result(mode=mode, candidate=candidate, repeats=repeats)


def test_the_floor_is_the_slowest_repeat_of_the_best_candidate_times_the_factor() -> None:
    results = [
        result(Mode.TRAINER, "ppo", 1000.0, 2000.0),
        result(Mode.TRAINER, "random", 1400.0, 1400.0),
        result(Mode.ENV_ONLY, None, 9000.0),
    ]

    summary = mode_summary(results, Mode.TRAINER, floor_safety_factor=0.9)

    assert summary is not None
    assert summary["best_mean_steps_per_sec"] == pytest.approx(1500.0)
    assert summary["floor_steps_per_sec"] == pytest.approx(900.0)
    assert summary["share_of_target"] == pytest.approx(0.015)
    assert mode_summary(results, Mode.TRAINER_EVAL, floor_safety_factor=0.9) is None


def test_missing_evidence_is_named_by_mode_and_backend() -> None:
    results = [result(Mode.ENV_ONLY, None, 5.0), result(Mode.TRAINER, "random", 5.0)]

    gaps = coverage_gaps(results, list(Mode), ["random", "ppo"])

    assert gaps == [
        "trainer_eval: no candidate was measured",
        "trainer: backend 'ppo' was not measured",
        "trainer_eval: backend 'random' was not measured",
        "trainer_eval: backend 'ppo' was not measured",
    ]


def test_candidates_differ_only_in_what_matters_to_their_mode() -> None:
    sizes = {"tiers": ["fast"], "backends": ["ppo", "random"], "copies": [2, 4], "rollout_steps": [8, 16]}

    stepping = candidates_for(Mode.ENV_ONLY, "prospector", **sizes)  # type: ignore[arg-type]
    training = candidates_for(Mode.TRAINER, "prospector", **sizes)  # type: ignore[arg-type]

    assert [candidate.copies for candidate in stepping] == [2, 4]
    assert [(candidate.backend, candidate.rollout_steps) for candidate in training if candidate.copies == 2] == [
        ("ppo", 8),
        ("ppo", 16),
        ("random", 8),
    ]


@pytest.mark.parametrize(
    ("other", "wins"),
    [
        pytest.param({"frames_per_second": 11.0, "message_wait_p95_ms": 9.0, "messages": 9}, True, id="faster"),
        pytest.param({"frames_per_second": 10.0, "message_wait_p95_ms": 4.0, "messages": 9}, True, id="shorter-waits"),
        pytest.param({"frames_per_second": 10.0, "message_wait_p95_ms": 5.0, "messages": 1}, True, id="fewer-messages"),
        pytest.param({"frames_per_second": 9.0, "message_wait_p95_ms": 1.0, "messages": 1}, False, id="slower"),
    ],
)
def test_a_transport_is_recommended_by_speed_then_waits_then_messages(other: dict[str, float], wins: bool) -> None:
    usual = {"frames_per_second": 10.0, "message_wait_p95_ms": 5.0, "messages": 2}

    assert recommended([usual, other]) is (other if wins else usual)


def test_a_stopwatch_counts_from_the_first_moment_and_says_when_time_is_up() -> None:
    ended: list[bool] = []
    watch = Stopwatch(seconds=0.0, on_time_up=lambda: ended.append(True))

    watch.advance(100)
    before = list(ended)
    watch.advance(350)

    assert watch.env_steps == 250
    assert watch.wall_seconds > 0.0
    assert (before, ended) == ([], [True])
