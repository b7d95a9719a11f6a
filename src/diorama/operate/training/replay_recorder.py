"""`ReplayRecorder`: has replays recorded by another process, in the order in which they were asked for."""

import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final

import msgspec

from diorama.operate.training.replay_jobs import ReplayAnswer, ReplayJob

_WORKER: Final = "diorama.operate.training.replay_worker"


class ReplayRecorder:
    """Starts its process with the first job; training neither waits for it nor shares its interpreter."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: SimpleQueue[ReplayAnswer | None] = SimpleQueue()
        self._pending: deque[int] = deque()

    @property
    def pending(self) -> int:
        """Jobs without an answer."""
        return len(self._pending)

    def submit(self, job: ReplayJob) -> None:
        """Ask for a replay."""
        process = self._process or self._start()
        self._pending.append(job.window_id)
        try:
            if process.stdin is not None:
                process.stdin.write(msgspec.json.encode(job) + b"\n")
                process.stdin.flush()
        except BrokenPipeError:
            pass  # the process is gone; the end of its answers says so for every job that is pending

    def finished(self) -> Iterator[ReplayAnswer]:
        """Yield the answers that are there."""
        while self._pending:
            try:
                answer = self._answers.get_nowait()
            except Empty:
                return
            yield from self._settle(answer)

    def remaining(self) -> Iterator[ReplayAnswer]:
        """Yield every answer that is still to come, waiting for each."""
        while self._pending:
            yield from self._settle(self._answers.get())

    def close(self) -> None:
        """End the process, whatever it is doing; a replay that is not finished leaves nothing behind."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process = None

    def _start(self) -> "subprocess.Popen[bytes]":
        self._process = process = subprocess.Popen(
            [sys.executable, "-m", _WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        Thread(target=_read, args=(process, self._answers), name="diorama-replays", daemon=True).start()
        return process

    def _settle(self, answer: ReplayAnswer | None) -> Iterator[ReplayAnswer]:
        if answer is not None:
            self._pending.popleft()
            yield answer
            return
        while self._pending:
            yield ReplayAnswer(window_id=self._pending.popleft(), error="the recording process has ended")


def _read(process: "subprocess.Popen[bytes]", answers: "SimpleQueue[ReplayAnswer | None]") -> None:
    if process.stdout is not None:
        for line in process.stdout:
            answers.put(msgspec.json.decode(line, type=ReplayAnswer))
    answers.put(None)
