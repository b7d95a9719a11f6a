"""What a run says about itself: metadata, configuration, windows, matches; listed, read and watched."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.runs.catalogue import Catalogue
from diorama.runs.layout import RunLayout
from diorama.runs.matches import read_audit, read_matches, read_ratings
from diorama.runs.metadata import is_stale
from diorama.runs.run import Run, open_run
from diorama.runs.windows.state import AggregatorState
from diorama.training.presets import Layer, settings_of
from diorama.training.run_directory import stored_settings
from tests.fuzz.damage import damaged_bytes, damaged_json, damaged_lines, damaged_value
from tests.fuzz.effort import examples, read_or_refused
from tests.runs.factories import empty_run, metadata
from tests.training.small_runs import SMALL

READERS: tuple[Callable[[RunLayout], object], ...] = (read_matches, read_audit, read_ratings)
NOW = datetime(2031, 5, 6, 8, tzinfo=UTC)
WINDOW: dict[str, Any] = {
    "window_id": 0,
    "env_steps_total": 10,
    "return_mean": None,
    "profit_mean": 1.5,
    "end_reason_counts": {},
}


@pytest.fixture
def layout(tmp_path: Path) -> RunLayout:
    return empty_run(tmp_path / "runs")


def test_whatever_metadata_says_it_is_listed_and_read_or_refused(layout: RunLayout) -> None:
    latest = {
        "latest_window": {
            "window_id": 1,
            "window_complete": True,
            "env_steps_start": 0,
            "env_steps_end": 9,
            "env_steps_in_window": 9,
            "env_steps_total": 9,
            "metrics_row_path": "metrics/windows.jsonl",
        },
        "latest_replay": {"replay_id": "x", "steps": 3},
    }
    whole = {**json.loads(layout.metadata.read_text()), **latest}

    @examples(5)
    @given(data=damaged_json(whole))
    def check(data: bytes) -> None:
        layout.metadata.write_bytes(data)
        catalogue = Catalogue(layout.directory.parent)
        try:
            assert [row.run_id for row in catalogue.runs().rows] == ["run-a"]
        finally:
            catalogue.close()
        with read_or_refused():
            is_stale(Run(layout).metadata(), now=NOW, limit=timedelta(minutes=1))

    check()


def test_whatever_the_configuration_of_a_run_holds_it_is_read_or_refused(layout: RunLayout) -> None:
    whole = settings_of([Layer(source="small", values=SMALL)]).model_dump(mode="json")

    @examples(5)
    @given(data=damaged_json(whole))
    def check(data: bytes) -> None:
        layout.config.write_bytes(data)
        with read_or_refused():
            stored_settings(Run(layout))

    check()


def test_whatever_the_lines_of_a_run_hold_they_are_read_or_refused(layout: RunLayout) -> None:
    matches = layout.directory / "matches"
    matches.mkdir()

    @examples(5)
    @given(
        data=damaged_lines([WINDOW, WINDOW]),
        ratings=damaged_json(
            {
                "matches": 3,
                "anchor": "a",
                "ratings": [["a", 0.0], ["b", 1.5]],
                "estimates": [{"name": "b", "rating": 1.5, "margin": 9.0, "matches": 3}],
            }
        ),
    )
    def check(data: bytes, ratings: bytes) -> None:
        for path in (layout.windows, matches / "results_000000.jsonl", matches / "audit.jsonl"):
            path.write_bytes(data)
        (matches / "ratings.json").write_bytes(ratings)
        with read_or_refused():
            Run(layout).windows()
        for read in READERS:
            with read_or_refused():
                read(layout)

    check()


@examples(5)
@given(
    stored=damaged_value(
        {
            "window_env_steps": 10,
            "totals": {
                "windows": 1,
                "env_steps": 10,
                "agent_steps": 10,
                "ticks": 9,
                "episodes": 0,
                "policy_updates": 0,
            },
            "tally": {},
            "returns": [0.0, 1.0],
            "lengths": [3, 4],
            "trainer": {"entropy": None},
            "phase_seconds": {},
            "wall_seconds": 1.5,
        }
    ).filter(lambda value: isinstance(value, dict) and "\\ud800" not in json.dumps(value))
)
def test_whatever_the_state_of_the_windows_is_it_is_taken_over_or_refused(stored: dict[str, Any]) -> None:
    with read_or_refused():
        AggregatorState.from_json(stored)


@examples(5)
@given(name=st.text(max_size=200) | damaged_bytes(b"run-a").map(lambda data: data.decode("latin-1")))
def test_whatever_a_run_is_called_it_is_found_or_refused(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    with read_or_refused():
        open_run(tmp_path_factory.getbasetemp(), name)


def test_the_whole_metadata_is_read(layout: RunLayout) -> None:
    assert Run(layout).metadata() == metadata()
