"""What is shown of errors does not tell where the runs lie on the machine, and says everything else as it is."""

from pathlib import Path

import httpx
import pytest

from diorama.runs.catalogue import Catalogue
from diorama.runs.run import run_ids
from diorama.server.errors import without_root
from tests.runs.factories import empty_run
from tests.server.loopback import serving

ROOT = "/srv/data/runs"


@pytest.mark.parametrize(
    ("root", "text", "shown"),
    [
        pytest.param(
            "runs",
            "there is no run 'x'; /api/runs lists those",
            "there is no run 'x'; /api/runs lists those",
            id="address",
        ),
        pytest.param("runs", "2 runs wait", "2 runs wait", id="word"),
        pytest.param("runs", "runs/a/config.json: broken", "a/config.json: broken", id="relative"),
        pytest.param("runs", "old-runs/a and my.runs/a", "old-runs/a and my.runs/a", id="end-of-a-name"),
        pytest.param("runs", "{here}/runs/a/b is gone", "a/b is gone", id="relative-written-out"),
        pytest.param(ROOT, f"{ROOT}/a/b.json: broken", "a/b.json: broken", id="below"),
        pytest.param(ROOT, f"cannot read '{ROOT}'.", "cannot read 'the run root'.", id="itself"),
        pytest.param(ROOT, f"in {ROOT}.", "in the run root.", id="end-of-a-sentence"),
        pytest.param(ROOT, f"in {ROOT}/: no", "in the run root: no", id="with-a-slash"),
        pytest.param(ROOT, f"{ROOT}/.scoreboard/x", ".scoreboard/x", id="hidden"),
        pytest.param(ROOT, f"{ROOT}-old/a", f"{ROOT}-old/a", id="longer-name"),
        pytest.param(ROOT, f"/backup{ROOT}/a", f"/backup{ROOT}/a", id="end-of-a-path"),
        pytest.param("/r", "/api/r/x and /r/x", "/api/r/x and x", id="short"),
    ],
)
def test_where_the_runs_lie_is_taken_out_of_a_text_and_nothing_else(root: str, text: str, shown: str) -> None:
    assert without_root(text.format(here=Path.cwd()), Path(root)) == shown


def test_a_broken_run_is_listed_without_where_it_lies(tmp_path: Path) -> None:
    empty_run(tmp_path / "runs", "broken").metadata.write_text("{")
    with serving(tmp_path / "runs") as server:
        (row,) = httpx.get(f"{server.base_url}/api/runs").json()["runs"]

    assert row["run_id"] == "broken"
    assert str(tmp_path) not in row["problem"]
    assert "metadata.json" in row["problem"]


def test_what_is_counted_is_what_is_listed(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    empty_run(root, "one")
    empty_run(tmp_path / "elsewhere", "two")
    (root / "two").symlink_to(tmp_path / "elsewhere" / "two")
    (root / "three").write_text("no run")
    catalogue = Catalogue(root)

    listed = [row.run_id for row in catalogue.runs().rows]
    catalogue.close()

    assert run_ids(root) == listed == ["one"]
