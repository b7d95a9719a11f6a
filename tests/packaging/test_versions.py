"""The version stands in one place, and everything else asks for it."""

import json
import subprocess
import sys
import tomllib
from importlib.metadata import version
from typing import Any

import diorama
from tests.packaging.environments import ROOT


def toml(path: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))


def test_the_workspace_of_the_core_names_the_version() -> None:
    named = toml("Cargo.toml")["workspace"]["package"]["version"]

    assert diorama.__version__ == version("diorama") == named
    assert json.loads((ROOT / "web" / "openapi.json").read_text(encoding="utf-8"))["info"]["version"] == named


def test_nothing_else_names_one() -> None:
    project = toml("pyproject.toml")["project"]
    client = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))
    members = toml("Cargo.toml")["workspace"]["members"]

    assert "version" in project["dynamic"]
    assert "version" not in project
    assert "version" not in client
    assert {member: toml(f"{member}/Cargo.toml")["package"]["version"] for member in members} == {
        member: {"workspace": True} for member in members
    }


def test_a_source_tree_that_nobody_installed_says_so() -> None:
    code = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r}); import diorama; print(diorama.__version__)"

    told = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout == "0+uninstalled\n"
