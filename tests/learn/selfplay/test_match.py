"""The stored state of matches keeps its keys."""

import pytest

from diorama.contracts.errors import DocumentError
from diorama.learn.selfplay.match import (
    CurriculumState,
    Match,
    MatchesState,
    MatchmakerState,
    TallyState,
    outcome_label,
)
from tests.refusals import refused

STORED = {
    "matchmaker": {
        "steps": 7,
        "ratings": {"idle": 1000.0, "learner": 1010.0},
        "pool": {"idle": [1.0, 0.5]},
        "ladder": {"place": 1, "scores": [1.0]},
        "tally": {
            "results_by_opponent": {"idle": {"win": 1, "draw": 0, "loss": 0}},
            "results_by_stage": {},
            "decisions": 3,
            "ended": 1,
            "parts": [0.5],
            "states": [],
        },
    },
    "playing": [{"number": 2, "stage": 1, "lesson": 0, "opponent": "idle", "side": -1, "station": 1}],
    "recorded": 1,
    "snapshots": {"update-000050": "ab"},
}


def test_a_state_is_stored_under_the_keys_that_earlier_versions_read() -> None:
    state = MatchesState(
        matchmaker=MatchmakerState(
            steps=7,
            ratings={"idle": 1000.0, "learner": 1010.0},
            pool={"idle": [1.0, 0.5]},
            curriculum=CurriculumState(stage_index=1, scores=[1.0]),
            tally=TallyState(
                results_by_opponent={"idle": {"win": 1, "draw": 0, "loss": 0}},
                results_by_stage={},
                decisions=3,
                ended=1,
                parts=[0.5],
                states=[],
            ),
        ),
        playing=[Match(number=2, stage=1, lesson=0, opponent="idle", side=-1, side_override=1)],
        recorded=1,
        snapshots={"update-000050": "ab"},
    )

    assert state.to_json() == STORED
    assert MatchesState.from_json(STORED) == state  # type: ignore[arg-type]


def test_results_that_ratings_are_fitted_to_are_stored_beside_and_may_be_missing() -> None:
    results = {"learner": {"idle": [1.0]}, "snapshots": {"update-000050": {"idle": [3, 1.5]}}}
    stored = {**STORED, "matchmaker": {**STORED["matchmaker"], "results": results}}  # type: ignore[dict-item]

    state = MatchesState.from_json(stored)  # type: ignore[arg-type]

    assert state.matchmaker.results is not None
    assert state.matchmaker.results.snapshots == {"update-000050": {"idle": (3, 1.5)}}
    assert MatchesState.from_json(state.to_json()) == state
    assert MatchesState.from_json(STORED).matchmaker.results is None  # type: ignore[arg-type]


def test_a_document_of_another_form_is_refused() -> None:
    with refused(DocumentError, "match_state_invalid"):
        MatchesState.from_json({"matchmaker": None})


@pytest.mark.parametrize(("score", "label"), [(1.0, "win"), (0.5, "draw"), (0.0, "loss")])
def test_a_score_has_a_label(score: float, label: str) -> None:
    assert outcome_label(score) == label
