"""Commands of `diorama` in processes of their own."""

import json
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from diorama.contracts.errors import UnknownName
from diorama.runs.run import open_run

_ADDRESS = re.compile(r"http://\S+")
PATIENCE_SECONDS = 120.0


def diorama(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end."""
    return subprocess.run(_command(*arguments), capture_output=True, text=True, check=False, timeout=600)


@contextmanager
def running(log: Path, *arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a command until the block ends; what it says is all that the file holds."""
    with log.open("wb") as words:
        process = subprocess.Popen(_command(*arguments), stdout=words, stderr=words, stdin=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "diorama", *arguments]


def kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process at once; nothing of it runs any more afterwards."""
    process.send_signal(signal.SIGKILL)
    process.wait()


def address_in(log: Path, process: "subprocess.Popen[bytes]") -> str:
    """Wait until a server has said where it answers."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        found = _ADDRESS.findall(log.read_text("utf-8", "replace"))
        if found:
            return str(found[-1])
        time.sleep(0.02)
    raise AssertionError(f"no server came up: {log.read_text('utf-8', 'replace')[-500:]}")


def ask(url: str, body: Any = None, *, token: str = "") -> tuple[int, Any]:
    """Ask a server; return the status and the JSON of its answer."""
    data = None if body is None else json.dumps(body).encode()
    shown = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **shown})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


def steps_of(root: Path, run_id: str) -> int:
    """Return how far a run says it has come; reading it must succeed at any moment."""
    try:
        return open_run(root, run_id).metadata().env_steps_total
    except UnknownName:
        return 0
