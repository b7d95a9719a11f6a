"""`Script`: the options, the exit codes and the run directory that every measuring script has."""

import argparse
import signal
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from diorama.contracts.errors import DioramaError, RunConflict
from diorama.runs.layout import check_id
from diorama.storage.report_files import write_report
from harness.reports import Findings, make_report

PASSED: Final = 0
FAILED: Final = 1
BAD_INPUT: Final = 2
TERMINATED: Final = 128 + signal.SIGTERM


class Script:
    """One script: parse, measure, report, and an exit code that says how it went.

    Attributes:
        parser: Where the script adds its own options.
    """

    def __init__(self, name: str, description: str | None) -> None:
        """Give every script `--json`, `--run-root` and `--run-id`."""
        self._name = name
        self.parser = argparse.ArgumentParser(
            prog=name, description=description, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        self.parser.add_argument(
            "--json", type=Path, default=Path("reports") / f"{name}.json", help="where to write the report"
        )
        self.parser.add_argument(
            "--run-root", type=Path, default=Path("build/benchmarks"), help="where run directories are made"
        )
        self.parser.add_argument("--run-id", help="name of this run's directory (default: script and time)")

    def run(
        self, measure: Callable[[argparse.Namespace, Path], Findings], arguments: Sequence[str] | None = None
    ) -> int:
        """Measure and return the exit code.

        Args:
            measure: Takes the options and a fresh directory, which is a root of runs.
            arguments: In place of those of this process.
        """
        options = self.parser.parse_args(arguments)
        # Being told to stop unwinds like Ctrl-C does, so that servers and trainings end with their script.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
        run_id = options.run_id or f"{self._name}-{datetime.now(UTC).strftime('%Y%m%dT%H%M%S%fZ')}"
        try:
            findings = measure(options, _fresh_directory(options.run_root, run_id))
            write_report(options.json, make_report(run_id, options, findings))
        except DioramaError as error:
            return self._refuse(str(error))
        except OSError as error:
            # Only a file somebody named is their mistake; any other failure of the system deserves its traceback.
            if error.filename is None:
                raise
            return self._refuse(f"{error.filename}: {error.strerror}")
        for line in (*findings.gates, *(f"skipped: {reason}" for reason in findings.skipped)):
            print(line)
        for failure in findings.failures:
            print(f"FAIL: {failure}")
        print(f"report: {options.json}")
        return PASSED if findings.passed else FAILED

    def _refuse(self, message: str) -> int:
        print(f"{self._name}: {' '.join(message.split())}", file=sys.stderr)
        return BAD_INPUT


def positive(text: str) -> int:
    """Parse a whole number above 0."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is too small; use 1 or more")
    return value


def positive_seconds(text: str) -> float:
    """Parse a duration above 0."""
    value = float(text)
    if not 0.0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no duration; use more than 0")
    return value


def _fresh_directory(root: Path, run_id: str) -> Path:
    directory: Path = root / check_id("run", run_id)
    try:
        directory.mkdir(parents=True)
    except FileExistsError:
        raise RunConflict(f"{directory} exists already; choose another --run-id") from None
    return directory
