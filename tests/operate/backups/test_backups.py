"""Backups of what is being written: a live world in a process of its own, and a training in the middle of it."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from diorama.contracts.errors import ConfigError, DioramaError, DocumentError, RunConflict, UnknownName
from diorama.contracts.training_reports import UpdateReport
from diorama.operate.backups.making import make_backup
from diorama.operate.backups.manifest import FILES, MANIFEST
from diorama.operate.backups.restoring import restore_backup, verify_backup
from diorama.operate.backups.sources import find_source
from diorama.training.callbacks.base import RunCallback
from tests.operate.live.killed_worlds import AUTOSAVE_TICKS, continued, living, wait_for_tick
from tests.operate.live.runtimes import open_live_world
from tests.training.small_runs import assert_same_policies, assert_same_training, resume_small, small_plan, train_small

POLICY = "prudent_hauler"


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A live world that has run for a while."""
    root = tmp_path_factory.mktemp("stopped") / "live"
    runtime = open_live_world(root, policy=POLICY, seed=3, autosave_ticks=AUTOSAVE_TICKS)
    runtime.run_ticks(30)
    runtime.close()
    return root


@pytest.fixture
def backup(stopped: Path, tmp_path: Path) -> Path:
    make_backup(find_source(stopped), tmp_path / "backup")
    return tmp_path / "backup"


@pytest.mark.e2e
def test_backups_of_a_running_world_go_on_where_it_was_when_they_were_made(tmp_path: Path) -> None:
    root = tmp_path / "live"
    flags = ("--no-server", "--speed", "max", "--policy", POLICY, "--seed", "3")
    with living(root, "prospector", *flags) as process:
        made = []
        for tick in (120, 260, 390):
            wait_for_tick(process, root, tick)
            made.append(make_backup(find_source(root), tmp_path / f"backup-{tick}"))
            assert process.poll() is None

    ticks = [0 if manifest.live is None else manifest.live.tick for manifest in made]
    whole = open_live_world(tmp_path / "whole", policy=POLICY, seed=3, autosave_ticks=AUTOSAVE_TICKS)
    for wanted, tick in zip((120, 260, 390), ticks, strict=True):
        restore_backup(tmp_path / f"backup-{wanted}", tmp_path / f"again-{wanted}")
        again = continued(tmp_path / f"again-{wanted}", "prospector")
        while whole.world.clock.tick < again.world.clock.tick:
            whole.run_ticks(1)
        assert again.world.clock.tick > tick > 0
        assert again.world.clock == whole.world.clock
        assert again.world.state_hash() == whole.world.state_hash()
        assert again.world.save() == whole.world.save()
        again.close()
    whole.close()


class _BacksUp(RunCallback):
    """Makes a backup in the middle of an update."""

    def __init__(self, root: Path, target: Path, update: int) -> None:
        self._root, self._target, self._update = root, target, update

    def on_update(self, report: UpdateReport) -> None:
        if report.update == self._update:
            make_backup(find_source(self._root, ["parts"]), self._target)


def test_a_backup_of_a_training_under_way_continues_to_the_same_end(tmp_path: Path) -> None:
    runs, copies = tmp_path / "runs", tmp_path / "copies"
    whole = train_small(runs, "parts", small_plan(), callbacks=[_BacksUp(runs, tmp_path / "backup", 12)])

    restore_backup(tmp_path / "backup", copies)
    resumed = resume_small(copies, "parts", small_plan())

    assert_same_training(whole.layout, resumed.layout)
    assert_same_policies(whole.layout, resumed.layout)


def test_a_file_that_vanishes_while_it_is_copied_is_no_loss(stopped: Path, tmp_path: Path) -> None:
    root = tmp_path / "live"
    shutil.copytree(stopped, root)
    source = find_source(root)
    first = sorted((root / "snapshots").rglob("*.json.gz"))[0]

    def remove(size: int) -> None:
        first.unlink(missing_ok=True)

    manifest = make_backup(source, tmp_path / "backup", remove)

    assert manifest.live is not None
    assert verify_backup(tmp_path / "backup") == manifest
    assert not [file.path for file in manifest.files if file.path.endswith(first.name)]


def test_links_pipes_and_unfinished_files_are_left_out(stopped: Path, tmp_path: Path) -> None:
    root = tmp_path / "live"
    shutil.copytree(stopped, root)
    (root / "link").symlink_to("/etc/hostname")
    os.mkfifo(root / "pipe")
    (root / ".latest.json.unfinished-7-0").write_text("{")

    names = {Path(file.path).name for file in make_backup(find_source(root), tmp_path / "backup").files}

    assert "latest.json" in names
    assert not names & {"link", "pipe", ".latest.json.unfinished-7-0"}


def test_half_a_line_of_a_log_is_left_out(stopped: Path, tmp_path: Path) -> None:
    root = tmp_path / "live"
    shutil.copytree(stopped, root)
    journal = sorted((root / "journals").rglob("*.jsonl"))[-1]
    whole = journal.read_bytes()
    journal.write_bytes(whole + b'{"t":"tick","tick"')

    make_backup(find_source(root), tmp_path / "backup")

    assert (tmp_path / "backup" / FILES / journal.relative_to(root)).read_bytes() == whole


def test_nothing_is_overwritten(stopped: Path, backup: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()

    with pytest.raises(ConfigError) as again:
        make_backup(find_source(stopped), backup)
    with pytest.raises(ConfigError) as inside:
        make_backup(find_source(stopped), stopped / "backup")
    with pytest.raises(RunConflict) as over:
        restore_backup(backup, tmp_path / "taken")

    assert (again.value.code, inside.value.code) == ("backup_exists", "backup_inside")
    assert over.value.code == "restore_target_exists"
    assert list((tmp_path / "taken").iterdir()) == []


def test_a_run_that_is_there_already_keeps_the_others_from_coming_back(tmp_path: Path) -> None:
    for name in ("a", "b"):
        train_small(tmp_path / "runs", name, small_plan(backend="random", steps=64))
    make_backup(find_source(tmp_path / "runs"), tmp_path / "backup")
    shutil.rmtree(tmp_path / "runs" / "a")

    with pytest.raises(RunConflict):
        restore_backup(tmp_path / "backup", tmp_path / "runs")
    assert not (tmp_path / "runs" / "a").exists()

    shutil.rmtree(tmp_path / "runs" / "b")
    restore_backup(tmp_path / "backup", tmp_path / "runs")
    assert sorted(path.name for path in (tmp_path / "runs").iterdir() if path.is_dir()) == ["a", "b"]


def _flip(backup: Path) -> None:
    path = sorted((backup / FILES).rglob("*.gz"))[0]
    path.write_bytes(path.read_bytes()[:-1] + b"?")


def _cut(backup: Path) -> None:
    path = sorted((backup / FILES).rglob("*.jsonl"))[0]
    path.write_bytes(path.read_bytes()[:-1])


def _remove(backup: Path) -> None:
    sorted((backup / FILES).rglob("*.gz"))[0].unlink()


def _link(backup: Path) -> None:
    path = sorted((backup / FILES).rglob("*.gz"))[0]
    path.rename(backup / "elsewhere")
    path.symlink_to(backup / "elsewhere")


@pytest.mark.parametrize("damage", [_flip, _cut, _remove, _link])
def test_a_damaged_backup_is_refused_and_leaves_nothing(
    damage: Callable[[Path], None], backup: Path, tmp_path: Path
) -> None:
    damage(backup)

    with pytest.raises(DocumentError):
        verify_backup(backup)
    with pytest.raises(DocumentError):
        restore_backup(backup, tmp_path / "again")

    assert [path.name for path in tmp_path.iterdir()] == ["backup"]


@pytest.mark.parametrize("path", ["../outside", "/tmp/outside", "a/../../b", "", "a//b", "a\x00b"])
def test_a_manifest_leads_nowhere_else(path: str, backup: Path, tmp_path: Path) -> None:
    document = json.loads((backup / MANIFEST).read_text())
    document["files"][0]["path"] = path
    (backup / MANIFEST).write_text(json.dumps(document))

    with pytest.raises(DocumentError) as refused:
        restore_backup(backup, tmp_path / "again")

    assert refused.value.code == "backup_path_invalid"


def test_a_manifest_names_no_run_that_leads_elsewhere(backup: Path, tmp_path: Path) -> None:
    document = json.loads((backup / MANIFEST).read_text())
    (backup / MANIFEST).write_text(json.dumps({**document, "kind": "runs", "runs": [".."], "live": None}))

    with pytest.raises(DioramaError):
        restore_backup(backup, tmp_path / "again")

    assert not (tmp_path / "again").exists()


def test_what_is_no_source_and_what_is_no_backup_is_said(stopped: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    with pytest.raises(UnknownName):
        find_source(tmp_path / "none")
    with pytest.raises(ConfigError) as empty:
        find_source(tmp_path / "empty")
    with pytest.raises(ConfigError) as chosen:
        find_source(stopped, ["a-run"])
    with pytest.raises(UnknownName) as unknown:
        restore_backup(tmp_path / "empty", tmp_path / "again")

    assert empty.value.code == "backup_source_empty"
    assert chosen.value.code == "backup_chooses_runs"
    assert unknown.value.code == "backup_unknown"
