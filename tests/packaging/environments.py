"""Virtual environments in which nothing is installed, far from the checkout."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
_OURS: Final = ("DIORAMA_", "WANDB_", "PYTHON", "VIRTUAL_ENV", "PYTEST_", "COVERAGE_", "MAKE", "CARGO_PROFILE_")
_STOP_SECONDS: Final = 60


class EmptyEnvironment:
    """A fresh virtual environment and an empty folder to work in; what the tests were started with is not seen."""

    def __init__(self, folder: Path) -> None:
        """Make both below a folder."""
        self.bin = folder / "venv" / "bin"
        self.folder = folder / "work"
        self.folder.mkdir()
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        self._environment = {**kept, "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}", "PYTHONUNBUFFERED": "1"}

    def install(self, requirement: str, environment: Mapping[str, str] | None = None) -> None:
        """Install with pip, at the versions we test with; the rest comes from where pip is configured to look."""
        constraints = str(ROOT / "constraints.txt")
        self.run("pip", "install", "--quiet", "--constraint", constraints, requirement, environment=environment)

    def run(self, program: str, *words: str, code: int = 0, environment: Mapping[str, str] | None = None) -> str:
        """Run a program of the environment, which must end as expected; return what it printed."""
        done = subprocess.run(
            [self.bin / program, *words],
            cwd=self.folder,
            env={**self._environment, **(environment or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == code, f"{program} {' '.join(words)} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    @contextmanager
    def running(
        self, program: str, *words: str, until: str, environment: Mapping[str, str] | None = None
    ) -> Iterator[str]:
        """Run a program beside the block, from the line that contains `until`, which is given; it is stopped after."""
        process = subprocess.Popen(
            [self.bin / program, *words],
            cwd=self.folder,
            env={**self._environment, **(environment or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert process.stdout is not None
        try:
            told: list[str] = []
            for line in process.stdout:
                told.append(line)
                if until in line:
                    break
            else:
                raise AssertionError(f"{program} ended early:\n{''.join(told)}")
            yield line.strip()
        finally:
            process.terminate()
            rest, _ = process.communicate(timeout=_STOP_SECONDS)
        assert process.returncode == 0, f"{program} ended with {process.returncode}:\n{''.join(told)}{rest}"
