"""Self-play and curriculum in whole runs: their files, their windows, and that a resume changes nothing."""

from pathlib import Path

import numpy as np
import pytest

from diorama.contracts.errors import ConfigError
from diorama.runs.checkpoints.resume import newest_resume_point
from diorama.runs.checkpoints.tensor_files import file_sha256
from diorama.runs.clock import SystemClock
from diorama.runs.documents import RawObject
from diorama.runs.layout import RunLayout
from diorama.runs.matches import read_audit, read_matches, read_ratings
from diorama.training.callbacks.selfplay import SelfPlayCallback
from diorama.training.plan import TrainingPlan, check_workers
from tests.refusals import refused
from tests.training.small_runs import (
    SMALL_MATCHES,
    StopAfter,
    resume_small,
    rows_without_wall_clock,
    small_plan,
    train_small,
)


def _plan(**changes: object) -> TrainingPlan:
    return small_plan(SMALL_MATCHES, **changes)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> RunLayout:
    return train_small(tmp_path_factory.mktemp("whole"), "matches", _plan()).layout


def test_a_run_records_its_matches_and_ratings(whole: RunLayout) -> None:
    matches, ratings = read_matches(whole), read_ratings(whole)

    assert sorted(match["copy"] for match in matches) == [0, 1, 2, 3]
    assert {match["opponent"] for match in matches} <= {"idle", "latest"}
    assert ratings is not None
    assert ratings.matches == len(matches)
    assert dict(ratings.ratings)["aggressor"] == 1000.0
    estimates = {item.name: item for item in ratings.estimates}
    assert estimates.keys() == dict(ratings.ratings).keys()
    assert (estimates["aggressor"].rating, estimates["aggressor"].margin) == (1000.0, 0.0)
    rated = sum(match["opponent"] != "latest" for match in matches)
    assert sum(item.matches for item in ratings.estimates) == 2 * rated
    assert all(item.margin > 0.0 for name, item in estimates.items() if name != "aggressor")
    rows = rows_without_wall_clock(whole)
    counted = [sum(counts.values()) for row in rows for counts in row["results_by_opponent"].values()]
    assert sum(counted) == len(matches)
    assert any(row["invalid_share"] is not None for row in rows)


def test_every_promotion_is_audited_with_the_policy_that_was_promoted(whole: RunLayout) -> None:
    audit = read_audit(whole)

    promoted = [entry for entry in audit if entry["event"] == "promoted"]
    assert [entry["who"] for entry in promoted][:2] == ["update-000003", "update-000006"]
    for entry in promoted:
        path = whole.directory / "matches" / "pool" / f"{entry['who']}.safetensors"
        assert entry["checkpoint_sha256"] == file_sha256(path)
        assert entry["why"].startswith("every 3 updates")
    assert len(promoted) - sum(entry["event"] == "retired" for entry in audit) == 2


@pytest.mark.slow
def test_a_stopped_and_resumed_run_equals_one_that_was_not(whole: RunLayout, tmp_path: Path) -> None:
    plan, progress = _plan(), StopAfter(1300)
    train_small(tmp_path, "matches", plan, progress=progress, stop=progress.stop)

    outcome = resume_small(tmp_path, "matches", plan)

    ours, theirs = newest_resume_point(whole).training, newest_resume_point(outcome.layout).training
    assert _without_hashes(ours.values) == _without_hashes(theirs.values)
    assert ours.snapshots == theirs.snapshots
    assert ours.tensors.keys() == theirs.tensors.keys()
    for name, tensor in ours.tensors.items():
        assert np.array_equal(tensor.numpy(), theirs.tensors[name].numpy()), name
    assert read_matches(whole) == read_matches(outcome.layout)
    assert read_ratings(whole) == read_ratings(outcome.layout)
    assert rows_without_wall_clock(whole) == rows_without_wall_clock(outcome.layout)
    assert [entry["event"] for entry in read_audit(outcome.layout)].count("resumed") == 1


@pytest.mark.slow
def test_bots_among_the_opponents_go_on_where_they_were(tmp_path: Path) -> None:
    plan = _plan(self_play={"scripts": ["hunter", "stalker"], "pool_every": None})
    whole = train_small(tmp_path / "whole", "bots", plan).layout
    progress = StopAfter(1000)
    train_small(tmp_path / "parts", "bots", plan, progress=progress, stop=progress.stop)

    outcome = resume_small(tmp_path / "parts", "bots", plan)

    ours, theirs = newest_resume_point(whole).training, newest_resume_point(outcome.layout).training
    assert {match["opponent"] for match in read_matches(whole)} == {"hunter", "stalker"}
    assert ours.snapshots == theirs.snapshots
    remembered = ours.tensors["matches.bot_memory.stalker"]
    assert remembered.numpy().any()
    assert ours.tensors.keys() == theirs.tensors.keys()
    for name, tensor in ours.tensors.items():
        assert np.array_equal(tensor.numpy(), theirs.tensors[name].numpy()), name


def test_remote_workers_meet_no_bots() -> None:
    with refused(ConfigError, "workers_exclude_bots", bot="hunter"):
        check_workers(_plan(self_play={"scripts": ["idle", "hunter"], "pool_every": None}), 2)


@pytest.mark.slow
def test_every_window_has_the_stage_of_the_curriculum(tmp_path: Path) -> None:
    plan = _plan(self_play=None, config={"seats": 1}, curriculum={"last": 3}, steps=1280)

    layout = train_small(tmp_path, "stages", plan).layout

    rows = rows_without_wall_clock(layout)
    assert [row["curriculum_stage"] for row in rows] == [1] * len(rows)
    assert {match["stage"] for match in read_matches(layout)} == {1}
    assert all(match["opponent"] == "stage" for match in read_matches(layout))


@pytest.mark.slow
def test_promoted_policies_are_opponents_until_they_retire(tmp_path: Path) -> None:
    copies, brief = 8, {"stage": 2, "seats": 2, "observation": "compact", "time_limit_s": 20}
    pool = {"pool_every": 2, "pool_size": 2, "self_share": 0.1, "scripts": ["idle"]}
    layout = train_small(
        tmp_path, "pool", _plan(config=brief, copies=copies, steps=6144, execution={"lane_copies": 4}, self_play=pool)
    ).layout
    audit, ratings = read_audit(layout), read_ratings(layout)
    promoted = {entry["who"]: entry["env_steps"] for entry in audit if entry["event"] == "promoted"}
    retired = {entry["who"]: entry["env_steps"] for entry in audit if entry["event"] == "retired"}

    begun: dict[int, int] = {}
    met = set()
    for match in read_matches(layout):
        opened_at = begun.get(match["copy"], 0) * copies
        begun[match["copy"]] = match["step"]
        if match["opponent"] in promoted:
            met.add(match["opponent"])
            assert promoted[match["opponent"]] <= opened_at <= retired.get(match["opponent"], 6144), match

    assert list(promoted) == [f"update-{number:06d}" for number in range(2, 25, 2)]
    assert len(promoted) - len(retired) == 2
    assert len(met) > len(promoted) // 2, "most snapshots of the pool played no match"
    assert ratings is not None
    assert met <= dict(ratings.ratings).keys()
    for entry in audit:
        if entry["event"] == "retired":
            assert entry["checkpoint_sha256"] == file_sha256(
                layout.directory / "matches" / "pool" / f"{entry['who']}.safetensors"
            )


def test_a_teacher_demonstrates_in_every_stage_of_the_curriculum_and_against_every_script_of_the_pool(
    tmp_path: Path,
) -> None:
    stages = _plan(self_play=None, config={"seats": 1}, curriculum={"first": 2, "last": 4})
    scripts = _plan(self_play={"scripts": ["idle", "kiter"]})

    demonstrated = [
        SelfPlayCallback(plan, RunLayout(tmp_path), SystemClock()).demonstrated_configs() for plan in (stages, scripts)
    ]

    assert [config.model_dump()["stage"] for config in demonstrated[0]] == [2, 3, 4]
    assert [config.model_dump()["opponents"] for config in demonstrated[1]] == ["idle", "kiter"]


def _without_hashes(values: RawObject) -> RawObject:
    return {**values, "matches": {**values["matches"], "snapshots": list(values["matches"]["snapshots"])}}
