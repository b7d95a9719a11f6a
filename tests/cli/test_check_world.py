"""`diorama check-world`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from diorama.cli.app import run
from tests.worlds.installed import install
from tests.worlds.installed import site as site

FLAWED = """
from dataclasses import replace
from orchard import WORLD as RIGHT
WORLD = replace(RIGHT, summary="", bots={})
"""

# A process in which some packages cannot be found, as if they were not installed.
WITHOUT = """
import sys
from importlib.machinery import PathFinder

class Missing(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in sys.argv[1].split(",") else super().find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = Missing
from diorama.cli.app import run
sys.exit(run(sys.argv[2:]))
"""


def test_a_right_world_ends_with_zero_and_a_table(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "diorama-orchard", "orchard-v1 = orchard:WORLD")

    assert run(["check-world", "orchard", "-c", "length=20"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["check", "verdict", "promise", "seen", "s"]
    assert lines[-1] == "orchard: all 23 checks pass (2 skipped)"


def test_a_flawed_world_ends_with_one_and_what_to_fix(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "diorama-orchard", "orchard-v1 = flawed:WORLD", modules={"flawed": FLAWED})

    assert run(["check-world", "orchard", "-c", "length=20", "--format", "json"]) == 1

    told = json.loads(capsys.readouterr().out)
    checks = {check["check"]: check for check in told["checks"]}
    assert (told["world"], told["config"]["length"], told["passed"]) == ("orchard", 20, False)
    assert checks["contract"]["findings"] == [
        {"what": "the world has no summary", "fix": "write one sentence in World.summary"}
    ]
    assert checks["bots"]["verdict"] == "skip"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        pytest.param(("nowhere",), "no world is called 'nowhere'", id="no-world"),
        pytest.param(("prospector", "-c", "time_max=never"), "prospector.time_max", id="wrong-value"),
        pytest.param(("prospector", "-c", "speed=3"), "there is no such key", id="no-key"),
    ],
)
def test_bad_input_ends_with_two(arguments: tuple[str, ...], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check-world", *arguments]) == 2

    assert problem in capsys.readouterr().err


def test_packages_that_are_missing_are_told_in_one_line() -> None:
    asked = [sys.executable, "-c", WITHOUT, "torch,sklearn", "check-world", "morphogenesis"]

    told = subprocess.run(asked, capture_output=True, text=True, timeout=120, check=False)

    line = "a host of morphogenesis needs the extra 'morphogenesis': pip install 'diorama[morphogenesis]'"
    assert (told.returncode, told.stdout, told.stderr) == (2, "", f"diorama: {line}\n")
