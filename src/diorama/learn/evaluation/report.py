"""The report of a contest as a document."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.engine.system_facts import system_facts
from diorama.learn.evaluation.contest import ContenderResult, Contest
from diorama.learn.evaluation.protocol import ComparisonRow, ExpectationOutcome, Judgement
from diorama.storage.report_files import write_report


def build_report(
    contest: Contest,
    judgement: Judgement | None,
    *,
    generated_at: datetime,
    enforce_expectations: bool = False,
    training_runs: Sequence[JsonObject] = (),
) -> JsonObject:
    """Return the report of a contest.

    Args:
        contest: Results of the contenders.
        judgement: Evaluation by the world's protocol; None if the contest was not judged.
        generated_at: Time of the report, in UTC.
        enforce_expectations: Whether an expectation that is not met makes the report fail.
        training_runs: The runs of the contenders of kind `run`.
    """
    venue = contest.venue
    return {
        "generated_at": generated_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "run_id": f"{generated_at.strftime('%Y%m%dT%H%M%SZ')}-eval-{venue.world.id}",
        "world": venue.world.id,
        "interface_version": venue.spec.interface_version,
        "config": venue.config.model_dump(mode="json"),
        "config_hash": venue.config_hash,
        "tier_requested": venue.tier,
        "tier_selected": contest.tier_selected.value,
        "tier_fallback_reason": contest.tier_fallback_reason,
        "max_decisions": contest.max_decisions,
        "training_runs": list(training_runs),
        "contenders": [_contender(result) for result in contest.results],
        "comparison": None if judgement is None else _comparison(judgement),
        "summary": _verdict(contest, judgement, enforce_expectations),
        "system": system_facts(),
        "artifacts": {},
    }


def passes(contest: Contest, judgement: Judgement | None, *, enforce_expectations: bool) -> bool:
    """Whether the report passes: the guard cut off no episode and, if enforced, all expectations are met."""
    is_met = judgement is None or judgement.meets_expectations
    return contest.guard_truncated == 0 and (is_met or not enforce_expectations)


def check_new_file(path: Path) -> None:
    """Check that a file does not exist.

    Raises:
        ConfigError: It does; reports are never overwritten.
    """
    if path.exists():
        raise ConfigError(
            f"{path} exists already and is never overwritten; choose another file",
            code="report_exists",
            path=str(path),
        )


def save_report(path: Path, report: JsonObject) -> None:
    """Write a report atomically; missing folders are created.

    Raises:
        ConfigError: The file exists already.
    """
    check_new_file(path)
    write_report(path, report)


def _contender(result: ContenderResult) -> JsonObject:
    return {
        "name": result.name,
        "kind": result.kind.value,
        "aggregate": result.aggregate.to_json(),
        "seed_reports": [
            {
                "seed": report.label,
                "summary": report.summary.to_json(),
                "episodes": [record.to_json() for record in report.records],
            }
            for report in result.seed_reports
        ],
    }


def _comparison(judgement: Judgement) -> JsonObject:
    protocol = judgement.contest.venue.world.evaluation
    return {
        "reference_policy": judgement.reference,
        "metrics": [{"summary": item.summary, "better": item.better.value} for item in protocol.comparisons],
        "rows": [_comparison_row(row) for row in judgement.rows],
        "expectations": [_expectation(outcome) for outcome in judgement.expectations],
    }


def _comparison_row(row: ComparisonRow) -> JsonObject:
    return {
        "candidate": row.candidate,
        "metric": row.summary,
        "better": row.better.value,
        "reference_value": row.reference_value,
        "candidate_value": row.candidate_value,
        "difference": row.difference,
        "reference_at_least_as_good": row.reference_at_least_as_good,
    }


def _expectation(outcome: ExpectationOutcome) -> JsonObject:
    expectation = outcome.expectation
    return {
        "title": expectation.title,
        "metric": expectation.summary,
        "baseline": expectation.baseline,
        "strictly": expectation.strictly,
        "value": outcome.value,
        "baseline_value": outcome.baseline_value,
        "at_least": {name: {"bound": bound, "value": value} for name, (bound, value) in outcome.floors.items()},
        "met": outcome.is_met,
    }


def _verdict(contest: Contest, judgement: Judgement | None, enforce_expectations: bool) -> JsonObject:
    met: JsonValue = None if judgement is None else judgement.meets_expectations
    return {
        "pass": passes(contest, judgement, enforce_expectations=enforce_expectations),
        "contenders": len(contest.results),
        "episodes": sum(result.aggregate.episodes for result in contest.results),
        "guard_truncated": contest.guard_truncated,
        "expectations_met": met,
        "expectations_enforced": enforce_expectations,
    }
