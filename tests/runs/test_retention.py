"""Which runs go and which never do, and what a quota refuses."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.runs.clock import timestamp
from diorama.runs.documents import replace_document
from diorama.runs.layout import run_layout
from diorama.runs.locks import DirectoryLock
from diorama.runs.quota import QUOTA_VARIABLE, QuotaReached, bytes_below, check_quota
from diorama.runs.retention import Retention, plan_removal, remove_run
from diorama.runs.run import open_run, run_ids
from diorama.runs.writer import create_run
from tests.runs.factories import FakeClock, metadata

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def make_run(root: Path, run_id: str, *, days_old: float = 0.0, returns: float | None = None) -> None:
    """Make a run that was last written some days ago, with one window."""
    with create_run(root, metadata(run_id), {"world": "prospector"}, FakeClock()) as writer:
        layout = writer.layout
    kept = open_run(root, run_id).metadata()
    touched = timestamp(NOW - timedelta(days=days_old))
    replace_document(layout.metadata, msgspec.structs.replace(kept, updated_at=touched))
    if returns is not None:
        layout.windows.parent.mkdir(exist_ok=True)
        layout.windows.write_text(f'{{"window_id": 0, "return_mean": {returns}}}\n')


def fates(root: Path, retention: Retention, keep: tuple[str, ...] = ()) -> dict[str, bool]:
    """Return for every run whether it goes."""
    return {run.run_id: run.reason is not None for run in plan_removal(root, retention, NOW, keep)}


def test_runs_go_by_age_number_and_bytes_the_oldest_first(tmp_path: Path) -> None:
    for number in range(4):
        make_run(tmp_path, f"r{number}", days_old=10.0 * number)
    one = bytes_below(run_layout(tmp_path, "r0").directory)

    assert fates(tmp_path, Retention(age=timedelta(days=15))) == {"r0": False, "r1": False, "r2": True, "r3": True}
    assert fates(tmp_path, Retention(count=1)) == {"r0": False, "r1": True, "r2": True, "r3": True}
    assert fates(tmp_path, Retention(size_bytes=3 * one)) == {"r0": False, "r1": False, "r2": False, "r3": True}
    assert fates(tmp_path, Retention()) == dict.fromkeys(("r0", "r1", "r2", "r3"), False)


def test_the_best_the_written_and_the_named_never_go(tmp_path: Path) -> None:
    for run_id, returns in (("plain", 1.0), ("best", 9.0), ("named", 2.0), ("written", None)):
        make_run(tmp_path, run_id, days_old=99.0, returns=returns)
    lock = DirectoryLock(run_layout(tmp_path, "written").directory)

    planned = {run.run_id: run for run in plan_removal(tmp_path, Retention(count=0), NOW, ["named"])}
    lock.release()

    assert [run_id for run_id, run in planned.items() if run.reason is not None] == ["plain"]
    assert planned["best"].shield == "the best of prospector by return_mean"
    assert planned["written"].shield == "it is being written"
    assert planned["named"].shield == "named by --keep"


def test_the_run_a_champion_was_taken_from_never_goes(tmp_path: Path) -> None:
    from diorama.runs.champions import open_champion

    origin = open_champion("prospector").card().origin_run_id
    make_run(tmp_path, origin, days_old=99.0)

    (run,) = plan_removal(tmp_path, Retention(count=0), NOW)

    assert run.reason is None
    assert run.shield == "the champion of prospector was taken from it"


def test_a_run_that_cannot_be_read_is_left_alone(tmp_path: Path) -> None:
    make_run(tmp_path, "broken", days_old=99.0)
    run_layout(tmp_path, "broken").metadata.write_text("{")

    (run,) = plan_removal(tmp_path, Retention(count=0), NOW)

    assert (run.reason, run.shield) == (None, "its metadata cannot be read")


def test_a_run_that_is_written_by_now_is_not_removed(tmp_path: Path) -> None:
    make_run(tmp_path, "a")
    lock = DirectoryLock(run_layout(tmp_path, "a").directory)

    refused = remove_run(tmp_path, "a")
    lock.release()

    assert (refused, run_ids(tmp_path)) == (False, ["a"])
    assert remove_run(tmp_path, "a")
    assert list(tmp_path.iterdir()) == []


def test_a_run_to_keep_must_exist(tmp_path: Path) -> None:
    make_run(tmp_path, "a")

    with pytest.raises(UnknownName) as unknown:
        plan_removal(tmp_path, Retention(count=0), NOW, ["b"])

    assert unknown.value.code == "unknown_run"


def test_a_used_quota_refuses_new_runs_and_leaves_those_that_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_run(tmp_path, "a")
    used = bytes_below(tmp_path)
    monkeypatch.setenv(QUOTA_VARIABLE, str(used))

    with pytest.raises(QuotaReached) as refused:
        make_run(tmp_path, "b")

    assert refused.value.code == "quota_reached"
    assert refused.value.fields == {"used_bytes": used, "quota_bytes": used}
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert open_run(tmp_path, "a").metadata().run_id == "a"
    monkeypatch.setenv(QUOTA_VARIABLE, str(2 * used))
    make_run(tmp_path, "b")


@pytest.mark.parametrize("value", ["much", "-1", "0", "1.5"])
def test_a_quota_is_a_number_of_bytes(value: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as refused:
        check_quota(tmp_path, {QUOTA_VARIABLE: value})

    assert refused.value.code == "quota_invalid"
