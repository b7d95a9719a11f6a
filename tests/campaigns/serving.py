"""A server over runs that are being written, that is killed, and whose disk is full."""

import random
import time
from pathlib import Path
from typing import Any

from tests.campaigns.disks import small_disk
from tests.processes import address_in, ask, kill, running
from tests.runs.factories import empty_run, recorded


def killed_serving(directory: Path, *, rounds: int, seed: int) -> dict[str, Any]:
    """Kill a server while sessions are played; the next one answers at once, and every run is as it was."""
    chance = random.Random(seed)
    root = directory / "runs"
    entry = recorded(empty_run(root), bot="idle", max_steps=40)
    before = _bytes_below(root / "run-a")
    answers = 0
    for number in range(rounds):
        log = directory / f"serve-{number}.log"
        with running(log, "serve", "--no-demo", "--port", "0", "--run-root", str(root)) as process:
            url = address_in(log, process)
            status, session = ask(f"{url}/api/play/session", {"world": "prospector"})
            assert status == 200, session
            for _ in range(chance.randrange(1, 40)):
                status, frames = ask(f"{url}/api/runs/run-a/replays/{entry.replay_id}/frames?limit=40")
                assert (status, frames["count"]) == (200, 40)
                status, _ = ask(f"{url}/api/play/session/{session['session_id']}/step", {"action": 6})
                assert status == 200
                answers += 2
            time.sleep(chance.random() * 0.05)
            kill(process)
    assert _bytes_below(root / "run-a") == before
    return {"kills": rounds, "answers": answers}


def full_disk_serving(directory: Path) -> dict[str, Any]:
    """Fill the disk under a server: whatever needs no room is answered, whatever does is refused in words."""
    with small_disk(directory / "disk", "16m") as disk:
        root = disk.directory / "runs"
        entry = recorded(empty_run(root), bot="idle", max_steps=40)
        log = directory / "serve.log"
        with running(log, "serve", "--no-demo", "--port", "0", "--run-root", str(root)) as process:
            url = address_in(log, process)
            ballast = disk.fill()
            questions = ("/health", "/api/runs", "/api/runs/run-a", f"/api/runs/run-a/replays/{entry.replay_id}/frames")
            for path in questions:
                status, answer = ask(f"{url}{path}")
                assert status == 200, (path, answer)
            status, session = ask(f"{url}/api/play/session", {"world": "prospector"})
            assert status == 200, session
            played = f"{url}/api/play/session/{session['session_id']}"
            assert ask(f"{played}/step", {"action": 6})[0] == 200
            begun = {"seed": 1, "player": "accord", "name": "War"}
            refused, told = ask(f"{url}/api/campaigns", begun)
            assert refused == 500, told
            assert "No space left" in told["detail"], told
            ballast.unlink()
            accepted, told = ask(f"{url}/api/campaigns", begun)
            assert accepted == 200, told
            assert [one["name"] for one in ask(f"{url}/api/campaigns")[1]["campaigns"]] == ["War"]
            assert process.poll() is None
            assert "Traceback" not in log.read_text()
    return {"answered_on_a_full_disk": list(questions), "refused_with": refused, "afterwards": accepted}


def _bytes_below(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.rglob("*") if path.is_file()}
