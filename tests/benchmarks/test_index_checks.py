"""The stability runner finds what it looks for."""

from pathlib import Path

import msgspec
import pytest

from diorama.runs.documents import RawObject, replace_document
from diorama.runs.replays.index import read_index
from diorama.runs.run import Run, open_run
from harness.hammer import Question, hammer
from harness.index_checks import index_problems
from harness.long_replay import LONG_ID, make_long_replay
from harness.servers import RunningServer
from tests.server.loopback import serving

FRAMES = 300


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run with two replays of window 0, which is one too many."""
    make_long_replay(tmp_path, "run", "prospector", frames=FRAMES)
    return open_run(tmp_path, "run")


def test_a_made_replay_is_as_long_as_asked_and_valid_frame_by_frame(run: Run) -> None:
    entry = run.replay_index().entry(LONG_ID)

    problems = index_problems(run, windows=1)

    assert entry.steps == FRAMES
    assert [problem.partition(":")[2] for problem in problems] == [
        " replays belong to windows [0, 0]; there must be one for each of 0..0"
    ]


def test_a_cut_file_is_found(run: Run) -> None:
    path = run.layout.replay(LONG_ID)
    path.write_bytes(path.read_bytes()[:-100])

    problems = index_problems(run, windows=1)

    assert any(LONG_ID in problem and "cut short" in problem for problem in problems)


def test_an_index_of_another_run_and_an_unknown_latest_replay_are_found(run: Run) -> None:
    entries = [msgspec.structs.replace(entry, run_id="other").to_json() for entry in read_index(run.layout).entries]
    stored: RawObject = {
        "schema_version": 1,
        "run_id": "run",
        "updated_at": "2031-05-06T07:08:09.000Z",
        "entries": entries[:1],
    }
    replace_document(run.layout.replay_index, stored)

    problems = " ".join(index_problems(run, windows=1))

    assert "says that it is of run 'other'" in problems
    assert f"latest_replay '{LONG_ID}' is not in the index" in problems


def test_empty_answers_are_found(tmp_path: Path) -> None:
    with serving(tmp_path) as loopback:
        server = RunningServer(base_url=loopback.base_url, pid=0, listening_seconds=0.0, healthy_seconds=0.0)

        problems = hammer(server, Question(name="catalogue", path="/api/runs", key="total", times=3))

    assert problems == ["catalogue: 3 of 3 answers of /api/runs are empty"]
