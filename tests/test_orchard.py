"""The example world outside of the package: installed as people install it, checked, trained and judged."""

import os
import re
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


def flat(text: str) -> str:
    """Lines without what they are indented by."""
    return "\n".join(line.strip() for line in text.strip().splitlines())


def test_the_guide_shows_the_code_of_the_example() -> None:
    guide = (ROOT / "docs" / "write-a-world.md").read_text(encoding="utf-8")
    sources = "\n".join(flat(path.read_text(encoding="utf-8")) for path in sorted(EXAMPLE.rglob("*.py")))

    shown = [
        block for block in re.findall(r"```python\n(.*?)```", guide, re.DOTALL) if "def " in block or "class " in block
    ]

    assert len(shown) == 3
    assert [block for block in shown if flat(block) not in sources] == []
    assert 'orchard-v1 = "orchard:WORLD"' in (EXAMPLE / "pyproject.toml").read_text(encoding="utf-8")


def diorama(site: Path, folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "diorama.cli", *arguments],
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
    assert "orchard: all 16 checks pass" in diorama(site, tmp_path, "check-world", "orchard")

    diorama(site, tmp_path, "train", "orchard", "--preset", "quick", "--steps", "1024", "--run-id", "harvest")
    judged = diorama(site, tmp_path, "eval", "harvest", "--episodes", "1")

    assert "harvest" in judged
    assert "nearest_apple" in judged
    assert list((tmp_path / "runs" / "harvest" / "replays").glob("replay-*"))
    assert diorama(site, tmp_path, "replay", "verify", "harvest").startswith("same")
