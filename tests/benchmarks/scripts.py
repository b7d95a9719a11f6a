"""Runs a measuring script as somebody types it."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
KEYS = {"generated_at", "run_id", "config", "summary", "system", "artifacts"}


@dataclass(frozen=True, slots=True)
class Ended:
    """A script that has ended; `report` is None where it wrote none."""

    code: int
    words: str
    report: dict[str, Any] | None

    @property
    def written(self) -> dict[str, Any]:
        """The report, which must be there and of the shape every report has."""
        assert self.report is not None, self.words
        assert set(self.report) >= KEYS
        assert {"python", "cpu_model", "cores", "platform"} <= set(self.report["system"])
        assert self.report["summary"]["pass"] is (self.code == 0)
        return self.report


def script_command(name: str, directory: Path, *arguments: object) -> list[str]:
    """Return the command line of a script with its report and its runs in a directory."""
    script, report = BENCHMARKS / f"{name}.py", directory / f"{name}.json"
    places = ["--json", str(report), "--run-root", str(directory / "work")]
    return [sys.executable, str(script), *places, *map(str, arguments)]


def run_script(name: str, directory: Path, *arguments: object) -> Ended:
    """Run a script with its report and its runs in a directory."""
    report = directory / f"{name}.json"
    command = script_command(name, directory, *arguments)
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    written = json.loads(report.read_text()) if report.exists() else None
    return Ended(ended.returncode, ended.stdout + ended.stderr, written)
