"""What the page of the C interface shows is what C compilers and tests take."""

import subprocess
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import diorama
from tests.capi.build import ROOT, Build
from tests.capi.test_tidebreak_trace import RECORD as TIDEBREAK_RECORD
from tests.capi.test_trace_runner import RECORD as PROSPECTOR_RECORD
from tests.docs.blocks import blocks

CRATE = ROOT / "crates" / "capi"
HOLD_DRIFT = 6
STEPS = 100


def shown(language: str) -> list[str]:
    return blocks(CRATE / "README.md", frozenset({language}))


def test_the_program_flies_as_python_does(build: Build, tmp_path: Path) -> None:
    [text] = shown("c")
    source, program = tmp_path / "pilot.c", tmp_path / "pilot"
    source.write_text(text, encoding="utf-8")
    linked: list[str | Path] = [build.library, f"-Wl,-rpath,{build.library.parent}", "-o", program]
    batch = diorama.make("prospector", copies=1)
    batch.reset(seeds=[42])

    subprocess.run(["cc", f"-I{CRATE / 'include'}", "-Wall", "-Werror", source, *linked], check=True)
    told = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    for _ in range(STEPS):
        batch.step([HOLD_DRIFT])

    record = batch.step_record(0)
    assert told == f"{record.rewards[0]:.6f} after {record.draws} draws\n"


@pytest.mark.parametrize(
    ("place", "record"),
    [pytest.param(0, PROSPECTOR_RECORD, id="prospector"), pytest.param(1, TIDEBREAK_RECORD, id="tidebreak")],
)
def test_records_are_those_that_tests_read(place: int, record: np.dtype[np.void]) -> None:
    told = {"np": SimpleNamespace(dtype=np.dtype, fromfile=lambda name, dtype: name)}

    exec(shown("python")[place], told)

    assert told["record"] == record
