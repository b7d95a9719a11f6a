"""Builds the C interface once."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHARED_LIBRARY_SUFFIXES = {".so", ".dylib", ".dll"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """Where the two artifacts of a release lie."""

    runner: Path
    library: Path


@pytest.fixture(scope="session")
def build() -> Build:
    """Return the trace runner and the shared library, as a release has them."""
    command = ["cargo", "build", "--quiet", "--release", "--package", "diorama-capi", "--message-format", "json"]
    printed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    messages = [json.loads(line) for line in printed.splitlines()]
    files = {
        message["target"]["name"]: [Path(name) for name in message["filenames"]]
        for message in messages
        if message["reason"] == "compiler-artifact"
    }
    [runner] = files["core_test_runner"]
    [library] = [path for path in files["diorama_capi"] if path.suffix in SHARED_LIBRARY_SUFFIXES]
    return Build(runner=runner, library=library)
