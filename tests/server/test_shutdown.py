"""A server that was told to end ends, whatever hangs in it, and says what it abandoned."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from diorama.operate.shutdown import ABANDONED
from tests.processes import PATIENCE_SECONDS, address_in

pytestmark = pytest.mark.e2e


@contextmanager
def _server(tmp_path: Path, seconds: str) -> Iterator[tuple["subprocess.Popen[bytes]", str, Path]]:
    log = tmp_path / "server.log"
    command = [sys.executable, "-m", "tests.server.hanging_server", str(tmp_path / "runs")]
    with log.open("wb") as words:
        process = subprocess.Popen(
            command, stdout=words, stderr=words, env={**os.environ, "DIORAMA_SHUTDOWN_SECONDS": seconds}
        )
    try:
        yield process, address_in(log, process), log
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("hanging", ["loop", "thread"])
def test_what_hangs_is_abandoned_when_the_time_is_over(hanging: str, tmp_path: Path) -> None:
    with _server(tmp_path, "1") as (process, url, log):
        assert httpx.get(f"{url}/health", timeout=30).status_code == 200
        with suppress(httpx.HTTPError):
            httpx.get(f"{url}/hang/{hanging}", timeout=0.5)

        process.send_signal(signal.SIGTERM)
        code = process.wait(PATIENCE_SECONDS)

    assert code == ABANDONED, log.read_text()
    (line,) = [line for line in log.read_text().splitlines() if "abandoned" in line]
    assert "the shutdown took more than 1 s" in line
    assert f"hang_{hanging}" in line
    assert "exit code 3" in line


def test_a_server_in_which_nothing_hangs_ends_well(tmp_path: Path) -> None:
    with _server(tmp_path, "60") as (process, url, log):
        waiting = threading.Thread(target=httpx.get, args=(f"{url}/health",))
        waiting.start()
        waiting.join()

        process.send_signal(signal.SIGTERM)
        code = process.wait(PATIENCE_SECONDS)

    assert code == 0, log.read_text()
    assert "abandoned" not in log.read_text()


def test_a_thread_that_is_left_when_all_work_has_ended_does_not_keep_the_process(tmp_path: Path) -> None:
    script = (
        "import threading, time\n"
        "from diorama.operate.shutdown import ShutdownDeadline, leave\n"
        "threading.Thread(target=time.sleep, args=(3600,)).start()\n"
        "deadline = ShutdownDeadline(3600)\n"
        "deadline.begin()\n"
        "deadline.cancel()\n"
        "print('done')\n"
        "leave(0)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE_SECONDS)

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")
