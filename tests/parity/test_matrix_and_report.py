"""Running many cases, and the report about them."""

import json
from pathlib import Path

import pytest

from diorama.contracts.errors import ConfigError, ContractError
from diorama.parity.cases import Selection, plan_cases
from diorama.parity.matrix import check_cases
from diorama.parity.profiles import Profile
from diorama.parity.report import build_report
from diorama.storage.report_files import write_report
from diorama.worlds.registry import load_world
from tests.parity.flawed_tiers import Flawless, WrongDt, prospector_with

SMALL = Selection(suites=("A", "C"), seeds=2, steps=10)


def test_several_processes_give_the_results_of_one_in_case_order(tmp_path: Path) -> None:
    world = load_world("prospector")
    cases = plan_cases(world, SMALL)

    alone = list(check_cases(world, cases, profile=Profile.EXACT, bundle_root=tmp_path, jobs=1))
    together = list(check_cases(world, cases, profile=Profile.EXACT, bundle_root=tmp_path, jobs=2))

    assert [result.case for result in together] == list(cases)
    assert [(result.steps, result.episodes, result.mismatch) for result in together] == [
        (result.steps, result.episodes, result.mismatch) for result in alone
    ]


def test_a_world_that_is_not_registered_stays_in_this_process(tmp_path: Path) -> None:
    world = prospector_with(Flawless)

    with pytest.raises(ContractError, match="is not the registered world of that id; compare it with jobs=1"):
        list(check_cases(world, plan_cases(world, SMALL), profile=Profile.EXACT, bundle_root=tmp_path, jobs=2))


def test_no_jobs_are_refused(tmp_path: Path) -> None:
    world = load_world("prospector")

    with pytest.raises(ConfigError, match="jobs is 0; use 1 or more"):
        list(check_cases(world, plan_cases(world, SMALL), profile=Profile.EXACT, bundle_root=tmp_path, jobs=0))


def test_the_report_tells_what_was_compared_and_how_it_ended(tmp_path: Path) -> None:
    world = prospector_with(WrongDt)
    cases = plan_cases(world, SMALL)
    results = list(check_cases(world, cases[:3], profile=Profile.EXACT, bundle_root=tmp_path / "found", jobs=1))

    write_report(tmp_path / "reports" / "parity.json", build_report(world, cases, results, profile=Profile.EXACT))
    report = json.loads((tmp_path / "reports" / "parity.json").read_text())

    assert list(report) == [
        "generated_at", "world", "interface_version", "config", "profile", "cases", "summary", "system"
    ]  # fmt: skip
    assert report["summary"] == {"pass": False, "cases": 3, "planned": 4, "failed": 3, "comparisons": 24}
    assert report["config"]["suites"] == ["A", "C"]
    assert report["config"]["seeds"] == [0, 1]
    assert report["config"]["configs"]["time-2000"]["time_max"] == 2000.0
    assert [Path(case["bundle"]).is_dir() for case in report["cases"]] == [True] * 3
    assert set(report["system"]) == {"diorama", "python", "platform", "cpu_model", "cores"}
    assert [path.name for path in (tmp_path / "reports").iterdir()] == ["parity.json"]
