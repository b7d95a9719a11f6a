import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from diorama.contracts.errors import ConfigError
from diorama.learn.evaluation.protocol import judge
from diorama.learn.evaluation.report import build_report, passes, save_report
from tests.learn.evaluation.factories import toy_contest
from tests.refusals import refused

MOMENT = datetime(2031, 5, 17, 13, 4, 9, tzinfo=UTC)
GOOD = {"mine": [2.0, 3.0], "zero": [1.0, 1.0]}
BAD = {"mine": [0.0, 0.5], "zero": [1.0, 1.0]}


def test_a_report_has_the_blocks_of_the_protocol() -> None:
    contest = toy_contest(GOOD)

    report = build_report(contest, judge(contest, "mine"), generated_at=MOMENT)

    assert list(report) == [
        *("generated_at", "run_id", "world", "interface_version", "config", "config_hash"),
        *("tier_requested", "tier_selected", "tier_fallback_reason", "max_decisions", "training_runs"),
        *("contenders", "comparison", "summary", "system", "artifacts"),
    ]
    assert report["generated_at"] == "2031-05-17T13:04:09Z"
    assert report["run_id"] == "20310517T130409Z-eval-toy"
    assert report["config_hash"] == contest.venue.config_hash


def test_contenders_are_reported_as_a_whole_by_seed_set_and_by_episode() -> None:
    report = json.loads(json.dumps(build_report(toy_contest(GOOD), None, generated_at=MOMENT)))

    mine = report["contenders"][0]
    assert list(mine) == ["name", "kind", "aggregate", "seed_reports"]
    assert (mine["name"], mine["kind"]) == ("mine", "bot")
    assert mine["aggregate"]["total_mean"] == 2.5
    assert mine["aggregate"]["intervals"]["total_mean"]["low"] >= 2.0
    (seed_report,) = mine["seed_reports"]
    assert [row["metrics"]["total"] for row in seed_report["episodes"]] == [2.0, 3.0]


def test_a_judged_report_shows_comparison_and_expectations() -> None:
    contest = toy_contest(BAD)

    report = json.loads(json.dumps(build_report(contest, judge(contest, "mine"), generated_at=MOMENT)))

    comparison = report["comparison"]
    assert comparison["reference_policy"] == "mine"
    assert comparison["metrics"] == [{"summary": "total_mean", "better": "higher"}]
    assert comparison["rows"] == [
        {
            "candidate": "zero",
            "metric": "total_mean",
            "better": "higher",
            "reference_value": 0.25,
            "candidate_value": 1.0,
            "difference": -0.75,
            "reference_at_least_as_good": False,
        }
    ]
    assert [row["met"] for row in comparison["expectations"]] == [False]


@pytest.mark.parametrize(
    ("totals", "is_enforced", "does_pass"),
    [
        pytest.param(GOOD, True, True, id="met"),
        pytest.param(BAD, False, True, id="missed-but-not-enforced"),
        pytest.param(BAD, True, False, id="missed-and-enforced"),
    ],
)
def test_expectations_fail_a_report_only_when_they_are_enforced(
    totals: dict[str, list[float]], is_enforced: bool, does_pass: bool
) -> None:
    contest = toy_contest(totals)
    judgement = judge(contest, "mine")

    report = json.loads(
        json.dumps(build_report(contest, judgement, generated_at=MOMENT, enforce_expectations=is_enforced))
    )

    assert report["summary"]["pass"] is does_pass
    assert report["summary"]["expectations_met"] is (totals is GOOD)
    assert passes(contest, judgement, enforce_expectations=is_enforced) is does_pass


def test_an_episode_cut_off_by_the_guard_fails_the_report() -> None:
    contest = toy_contest(GOOD, terminated=False, guard_truncated=True)

    report = json.loads(json.dumps(build_report(contest, None, generated_at=MOMENT)))

    assert report["summary"]["pass"] is False
    assert report["summary"]["guard_truncated"] == 4


def test_the_system_block_says_on_what_machine_it_was_made() -> None:
    report = json.loads(json.dumps(build_report(toy_contest(GOOD), None, generated_at=MOMENT)))

    assert {"python", "cpu_model", "cores", "platform"} <= set(report["system"])
    assert report["system"]["cores"] >= 1


def test_a_report_is_written_whole_and_leaves_nothing_else_behind(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    report = build_report(toy_contest(GOOD), None, generated_at=MOMENT)

    save_report(target, report)

    assert json.loads(target.read_text()) == json.loads(json.dumps(report))
    assert list(tmp_path.iterdir()) == [target]


def test_an_existing_target_is_refused_and_kept(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    target.write_text("precious")

    with refused(ConfigError, "report_exists", path=str(target)):
        save_report(target, {})

    assert target.read_text() == "precious"


def test_a_report_that_is_not_json_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        save_report(tmp_path / "report.json", {"value": float("nan")})

    assert list(tmp_path.iterdir()) == []


def test_missing_folders_are_created(tmp_path: Path) -> None:
    target = tmp_path / "reports" / "today" / "report.json"

    save_report(target, {"value": 1})

    assert json.loads(target.read_text()) == {"value": 1}
