"""The pages that come from the code are what the code says, and the others name everything there is."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from fastapi.routing import APIWebSocketRoute

from diorama.server.live.openapi import live_openapi_text
from diorama.server.live.routes import operator_stream, telemetry_stream
from diorama.server.routes import console_stream, frame_stream, play_stream, wall
from diorama.server.settings import ServerSettings
from tests.docs.blocks import ROOT, name_of

REFERENCE: Final = ROOT / "docs" / "reference"
EXPLAINED: Final = ("http.md", "play.md")
COLUMNS: Final = ("Key", "Type", "Default", "Range", "Meaning")


@pytest.mark.parametrize("tool", ["write_reference", "write_figures", "write_learning"])
def test_pages_are_what_their_tool_writes(tool: str) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / f"{tool}.py"), "--check"], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr


def told() -> str:
    return "\n".join((REFERENCE / name).read_text(encoding="utf-8") for name in EXPLAINED)


def shape(path: str) -> str:
    """A path whatever its parameters are called."""
    return re.sub(r"\{[^}]*\}", "{}", path)


def explained_paths() -> set[str]:
    found = re.findall(r"(?:(?:GET|POST|DELETE|WS)[`, A-Z]* )?`?((?:/|…/)[\w/{}:…-]+)", told())
    whole = {path.replace("…/{replay_id}", "/api/runs/{run_id}/replays/{replay_id}") for path in found}
    return {shape(path) for path in whole}


def test_every_path_is_explained() -> None:
    served = json.loads((ROOT / "web" / "openapi.json").read_text(encoding="utf-8"))["paths"]
    live = json.loads(live_openapi_text())["paths"]
    explained = explained_paths()

    assert [path for path in (*served, *live) if shape(path) not in explained] == []


def test_every_socket_is_explained() -> None:
    routers = [frame_stream.router, play_stream.router, console_stream.router, wall.router]
    routers += [telemetry_stream.router, operator_stream.router]
    sockets = [route.path for router in routers for route in router.routes if isinstance(route, APIWebSocketRoute)]

    assert len(sockets) == len(routers)
    assert [path for path in sockets if shape(path) not in explained_paths()] == []


def test_every_variable_is_listed() -> None:
    listed = (REFERENCE / "config.md").read_text(encoding="utf-8")
    names = {f"DIORAMA_{name.upper()}" for name in ServerSettings.model_fields if name != "wandb_api_key"}
    for source in (ROOT / "src").rglob("*.py"):
        names.update(re.findall(r"\bDIORAMA_[A-Z_]+\b", source.read_text(encoding="utf-8")))

    assert sorted(name for name in names if f"`{name}`" not in listed) == []


@pytest.mark.parametrize("page", [REFERENCE / "config.md", *sorted((REFERENCE / "worlds").glob("*.md"))], ids=name_of)
def test_every_setting_says_what_it_means(page: Path) -> None:
    _, _, listed = page.read_text(encoding="utf-8").partition(f"| {' | '.join(COLUMNS)} |\n")
    rows = [line for line in listed.splitlines() if line.startswith("| `")]

    assert [line for line in rows if line.endswith("|  |")] == []
