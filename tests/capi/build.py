"""Builds the C interface once, for all tests that call it."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHARED_LIBRARY_SUFFIXES = {".so", ".dylib", ".dll"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """Where the artifacts lie."""

    runner: Path
    tidebreak_runner: Path
    library: Path


@pytest.fixture(scope="session")
def build() -> Build:
    """Return the trace runners and the shared library as the native core's own tests left them.

    The same targets are asked for as there: another choice would have other features, and be built anew.
    """
    targets = ["--workspace", "--lib", "--bins", "--tests"]
    command = ["cargo", "test", "--no-run", "--quiet", *targets, "--message-format", "json"]
    printed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    messages = [json.loads(line) for line in printed.splitlines()]
    files = {
        message["target"]["name"]: [Path(name) for name in message["filenames"]]
        for message in messages
        if message["reason"] == "compiler-artifact" and not message["profile"]["test"]
    }
    [runner] = files["core_test_runner"]
    [tidebreak_runner] = files["tidebreak_trace_runner"]
    [library] = [path for path in files["diorama_capi"] if path.suffix in SHARED_LIBRARY_SUFFIXES]
    return Build(runner=runner, tidebreak_runner=tidebreak_runner, library=library)
