"""The example world outside of the package: installed as people install it, checked, trained and judged."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "orchard"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the example was installed into."""
    pytest.importorskip("setuptools")
    folder = tmp_path_factory.mktemp("orchard")
    # Building leaves its work beside the sources.
    sources = shutil.copytree(EXAMPLE, folder / "sources", ignore=shutil.ignore_patterns("build", "*.egg-info"))
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*install, "--target", str(folder / "site"), str(sources)], check=True)
    return folder / "site"


def diorama(site: Path, folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "diorama", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_an_installed_world_is_listed_checked_trained_and_judged(site: Path, tmp_path: Path) -> None:
    assert "orchard" in diorama(site, tmp_path, "worlds")
    assert "orchard: all 21 checks pass" in diorama(site, tmp_path, "check-world", "orchard")

    diorama(site, tmp_path, "train", "orchard", "--preset", "quick", "--steps", "1024", "--run-id", "harvest")
    judged = diorama(site, tmp_path, "eval", "harvest", "--episodes", "1")

    assert "harvest" in judged
    assert "nearest_apple" in judged
    assert list((tmp_path / "runs" / "harvest" / "replays").glob("replay-*"))
    assert diorama(site, tmp_path, "replay", "verify", "harvest").startswith("same")
