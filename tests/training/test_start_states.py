"""Runs whose episodes begin in stored states: every source, an exact resume, windows, and what is refused."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from diorama.contracts.errors import ConfigError, DioramaError, DocumentError, ReplayDiverged, UnknownName
from diorama.learn.settings.starts import StartSource, StartsSettings
from diorama.learn.start_library import StartLibrary
from diorama.runs.checkpoints.resume import newest_resume_point
from diorama.runs.layout import RunLayout
from diorama.runs.replays.rerun import Divergence, rerun_frame
from diorama.runs.run import Run
from diorama.training import start_states
from diorama.training.plan import check_processes, check_workers
from diorama.training.start_states import fill_library, open_start_replays
from tests.refusals import refused
from tests.training.small_runs import (
    SMALL_MATCHES,
    StopAfter,
    assert_same_training,
    resume_small,
    small_plan,
    train_small,
)
from tests.training.test_compatibility import planned

SHORT: dict[str, Any] = {"config": {"reward_profile": "v2", "time_max": 120.0}}
DEMONSTRATED: dict[str, Any] = {
    "sources": ["demonstrations", "rollouts"],
    "bot": "prudent_hauler",
    "decisions": 600,
    "every_decisions": 20,
    "library_size": 30,
    "sampling": "advantage",
}
FIELDS = {"stored_start_episodes", "stored_start_return_mean", "stored_start_length_mean"}


def library_of(**starts: Any) -> StartLibrary:
    plan = small_plan(**SHORT, starts=starts)
    assert plan.settings.starts is not None
    library = StartLibrary(plan.settings.starts)
    fill_library(plan, plan.settings.starts, library)
    return library


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> RunLayout:
    """A run with replays."""
    root = tmp_path_factory.mktemp("runs")
    evaluation = {"replays_per_window": 1, "max_steps_per_episode": 55, "closing_episodes": 0}
    plan = small_plan(**SHORT, steps=2048, windows={"env_steps": 1024}, evaluation=evaluation)
    return train_small(root, "replayed", plan).layout


def test_a_stopped_run_with_start_states_continues_exactly(tmp_path: Path) -> None:
    plan = small_plan(**SHORT, starts=DEMONSTRATED)
    whole = train_small(tmp_path, "whole", plan).layout
    stopping = StopAfter(2000)
    train_small(tmp_path, "halved", plan, progress=stopping, stop=stopping.stop)
    halved = resume_small(tmp_path, "halved", plan).layout

    assert_same_training(whole, halved)
    tensors = newest_resume_point(whole).training.tensors
    assert len(tensors["starts.numbers"]) == 30


def test_windows_count_episodes_from_stored_states_apart(tmp_path: Path) -> None:
    layouts = {
        share: train_small(tmp_path, name, small_plan(**SHORT, starts={**DEMONSTRATED, "ordinary_share": share})).layout
        for share, name in ((0.0, "none"), (0.5, "some"), (1.0, "all"))
    }
    rows = {share: [*Run(layout).windows()] for share, layout in layouts.items()}
    ordinary = {share: sum(row["episodes_completed"] for row in found) for share, found in rows.items()}
    stored = {share: sum(row["stored_start_episodes"] for row in found) for share, found in rows.items()}

    assert ordinary[0.0] == stored[1.0] == 0
    assert stored[0.0] > 0
    assert ordinary[1.0] > 0
    assert ordinary[0.5] > 0
    assert stored[0.5] > 0
    assert all(row["return_mean"] is None for row in rows[0.0])
    assert all(row["stored_start_return_mean"] is None for row in rows[1.0])


def test_a_share_of_one_and_no_section_write_the_same_windows(tmp_path: Path) -> None:
    plain = train_small(tmp_path, "plain", small_plan(**SHORT)).layout
    starts = train_small(tmp_path, "starts", small_plan(**SHORT, starts={"ordinary_share": 1.0})).layout
    clock = {"wall_seconds", "steps_per_sec", "created_at", "run_id", "seconds_env", "seconds_policy", "seconds_learn"}

    for without, with_starts in zip(Run(plain).windows(), Run(starts).windows(), strict=True):
        assert with_starts.keys() - without.keys() == FIELDS
        assert all(without[name] == with_starts[name] for name in without.keys() - clock)


def test_a_bot_gives_states_of_its_episodes() -> None:
    library = library_of(sources=["demonstrations"], bot="prudent_hauler", decisions=800, every_decisions=25)

    assert {state.source for state in library.states} == {StartSource.DEMONSTRATIONS}
    assert 20 <= len(library) <= 32
    assert len({state.data for state in library.states}) == len(library)


def test_replays_give_states_of_their_episodes_by_file_and_by_run(replayed: RunLayout) -> None:
    entries = Run(replayed).replay_index().entries
    by_run = library_of(sources=["replays"], replays=[str(replayed.directory)], every_decisions=10)
    files = [str(replayed.replay(entry.replay_id)) for entry in entries]
    by_file = library_of(sources=["replays"], replays=files, every_decisions=10)

    assert by_run.states == by_file.states
    assert len(by_run) == sum(entry.steps // 10 for entry in entries) > 0
    assert {state.source for state in by_run.states} == {StartSource.REPLAYS}


def test_a_run_begins_with_states_of_replays(replayed: RunLayout, tmp_path: Path) -> None:
    starts = {"sources": ["replays"], "replays": [str(replayed.directory)], "every_decisions": 10, "ordinary_share": 0}
    layout = train_small(tmp_path, "again", small_plan(**SHORT, starts=starts)).layout

    assert sum(row["episodes_completed"] for row in Run(layout).windows()) == 0
    assert sum(row["stored_start_episodes"] for row in Run(layout).windows()) > 0


def test_a_replay_that_comes_out_otherwise_gives_no_states(
    replayed: RunLayout, monkeypatch: pytest.MonkeyPatch
) -> None:
    diverged = Divergence(frame=3, field="reward", recorded=1.0, rerun=2.0)
    monkeypatch.setattr(
        start_states, "rerun_frame", lambda *args, **kwargs: replace(rerun_frame(*args, **kwargs), divergence=diverged)
    )

    with refused(ReplayDiverged, "start_replay_diverged"):
        library_of(sources=["replays"], replays=[str(replayed.directory)], every_decisions=10)


def test_replays_of_another_configuration_or_place_are_refused(replayed: RunLayout, tmp_path: Path) -> None:
    def settings(path: str) -> StartsSettings:
        return StartsSettings(sources=(StartSource.REPLAYS,), replays=(path,))

    other = small_plan(config={"time_max": 90.0})
    with refused(ConfigError, "start_replay_of_another_configuration"):
        open_start_replays(other, settings(str(replayed.directory)))
    with refused(UnknownName, "start_replays_missing"):
        open_start_replays(other, settings(str(tmp_path)))
    with pytest.raises(UnknownName):
        open_start_replays(other, settings(str(tmp_path / "replays" / "none.jsonl.gz")))
    broken = tmp_path / "run" / "replays" / "broken.meta.json"
    broken.parent.mkdir(parents=True)
    broken.write_text("{")
    with pytest.raises(DocumentError):
        open_start_replays(other, settings(str(broken.with_name("broken.jsonl.gz"))))


@pytest.mark.parametrize(
    ("world", "values", "error", "code"),
    [
        pytest.param("morphogenesis", {}, ConfigError, "starts_need_copies_of_their_own", id="shared-clock"),
        pytest.param("townlet", {"course": {}}, ConfigError, "starts_need_one_configuration", id="course"),
        pytest.param(
            "prospector", {"execution": {"pipeline": True}}, ConfigError, "starts_exclude_pipeline", id="pipeline"
        ),
        pytest.param(
            "prospector", {"starts": {"sources": ["demonstrations"]}}, ConfigError, "starts_need_bot", id="no-expert"
        ),
        pytest.param(
            "townlet",
            {"starts": {"sources": ["demonstrations"], "bot": "nobody"}},
            UnknownName,
            "unknown_bot",
            id="unknown-bot",
        ),
    ],
)
def test_start_states_that_cannot_be_used_are_refused(
    world: str, values: dict[str, Any], error: type[DioramaError], code: str
) -> None:
    with refused(error, code):
        planned(world, **{"starts": {}, **values})


def test_the_bot_is_that_of_cloning_or_the_expert_unless_named() -> None:
    demonstrations = {"starts": {"sources": ["demonstrations"]}}

    assert planned("townlet", **demonstrations).settings.starts is not None
    assert planned("prospector", **demonstrations, cloning={"bot": "prudent_hauler"}).settings.starts is not None


def test_other_processes_and_matches_are_refused() -> None:
    plan = small_plan(starts={})
    with refused(ConfigError, "distributed_excludes_section", section="starts"):
        check_processes(plan, 2)
    with refused(ConfigError, "distributed_excludes_section", section="starts"):
        check_workers(plan, 2)
    with pytest.raises(ConfigError, match="self_play"):
        small_plan(SMALL_MATCHES, starts={})
