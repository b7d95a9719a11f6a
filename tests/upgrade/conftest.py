import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.upgrade.record import ARTIFACTS

VERSIONS = sorted(path.name for path in ARTIFACTS.iterdir() if path.is_dir())


@pytest.fixture(params=VERSIONS)
def recorded(request: pytest.FixtureRequest) -> Path:
    """The folder of a version; nobody may write there."""
    folder: Path = ARTIFACTS / request.param
    return folder


@pytest.fixture
def expected(recorded: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((recorded / "expected.json").read_text(encoding="utf-8"))
    return told


@pytest.fixture
def copied(recorded: Path, tmp_path: Path) -> Path:
    """The same where it may be changed."""
    folder = tmp_path / "artifacts"
    shutil.copytree(recorded, folder)
    return folder
