import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock

import msgspec
import pytest

from diorama.contracts.spec import Better
from diorama.runs.catalogue import Catalogue, scan
from diorama.runs.documents import replace_document
from diorama.runs.metadata import RunMetadata, RunStatus
from diorama.runs.replays.index import ReplayFilter
from diorama.runs.run import open_run
from tests.runs.factories import empty_run, metadata, recorded

NAME = ".catalogue.sqlite"


def listed(catalogue: Catalogue, world: str | None = None) -> list[tuple[str, str]]:
    return [(row.run_id, row.status) for row in catalogue.runs(world=world).rows]


def rewrite(runs_root: Path, run_id: str, **changes: object) -> RunMetadata:
    changed = msgspec.structs.replace(metadata(run_id), **changes)
    replace_document(runs_root / run_id / "run_metadata.json", changed)
    return changed


def test_runs_are_listed_newest_first_with_a_limit(tmp_path: Path) -> None:
    for day, run_id in ((2, "b"), (3, "a"), (1, "c")):
        empty_run(tmp_path, run_id)
        rewrite(tmp_path, run_id, updated_at=f"2031-05-0{day}T00:00:00.000Z")
    catalogue = Catalogue(tmp_path)

    everything, two = catalogue.runs(), catalogue.runs(limit=2)

    assert [row.run_id for row in everything.rows] == ["a", "b", "c"]
    assert [row.run_id for row in two.rows] == ["a", "b"]
    assert everything.total == two.total == 3
    assert everything.rows[0].metadata == open_run(tmp_path, "a").metadata()


def test_a_world_can_be_asked_for(tmp_path: Path) -> None:
    for run_id, world in (("a", "prospector"), ("b", "tidebreak")):
        empty_run(tmp_path, run_id)
        rewrite(tmp_path, run_id, world=world)
    catalogue = Catalogue(tmp_path)

    assert listed(catalogue, "tidebreak") == [("b", "running")]
    assert catalogue.runs(world="tidebreak").total == 1


def test_runs_are_searched_in_id_world_status_and_tags(tmp_path: Path) -> None:
    for run_id, world, status in (
        ("alpha", "prospector", RunStatus.RUNNING),
        ("beta", "tidebreak", RunStatus.FAILED),
        ("gamma_1", "prospector", RunStatus.COMPLETED),
    ):
        empty_run(tmp_path, run_id)
        rewrite(tmp_path, run_id, world=world, status=status)
    recorded(open_run(tmp_path, "alpha").layout, bot="idle", max_steps=3)
    catalogue = Catalogue(tmp_path)

    def found(search: str) -> list[str]:
        listing = catalogue.runs(search=search)
        assert listing.total == len(listing.rows)
        return sorted(row.run_id for row in listing.rows)

    assert found("ALPHA") == ["alpha"]
    assert found("prospector") == ["alpha", "gamma_1"]
    assert found("failed") == ["beta"]
    assert found("best_so") == ["alpha"]
    assert found("_") == ["alpha", "gamma_1"]
    assert found("%") == []
    assert found("") == ["alpha", "beta", "gamma_1"]
    assert catalogue.runs(search="prospector", limit=1).total == 2


def test_pages_of_runs_follow_one_another(tmp_path: Path) -> None:
    for number in range(5):
        empty_run(tmp_path, f"run-{number}")
    catalogue = Catalogue(tmp_path)

    pages = [catalogue.runs(limit=2, offset=offset) for offset in (0, 2, 4, 6)]

    assert [[row.run_id for row in page.rows] for page in pages] == [
        ["run-4", "run-3"],
        ["run-2", "run-1"],
        ["run-0"],
        [],
    ]
    assert {page.total for page in pages} == {5}


def test_a_run_knows_the_tags_of_its_replays(tmp_path: Path) -> None:
    layout = empty_run(tmp_path, "a")
    recorded(layout, bot="idle", max_steps=3)
    recorded(layout, bot="cash_out", max_steps=1, milestones={"survival": [1.0]})

    (row,) = Catalogue(tmp_path).runs().rows

    assert row.tags == ("best_so_far", "every_window", "milestone:survival:1")


def test_a_link_or_a_pipe_in_place_of_metadata_is_unreadable(tmp_path: Path) -> None:
    outside = empty_run(tmp_path / "others", "b").metadata
    linked, piped = empty_run(tmp_path / "runs", "linked"), empty_run(tmp_path / "runs", "piped")
    linked.metadata.unlink()
    linked.metadata.symlink_to(outside)
    piped.metadata.unlink()
    os.mkfifo(piped.metadata)

    rows = {row.run_id: row for row in Catalogue(tmp_path / "runs").runs().rows}

    assert {row.status for row in rows.values()} == {"unreadable"}
    assert "is a link" in str(rows["linked"].problem)
    assert "is no file" in str(rows["piped"].problem)


class CountedLock:
    """A lock that says when so many have asked for it."""

    def __init__(self, wanted: int) -> None:
        self.all_asked = Event()
        self._wanted = wanted
        self._asked: list[None] = []
        self._lock = Lock()

    def __enter__(self) -> None:
        self._asked.append(None)
        if len(self._asked) == self._wanted:
            self.all_asked.set()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_those_who_wait_for_the_same_look_share_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_run(tmp_path, "a")
    catalogue = Catalogue(tmp_path)
    lock = CountedLock(8)
    monkeypatch.setattr(catalogue, "_lock", lock)
    looks: list[Path] = []
    real = scan.refresh

    def slow(connection: sqlite3.Connection, root: Path) -> int:
        looks.append(root)
        assert lock.all_asked.wait(20)
        return real(connection, root)

    monkeypatch.setattr("diorama.runs.catalogue.catalogue.refresh", slow)
    with ThreadPoolExecutor(8) as pool:
        totals = set(pool.map(lambda _: catalogue.runs().total, range(8)))

    assert totals == {1}
    assert len(looks) == 2  # one that began before the others asked, and one for all of them


@pytest.mark.parametrize("text", ["", "{", '{"schema_version": 1}', "rubbish\xff"])
def test_unreadable_metadata_is_listed_and_does_not_fail_the_list(text: str, tmp_path: Path) -> None:
    empty_run(tmp_path, "good")
    layout = empty_run(tmp_path, "bad")
    layout.metadata.write_bytes(text.encode("latin-1"))
    (tmp_path / "empty").mkdir()
    catalogue = Catalogue(tmp_path)

    rows = {row.run_id: row for row in catalogue.runs().rows}

    assert {run_id: row.status for run_id, row in rows.items()} == {
        "good": "running",
        "bad": "unreadable",
        "empty": "unreadable",
    }
    assert rows["bad"].metadata is None
    assert "run_metadata.json" in str(rows["bad"].problem)


def test_what_can_be_no_run_is_left_out(tmp_path: Path) -> None:
    empty_run(tmp_path, "good")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "with space").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "good")

    assert listed(Catalogue(tmp_path)) == [("good", "running")]


def test_changes_on_the_disk_are_seen_and_the_rest_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for run_id in ("a", "b", "c"):
        empty_run(tmp_path, run_id)
    catalogue = Catalogue(tmp_path)
    catalogue.runs()
    stored: list[str] = []
    real = scan._store

    def watched(connection: sqlite3.Connection, item: scan._Seen) -> None:
        stored.append(item.layout.run_id)
        real(connection, item)

    monkeypatch.setattr(scan, "_store", watched)

    catalogue.runs()
    unchanged = list(stored)
    rewrite(tmp_path, "b", status=RunStatus.COMPLETED, updated_at="2031-06-01T00:00:00.000Z")
    after = listed(catalogue)

    assert unchanged == []
    assert stored == ["b"]
    assert after == [("b", "completed"), ("c", "running"), ("a", "running")]


def test_a_run_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    layout = empty_run(tmp_path, "a")
    recorded(layout, bot="idle", max_steps=3)
    catalogue = Catalogue(tmp_path)
    before = len(catalogue.replays(ReplayFilter()))

    layout.directory.rename(tmp_path / ".away")

    assert before == 1
    assert listed(catalogue) == []
    assert catalogue.replays(ReplayFilter()) == []


def test_replays_of_all_runs_are_found_by_filter(tmp_path: Path) -> None:
    first, second = empty_run(tmp_path, "a"), empty_run(tmp_path, "b")
    one = recorded(first, bot="idle", max_steps=3, window_id=1)
    two = recorded(second, bot="idle", max_steps=4, window_id=2)
    three = recorded(first, bot="idle", max_steps=2, window_id=3, seed=9)
    catalogue = Catalogue(tmp_path)

    assert catalogue.replays(ReplayFilter()) == [three, two, one]
    assert catalogue.replays(ReplayFilter(limit=1)) == [three]
    assert catalogue.replays(ReplayFilter(), run_id="b") == [two]
    assert catalogue.replays(ReplayFilter(tag="best_so_far")) == [three, two, one]
    assert catalogue.replays(ReplayFilter(window_id=1), world="prospector") == [one]
    assert catalogue.replays(ReplayFilter(), world="tidebreak") == []
    assert {row.run_id: row.replay_count for row in catalogue.runs().rows} == {"a": 2, "b": 1}


def test_a_broken_index_is_told_and_does_not_hide_the_run(tmp_path: Path) -> None:
    layout = empty_run(tmp_path, "a")
    layout.replay_index.write_text("{")

    (row,) = Catalogue(tmp_path).runs().rows

    assert (row.status, row.replay_count) == ("running", 0)
    assert "replay_index.json" in str(row.problem)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda path: path.unlink(), id="missing"),
        pytest.param(lambda path: path.write_bytes(b"not a database at all" * 100), id="rubbish"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:5000] + b"\xff" * 9000), id="corrupt"),
        pytest.param(lambda path: _set_version(path, 99), id="another-version"),
    ],
)
def test_a_cache_that_cannot_be_used_is_made_anew(spoil: Callable[[Path], object], tmp_path: Path) -> None:
    for number in range(20):
        empty_run(tmp_path, f"run-{number:02d}")
    first = Catalogue(tmp_path)
    expected = first.runs()
    first.close()

    spoil(tmp_path / NAME)
    catalogue = Catalogue(tmp_path)

    assert catalogue.runs() == expected
    assert (tmp_path / NAME).exists()


def test_a_cache_that_breaks_while_it_is_open_is_made_anew(tmp_path: Path) -> None:
    empty_run(tmp_path, "a")
    catalogue = Catalogue(tmp_path)
    catalogue.runs()
    with sqlite3.connect(tmp_path / NAME) as other:
        other.execute("DROP TABLE replays")

    empty_run(tmp_path, "b")

    assert listed(catalogue) == [("b", "running"), ("a", "running")]


def test_a_root_that_does_not_exist_has_no_runs(tmp_path: Path) -> None:
    catalogue = Catalogue(tmp_path / "none")

    assert catalogue.runs().rows == ()
    assert not (tmp_path / "none").exists()


def test_a_root_where_nothing_can_be_written_is_listed_all_the_same(tmp_path: Path) -> None:
    empty_run(tmp_path, "a")
    (tmp_path / NAME).mkdir()  # no database can be opened there

    assert listed(Catalogue(tmp_path)) == [("a", "running")]


def test_several_threads_and_connections_may_list_at_once(tmp_path: Path) -> None:
    for number in range(30):
        empty_run(tmp_path, f"run-{number:02d}")
    shared = Catalogue(tmp_path)

    with ThreadPoolExecutor(8) as pool:
        totals = list(pool.map(lambda n: (shared if n % 2 else Catalogue(tmp_path)).runs().total, range(24)))

    assert totals == [30] * 24


def test_a_look_at_thousands_of_runs_holds_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diorama.runs.catalogue.catalogue.MANY_RUNS", 2)
    empty_run(tmp_path, "a")
    catalogue = Catalogue(tmp_path)
    few = catalogue.runs().total
    empty_run(tmp_path, "b")
    many = catalogue.runs().total
    empty_run(tmp_path, "c")

    at_once = catalogue.runs().total
    monkeypatch.setattr(catalogue, "_holds_until", 0.0)  # as if the while were over

    assert (few, many, at_once) == (1, 2, 2)
    assert catalogue.runs().total == 3


def test_thousands_of_runs_are_read_once(tmp_path: Path) -> None:
    document = (empty_run(tmp_path, "model").metadata).read_bytes()
    for number in range(2000):
        directory = tmp_path / f"run-{number:04d}"
        directory.mkdir()
        (directory / "run_metadata.json").write_bytes(document.replace(b'"model"', f'"{directory.name}"'.encode()))
    Catalogue(tmp_path).runs(limit=1)

    again = Catalogue(tmp_path).runs(limit=5)

    assert again.total == 2001
    assert [row.run_id for row in again.rows] == ["run-1999", "run-1998", "run-1997", "run-1996", "run-1995"]


def _set_version(path: Path, version: int) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version={version}")


def test_the_best_replay_is_found_whichever_way_a_metric_improves(tmp_path: Path) -> None:
    rich = recorded(empty_run(tmp_path, "rich"), bot="prudent_hauler", seed=7)
    poor = recorded(empty_run(tmp_path, "poor"), bot="cash_out", seed=7)
    catalogue = Catalogue(tmp_path)

    best = catalogue.best_replay("prospector", "net_profit", Better.HIGHER)
    least = catalogue.best_replay("prospector", "net_profit", Better.LOWER)

    assert (best, least) == (("rich", rich), ("poor", poor))
    assert catalogue.best_replay("townlet", "net_profit", Better.HIGHER) is None
    catalogue.close()
