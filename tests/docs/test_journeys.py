"""Whoever types everything a document says, from its beginning to its end, gets to its end."""

import fcntl
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.docs.blocks import DOCUMENTS, ROOT, SHELLS, Command, all_blocks, commands, name_of
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


def test_every_block_of_commands_is_typed_or_says_why_not() -> None:
    typed = sum(bool(block.body) for document in TRAVELED for block in all_blocks(document) if block.language in SHELLS)

    assert typed > 20
    for document in DOCUMENTS:
        for block in all_blocks(document):
            assert all(len(reason) > 10 for reason in block.said("not run")), f"{name_of(document)}: {block.body}"


def test_every_benchmark_that_is_named_runs_at_night_or_says_why_not() -> None:
    at_night = (ROOT / "Makefile").read_text(encoding="utf-8")
    excused = {
        word
        for document in DOCUMENTS
        for block in all_blocks(document)
        if block.said("not run")
        for word in block.body.split()
    }

    for command in commands("python"):
        script = command.words[1]
        if script.startswith(MEASURED) and script not in excused:
            name = Path(script).stem
            assert f"measure {name}" in at_night, f"{command}: `make nightly` does not run it"


@pytest.mark.slow
@pytest.mark.parametrize("command", [item for item in commands("python") if MEASURED in item.words[1]], ids=str)
def test_the_options_of_benchmarks_exist(command: Command) -> None:
    asked = [sys.executable, str(ROOT / command.words[1]), "--help"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout

    assert [word for word in command.words[2:] if word.startswith("--") and word not in told] == []
