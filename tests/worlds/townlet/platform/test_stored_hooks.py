"""Replays, bundles and runs whose configuration names modules: nothing of them runs unless it is allowed."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from diorama.cli.app import BAD_INPUT, run
from diorama.contracts.errors import ConfigError
from diorama.contracts.foreign_config import ALLOWED_MODULES
from diorama.contracts.values import JsonObject
from diorama.engine.players import bot_contender
from diorama.engine.venue import open_venue
from diorama.parity.bundle import read_bundle
from diorama.runs.layout import RunLayout
from diorama.runs.replays.reader import open_replay
from diorama.runs.replays.record import record_episode
from diorama.runs.replays.verify import replay_venue, verify_replay
from diorama.runs.run import open_run
from diorama.runs.untrained import untrained_metadata
from diorama.runs.writer import create_run
from diorama.server.play.policies import PolicyShelf
from diorama.server.reading.shelf import RunShelf
from diorama.server.wall.asking import WallQuestion, find_cast
from diorama.training.run_directory import stored_settings
from diorama.worlds.registry import load_world
from tests.runs.factories import FakeClock
from tests.worlds.townlet.platform.recordings import PLAN

MODULE = "hooks_of_a_stranger"
CONFIG: JsonObject = {"world": {"population": 1}, "affordances": {"hook_modules": [MODULE]}}
REFUSAL = f"names the Python module '{MODULE}', whose code would run here; if you trust it, set {ALLOWED_MODULES}="


@pytest.fixture(autouse=True)
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that can be imported here, and is not yet."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / f"{MODULE}.py").write_text("HOOKS = {}\n")
    monkeypatch.syspath_prepend(str(tmp_path / "modules"))
    monkeypatch.delenv(ALLOWED_MODULES, raising=False)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)


@pytest.fixture
def recorded(tmp_path: Path) -> RunLayout:
    """A run of a town whose own configuration names the module, with a replay; whoever reads it is another process."""
    venue = open_venue("townlet", CONFIG, tier="reference", threads=1)
    settings: JsonObject = {"world": "townlet", "config": CONFIG, "seed": 3}
    with create_run(
        tmp_path / "runs", untrained_metadata(venue, "of-a-town", 3, FakeClock()), settings, FakeClock()
    ) as writer:
        player = bot_contender(venue.world, "scripted").start(venue.spec, venue.spec.agents)
        record_episode(writer.layout, venue, player, 5, PLAN, clock=FakeClock())
        layout = writer.layout
    del sys.modules[MODULE]
    return layout


def _replay(layout: RunLayout) -> None:
    replay_venue(open_replay(layout, _replay_id(layout)).sidecar)


def _settings(layout: RunLayout) -> None:
    stored_settings(open_run(layout.directory.parent, layout.directory.name))


def _bundle(layout: RunLayout) -> None:
    sidecar = open_replay(layout, _replay_id(layout)).sidecar
    header = {
        "world": "townlet",
        "interface_version": sidecar.interface_version,
        "suite": "test",
        "seed": 3,
        "label": "hooks",
        "config": CONFIG,
        "profile": "exact",
        "step": 0,
    }
    (layout.directory / "mismatch.json").write_text(json.dumps(header))
    read_bundle(layout.directory, load_world("townlet"))


def _wall(layout: RunLayout) -> None:
    runs = RunShelf(layout.directory.parent)
    find_cast(WallQuestion(world="townlet", player=layout.directory.name), runs, PolicyShelf(runs))


@pytest.mark.parametrize("open_it", [_replay, _settings, _bundle, _wall])
def test_a_module_that_a_stored_file_names_is_not_imported(
    recorded: RunLayout, open_it: Callable[[RunLayout], None]
) -> None:
    with pytest.raises(ConfigError, match=REFUSAL):
        open_it(recorded)

    assert MODULE not in sys.modules


def test_whoever_runs_it_may_allow_the_module(recorded: RunLayout, monkeypatch: pytest.MonkeyPatch) -> None:
    replay = open_replay(recorded, _replay_id(recorded))
    monkeypatch.setenv(ALLOWED_MODULES, "another.module")
    with pytest.raises(ConfigError, match=REFUSAL):
        verify_replay(replay, tier="reference")

    monkeypatch.setenv(ALLOWED_MODULES, f"another.module, {MODULE}")

    assert verify_replay(replay, tier="reference").is_faithful
    assert MODULE in sys.modules
    _settings(recorded)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("replay", "verify", "of-a-town"), id="verify"),
        pytest.param(("replay", "show", "of-a-town"), id="show"),
        pytest.param(("replay", "export", "of-a-town", "--out", "film.gif"), id="export"),
        pytest.param(("replay", "fork", "of-a-town", "--frame", "2", "--bot", "scripted"), id="fork"),
        pytest.param(("eval", "of-a-town"), id="eval"),
        pytest.param(("train", "townlet", "--resume", "of-a-town"), id="resume"),
    ],
)
def test_commands_refuse_it_in_one_line(
    recorded: RunLayout, command: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(recorded.directory.parent)
    before = sorted(recorded.directory.rglob("*"))

    code = run([*command, "--run-root", str(recorded.directory.parent)])

    (line,) = capsys.readouterr().err.splitlines()
    assert code == BAD_INPUT
    assert REFUSAL in line
    assert MODULE not in sys.modules
    assert sorted(recorded.directory.rglob("*")) == before


def _replay_id(layout: RunLayout) -> str:
    return next(layout.replays.glob("*.meta.json")).name.removesuffix(".meta.json")
