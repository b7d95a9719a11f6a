import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.environments import ROOT, EmptyEnvironment

# The tools are scripts, and have no package around them.
sys.path.insert(0, str(ROOT / "tools"))


@pytest.fixture(scope="session")
def dist() -> Path:
    """The folder with the wheel and the source package, as `make wheel` leaves it; built again where it is old."""
    outer = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    with (ROOT / ".venv" / ".wheel.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes
        subprocess.run(["make", "--no-print-directory", "wheel"], cwd=ROOT, env=outer, check=True)
    return ROOT / "dist"


@pytest.fixture(scope="session")
def wheel(dist: Path) -> Path:
    """The one wheel."""
    [found] = dist.glob("*.whl")
    return found


@pytest.fixture
def empty(tmp_path: Path) -> EmptyEnvironment:
    """An environment in which nothing is installed."""
    return EmptyEnvironment(tmp_path)
