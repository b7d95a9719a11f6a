"""What visitors and stored runs name: no file of the server's machine, but in folders that its operator has listed."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from diorama.contracts.errors import ConfigError
from diorama.contracts.foreign_config import NO_FILE, FileAccess
from diorama.contracts.values import JsonObject
from diorama.engine.venue import open_venue
from diorama.runs.layout import RunLayout
from diorama.runs.run import open_run
from diorama.runs.untrained import untrained_metadata
from diorama.runs.writer import create_run
from diorama.server.errors import BadValue
from diorama.server.play.policies import PolicyShelf
from diorama.server.play.setting import public_venue
from diorama.server.reading.shelf import RunShelf
from diorama.server.wall.asking import WallQuestion, find_cast
from diorama.training.run_directory import stored_settings
from diorama.worlds.gameboy.roms.catalogue import assemble
from diorama.worlds.registry import load_world
from tests.refusals import refused
from tests.runs.factories import FakeClock, recorded
from tests.server.loopback import serving

RUN: Final = "of-a-stranger"
SERVER: Final = Path(__file__).parents[2] / "src" / "diorama" / "server"


@pytest.fixture
def rom(tmp_path: Path) -> Path:
    """A file that is none of the server's business."""
    (tmp_path / "private").mkdir()
    path = tmp_path / "private" / "secret.gb"
    path.write_bytes(assemble("CATCH"))
    return path


@pytest.fixture
def layout(tmp_path: Path, rom: Path) -> RunLayout:
    """A run whose configuration, and whose replay, name that file and show what is in it."""
    config: JsonObject = {
        "rom": str(rom),
        "allow_bad_checksum": True,
        "kind": "gb_pixels",
        "observation": "watch",
        "watch": [0, 1, 2, 3],
    }
    venue = open_venue("gameboy", config, tier="reference", threads=1)
    settings: JsonObject = {"world": "gameboy", "config": config}
    with create_run(tmp_path / "runs", untrained_metadata(venue, RUN, 3, FakeClock()), settings, FakeClock()) as writer:
        recorded(writer.layout, bot="random", venue=venue, max_steps=3)
        return writer.layout


def _fork(client: httpx.Client, layout: RunLayout) -> httpx.Response:
    body = {"run_id": RUN, "replay_id": _replay_id(layout), "frame": 0}
    return client.post("/api/play/session/fork", json=body)


def _describe(client: httpx.Client, layout: RunLayout) -> httpx.Response:
    return client.get(f"/api/runs/{RUN}/replays/{_replay_id(layout)}/world")


def _open(client: httpx.Client, layout: RunLayout) -> httpx.Response:
    config = open_run(layout.directory.parent, RUN).config()["config"]
    return client.post("/api/play/session", json={"world": "gameboy", "config": config})


@pytest.mark.parametrize("ask", [_fork, _describe, _open])
def test_a_file_is_refused_alike_whether_there_is_one(
    layout: RunLayout, rom: Path, ask: Callable[[httpx.Client, RunLayout], httpx.Response]
) -> None:
    answers = []
    with serving(layout.directory.parent) as server, httpx.Client(base_url=server.base_url) as client:
        answers.append(ask(client, layout))
        rom.unlink()
        answers.append(ask(client, layout))
        rom.mkdir()
        answers.append(ask(client, layout))

    assert {answer.status_code for answer in answers} <= {400, 422}
    assert len({answer.text for answer in answers}) == 1
    assert "gameboy.rom" in answers[0].json()["detail"]


@pytest.mark.parametrize("ask", [_fork, _describe, _open])
def test_an_operator_may_list_the_folder(
    layout: RunLayout, rom: Path, ask: Callable[[httpx.Client, RunLayout], httpx.Response]
) -> None:
    with (
        serving(layout.directory.parent, allowed_files=str(rom.parent)) as server,
        httpx.Client(base_url=server.base_url) as client,
    ):
        answer = ask(client, layout)

    assert answer.status_code == 200, answer.text


def _wall(layout: RunLayout, files: FileAccess) -> None:
    runs = RunShelf(layout.directory.parent, files=files)
    find_cast(WallQuestion(world="gameboy", player=RUN), runs, PolicyShelf(runs))


def _settings(layout: RunLayout, files: FileAccess) -> None:
    stored_settings(open_run(layout.directory.parent, RUN), files=files)


@pytest.mark.parametrize("open_it", [_wall, _settings])
def test_the_configuration_of_a_run_is_refused_too(
    layout: RunLayout, rom: Path, open_it: Callable[[RunLayout, FileAccess], None]
) -> None:
    with refused(ConfigError, "file_not_allowed", key="rom", file=str(rom)):
        open_it(layout, NO_FILE)


@pytest.mark.parametrize(
    ("world", "config", "key"),
    [
        pytest.param("townlet", {"world": {"town_file": "/etc/hosts"}}, "world.town_file", id="map-of-a-town"),
        pytest.param("townlet", {"perturbations": {"file": "x.yaml"}}, "perturbations.file", id="yaml"),
        pytest.param("townlet", {"snapshot": {"root": "/tmp"}}, "snapshot.root", id="folder-of-a-live-town"),
        pytest.param("morphogenesis", {"task": "cifar", "data_root": "/etc"}, "data_root", id="folder-of-data"),
        pytest.param("morphogenesis", {"data_root": "/absent"}, "data_root", id="folder-that-is-not-there"),
        pytest.param("gameboy", {"kind": "gb_tasks", "task": "../a.yaml"}, "task", id="task"),
        pytest.param(
            "gameboy",
            {"kind": "gb_curriculum", "stages": [{"start": {}, "goal": "/srv/goal"}]},
            "stages.0.goal",
            id="goal-of-a-stage",
        ),
    ],
)
def test_a_visitor_names_no_file_of_any_world(world: str, config: dict[str, Any], key: str) -> None:
    with refused(BadValue, "file_not_allowed", key=key):
        public_venue(load_world(world), config, NO_FILE)


@pytest.fixture(scope="module")
def calls() -> dict[str, set[str]]:
    """Calls of the server's modules that make a world of a configuration, by function."""
    found: dict[str, set[str]] = {}
    for path in sorted(SERVER.rglob("*.py")):
        for name in _unchecked(ast.parse(path.read_bytes())):
            found.setdefault(name, set()).add(path.relative_to(SERVER).as_posix())
    return found


def test_the_server_opens_no_configuration_without_saying_which_files_it_may_name(calls: dict[str, set[str]]) -> None:
    assert calls == {
        # Variants and the settings for two sides come with the world; the rest of the latter was checked before.
        "parse_config": {"descriptors.py", "play/both_sides.py"},
    }


def _unchecked(tree: ast.AST) -> Iterator[str]:
    """Yield the functions that are called with a configuration and without `files`; `{}` is the world's own."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        is_checked = any(keyword.arg == "files" for keyword in node.keywords)
        is_default = any(isinstance(given, ast.Dict) and not given.keys for given in node.args)
        has_config = (
            node.func.id != "open_venue" or len(node.args) > 1 or any(one.arg == "config" for one in node.keywords)
        )
        if node.func.id in _OPENERS and has_config and not is_checked and not is_default:
            yield node.func.id


_OPENERS: Final = frozenset(
    {"parse_config", "open_venue", "parse_foreign_config", "open_foreign_venue", "replay_venue"}
    | {"stored_settings", "ExportRequest", "make", "make_batch", "verify_replay", "export_replay"}
)


def _replay_id(layout: RunLayout) -> str:
    return next(layout.replays.glob("*.meta.json")).name.removesuffix(".meta.json")
