"""`JobProcess`: a process of low priority that takes jobs of a run as lines and answers them in order."""

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from threading import Thread
from typing import BinaryIO, Final, Generic, TypeVar

import msgspec

from diorama.runs.documents import RawObject

_NICENESS: Final = 5


class CheckpointJob(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Asks the process to play episodes with the policy of a checkpoint; a line of JSON.

    Attributes:
        run_directory: Directory of the run.
        checkpoint_path: Relative to it.
        seeds: Episode seeds.
    """

    run_directory: str
    world: str
    config: RawObject
    tier: str
    window_id: int
    checkpoint_path: str
    sha256: str
    env_steps_total: int
    seeds: list[int]
    deterministic: bool


class JobAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answer to a job, or the reason why there is none; a line of JSON."""

    window_id: int
    error: str | None = None


JobT = TypeVar("JobT", bound=CheckpointJob)
AnswerT = TypeVar("AnswerT", bound=JobAnswer)


class JobProcess(Generic[JobT, AnswerT]):
    """Runs a module as a process, started by the first job; answers come in the order of the jobs."""

    def __init__(self, module: str, answer_type: type[AnswerT]) -> None:
        """Start no process yet.

        Args:
            module: Calls `serve_jobs`.
            answer_type: What the process answers.
        """
        self._module = module
        self._answer_type = answer_type
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: SimpleQueue[AnswerT | None] = SimpleQueue()
        self._pending: deque[int] = deque()

    @property
    def pending(self) -> int:
        """Jobs without an answer."""
        return len(self._pending)

    def submit(self, job: JobT) -> None:
        """Send a job to the process."""
        process = self._process or self._start()
        self._pending.append(job.window_id)
        try:
            if process.stdin is not None:
                process.stdin.write(msgspec.json.encode(job) + b"\n")
                process.stdin.flush()
        except BrokenPipeError:
            pass  # the process has ended; `_settle` then answers every pending job with an error

    def finished(self) -> Iterator[AnswerT]:
        """Yield the answers that have arrived."""
        while self._pending:
            try:
                answer = self._answers.get_nowait()
            except Empty:
                return
            yield from self._settle(answer)

    def remaining(self) -> Iterator[AnswerT]:
        """Yield every answer that is still to come, waiting for each."""
        while self._pending:
            yield from self._settle(self._answers.get())

    def close(self) -> None:
        """Kill the process; a job that is not finished leaves no file."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process = None

    def _start(self) -> "subprocess.Popen[bytes]":
        self._process = process = subprocess.Popen(
            [sys.executable, "-m", self._module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        Thread(target=self._read_answers, args=(process,), name=self._module, daemon=True).start()
        return process

    def _read_answers(self, process: "subprocess.Popen[bytes]") -> None:
        if process.stdout is not None:
            for line in process.stdout:
                self._answers.put(msgspec.json.decode(line, type=self._answer_type))
        self._answers.put(None)

    def _settle(self, answer: AnswerT | None) -> Iterator[AnswerT]:
        if answer is not None:
            self._pending.popleft()
            yield answer
            return
        while self._pending:
            yield self._answer_type(window_id=self._pending.popleft(), error="the process has ended")


def answer_jobs(
    jobs: BinaryIO, answers: BinaryIO, job_type: type[JobT], answer_type: type[AnswerT], work: Callable[[JobT], AnswerT]
) -> None:
    """Answer jobs in order until the input ends."""
    for line in jobs:
        job = msgspec.json.decode(line, type=job_type)
        try:
            answer = work(job)
        except Exception as error:  # a job that fails must end neither training nor the next job
            answer = answer_type(window_id=job.window_id, error=f"{type(error).__name__}: {error}")
        answers.write(msgspec.json.encode(answer) + b"\n")
        answers.flush()


def serve_jobs(job_type: type[JobT], answer_type: type[AnswerT], work: Callable[[JobT], AnswerT]) -> None:
    """Serve the process that started this one; its end closes the input."""
    # An interrupt at the terminal reaches every process of it; the trainer ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_NICENESS)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    answer_jobs(sys.stdin.buffer, answers, job_type, answer_type, work)
