"""Whoever types everything a document says, from its beginning to its end, gets to its end."""

import fcntl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.docs.blocks import DOCUMENTS, name_of
from tests.docs.journeys import Step, is_serving, journey
from tests.docs.typist import Typist

ONE_AT_A_TIME: Final = Path(tempfile.gettempdir()) / "diorama-documents-that-serve.lock"
MEASURED: Final = "benchmarks/"
TRAVELED: Final = [document for document in DOCUMENTS if journey(document)]


@contextmanager
def the_ports() -> Iterator[None]:
    """Keep the ports that servers have by default from other tests of this kind."""
    with ONE_AT_A_TIME.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("document", TRAVELED, ids=name_of)
def test_everything_a_document_says_can_be_typed(document: Path, tmp_path: Path) -> None:
    if not is_serving(document):
        travel(document, tmp_path)
        return
    with the_ports():
        travel(document, tmp_path)


def travel(document: Path, folder: Path) -> None:
    steps = journey(document)
    typist = Typist(folder, speaks_of="\n".join(f"{step.file} {step.text}" for step in steps))
    missing: set[str] = set()
    try:
        for step in steps:
            if step.missing:
                missing.add(step.missing)
                continue
            problem = take(typist, step)
            assert not problem, f"{name_of(document)}: {problem}"
    finally:
        problem = typist.stop()
    assert not problem, f"{name_of(document)}: {problem}"
    if missing:
        pytest.skip(f"typed but for what needs {', '.join(sorted(missing))}")


def take(typist: Typist, step: Step) -> str:
    if step.file is not None:
        typist.write(step.file, step.text)
        return ""
    # Benchmarks take their time; `make nightly` runs them, and another test holds their options.
    if f"python {MEASURED}" in step.text:
        return ""
    problem = typist.start(step.text) if step.is_endless else typist.type(step.text, exit_code=step.exit_code)
    return problem or (typist.stop() if step.is_last else "")
