"""Exports being made: how many wait, what is remembered, what is left behind."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from diorama.engine.venue import open_venue
from diorama.runs.checkpoints.files import newest_checkpoint
from diorama.runs.exports import export_path, is_exported, remove_older_exports
from diorama.runs.layout import RunLayout, run_layout
from diorama.server.exports import process, shelf
from diorama.server.exports.ending import TOLD
from diorama.server.exports.errors import ExportLimit
from diorama.server.exports.shelf import ExportShelf
from diorama.server.reading.shelf import RunShelf
from tests.runs.factories import empty_run
from tests.server.conftest import TRAINED
from tests.server.loopback import serving
from tests.server.play_factories import keep_policy


@pytest.fixture
def kept(tmp_path: Path) -> RunLayout:
    """A run with a policy."""
    keep_policy(tmp_path, "kept", open_venue("prospector", {}).spec, "mlp-8x8-tanh-v1", window_id=7)
    return run_layout(tmp_path, "kept")


def export_with(monkeypatch: pytest.MonkeyPatch, folder: Path, *lines: str) -> None:
    """Let exports be made by a shell script; root, run and checkpoint are its arguments 3 to 5."""
    script = folder / ".export.sh"
    script.write_text("\n".join(["#!/bin/sh", *lines]))
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))
    monkeypatch.setattr(shelf, "require_onnx", lambda: None)


def test_a_failure_is_told_and_not_tried_again_until_there_is_another_checkpoint(
    kept: RunLayout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    tries, status = tmp_path / ".tries", tmp_path / ".status"
    status.write_text(str(TOLD))
    export_with(
        monkeypatch,
        tmp_path,
        f"echo once >> {tries}",
        "echo 'a warning'; echo 'it decides unlike its run'",
        "echo 'Traceback: secrets' >&2",
        f"exit $(cat {status})",
    )
    checkpoint = newest_checkpoint(kept)
    with serving(tmp_path) as server, httpx.Client(base_url=server.base_url, timeout=20) as client:
        told = [client.get("/api/exports/kept") for _ in range(2)]
        assert tries.read_text().splitlines() == ["once"]
        status.write_text("1")
        later = checkpoint.stat().st_mtime_ns + 10**10
        os.utime(checkpoint, ns=(later, later))
        broken = [client.get("/api/exports/kept") for _ in range(2)]
        assert tries.read_text().splitlines() == ["once"] * 2

    assert [(answer.status_code, answer.json()["detail"]) for answer in told] == [
        (409, "it decides unlike its run")
    ] * 2
    said = (500, "run 'kept' could not be exported; the server's log says why")
    assert [(answer.status_code, answer.json()["detail"]) for answer in broken] == [said] * 2
    assert "Traceback: secrets" in capfd.readouterr().err


def test_what_took_too_long_is_tried_again(kept: RunLayout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    is_busy = tmp_path / ".busy"
    is_busy.touch()
    export_with(
        monkeypatch,
        tmp_path,
        f"if [ -e {is_busy} ]; then exec sleep 60; fi",
        'mkdir -p "$3/$4/exports"; echo policy > "$3/$4/exports/ckpt_000007.onnx"',
    )
    monkeypatch.setattr(process, "_PATIENCE_SECONDS", 1)
    with serving(tmp_path) as server, httpx.Client(base_url=server.base_url, timeout=20) as client:
        refused = client.get("/api/exports/kept")
        is_busy.unlink()
        monkeypatch.setattr(process, "_PATIENCE_SECONDS", 20)
        answer = client.get("/api/exports/kept")

    assert refused.status_code == 503
    assert refused.json()["detail"].endswith("the machine is busy; try again later")
    assert (answer.status_code, answer.text) == (200, "policy\n")


def test_so_many_wait_and_older_exports_make_room(
    kept: RunLayout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, made = tmp_path / ".gate", export_path(kept, newest_checkpoint(kept))
    os.mkfifo(gate)
    export_with(monkeypatch, tmp_path, f"read line < {gate}", 'echo policy > "$3/$4/exports/ckpt_000007.onnx"')
    kept.exports.mkdir()
    (kept.exports / "ckpt_000003.onnx").touch()

    async def ask() -> Path:
        exports = ExportShelf(RunShelf(tmp_path), max_waiting=1)
        first = asyncio.create_task(exports.file("kept"))
        opened = await asyncio.to_thread(gate.open, "w")  # when the script reads
        with opened, pytest.raises(ExportLimit, match="1 requests wait"):
            await exports.file("kept")
        return await first

    assert asyncio.run(ask()) == made
    assert list(kept.exports.iterdir()) == [made]


def test_what_no_checkpoint_needs_is_removed_and_what_is_being_written_is_not(kept: RunLayout) -> None:
    kept.exports.mkdir()
    names = ("ckpt_000003.onnx", "ckpt_000007.onnx", "ckpt_000009.onnx", "mine.onnx", ".ckpt_000007-1.unchecked.onnx")
    for name in (*names, ".ckpt_000003-2.unchecked.onnx"):
        (kept.exports / name).touch()
    os.utime(kept.exports / ".ckpt_000003-2.unchecked.onnx", (1, 1))
    checkpoint = newest_checkpoint(kept)

    remove_older_exports(kept, checkpoint)

    left = {path.name for path in kept.exports.iterdir()}
    assert left == {"ckpt_000007.onnx", "mine.onnx", ".ckpt_000007-1.unchecked.onnx"}
    assert is_exported(kept, checkpoint)
    checkpoint.unlink()
    assert not is_exported(kept, checkpoint)


def test_a_process_that_is_told_to_end_leaves_nothing_behind(tmp_path: Path) -> None:
    unchecked = tmp_path / "unchecked"
    lines = (
        "import signal, sys; from contextlib import ExitStack; from pathlib import Path",
        "from diorama.server.exports.ending import leave_in_order",
        "leave_in_order()",
        "with ExitStack() as stack:",
        "    stack.callback(Path(sys.argv[1]).unlink)",
        "    Path(sys.argv[1]).touch(); print('written', flush=True); signal.pause()",
    )
    process = subprocess.Popen(
        [sys.executable, "-c", "\n".join(lines), str(unchecked)], stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "written\n"
        assert unchecked.exists()
        process.terminate()

    assert (process.returncode, unchecked.exists()) == (128 + signal.SIGTERM, False)


def test_runs_without_a_policy_take_no_place_and_one_that_goes_away_leaves_the_rest(
    run_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two", "gone"):
        shutil.copytree(run_root / TRAINED, tmp_path / name)
    empty_run(tmp_path, "dice")
    monkeypatch.setattr(shelf, "_LISTED", 2)
    find = RunShelf.find

    def find_too_late(runs: RunShelf, run_id: str) -> RunLayout:
        shutil.rmtree(tmp_path / "gone", ignore_errors=True)
        return find(runs, run_id)

    monkeypatch.setattr(RunShelf, "find", find_too_late)
    runs = RunShelf(tmp_path)
    listed = ExportShelf(runs).listing(None)
    runs.close()

    assert {row.run_id for row in listed.exports if not row.run_id.startswith("champion:")} == {"one", "two"}
