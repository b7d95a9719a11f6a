"""`diorama champion`, and `champion/WORLD` wherever a command takes a run."""

import json
import shutil
from pathlib import Path

import pytest

from diorama.cli.app import run
from diorama.contracts.config import parse_config
from diorama.contracts.errors import ConfigError
from diorama.operate.live.deciding import opening
from diorama.runs import champions
from diorama.runs.champions import open_champion, read_champion_header
from diorama.runs.checkpoints.headers import check_fits_world
from diorama.runs.replays.sidecar import read_sidecar
from diorama.runs.run import open_run
from diorama.worlds.registry import load_world
from tests.cli.invoking import invoke
from tests.refusals import refused
from tests.runs.factories import empty_run, recorded
from tests.training.champions.small_champion import RUN, train_taught

CHAMPION = "champion/prospector"


def test_a_champion_is_built_shown_and_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    train_taught(tmp_path / "runs")
    monkeypatch.setattr(champions, "world_folder", lambda world: tmp_path / world)
    limits = ("--episodes", "2", "--sample-episodes", "2", "--sample-decisions", "20", "--replay-steps", "10")

    assert run(["champion", "build", "prospector", "--run", RUN, "--run-root", str(tmp_path / "runs"), *limits]) == 0
    assert (tmp_path / "prospector" / "champion" / "card.json").is_file()
    assert "2 held-out episodes each" in capsys.readouterr().out
    assert run(["champion", "show", "prospector"]) == 0
    assert f"from run {RUN}, seed 0" in capsys.readouterr().out
    assert run(["champion", "show", "prospector", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["origin_run_id"] == RUN
    assert run(["champion", "verify", "--all"]) == 0
    assert "differs" not in capsys.readouterr().out

    open_champion("prospector").onnx_path().write_bytes(b"another")

    assert run(["champion", "verify", "prospector"]) == 1
    assert "differs  files" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["prospector", "--all"]])
def test_verify_takes_a_world_or_all(arguments: list[str]) -> None:
    with refused(ConfigError, "champion_not_named"):
        invoke("champion", "verify", *arguments)


def test_a_world_without_a_champion_says_so_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(champions, "world_folder", lambda world: tmp_path / world)

    assert run(["eval", "champion/townlet"]) == 2
    assert "'townlet' has no champion yet" in capsys.readouterr().err


def test_a_champion_is_evaluated(tmp_path: Path) -> None:
    report = tmp_path / "report.json"

    code = run(["eval", CHAMPION, "--episodes", "1", "--bot", "cash_out", "--max-steps", "30", "--json", str(report)])

    assert code in (0, 1)  # the short limit fails the report
    assert [item["name"] for item in json.loads(report.read_text())["contenders"]] == [CHAMPION, "cash_out"]


def test_a_champion_is_exported_to_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert run(["export", CHAMPION, "--decisions", "32"]) == 0

    assert [path.name for path in tmp_path.iterdir()] == ["champion-prospector.onnx"]


def test_the_replay_of_a_champion_is_listed_and_verified(capsys: pytest.CaptureFixture[str]) -> None:
    replay_id = open_champion("prospector").card().replay_id

    assert run(["replay", "list", CHAMPION, "--format", "json"]) == 0
    assert [item["replay_id"] for item in json.loads(capsys.readouterr().out)] == [replay_id]
    assert run(["replay", "verify", CHAMPION]) == 0
    assert f"same     {replay_id}" in capsys.readouterr().out


def test_a_champion_goes_on_with_the_replay_of_a_run(tmp_path: Path) -> None:
    entry = recorded(empty_run(tmp_path, "mine"), seed=7, max_steps=4)

    arguments = ["replay", "fork", "mine", "--frame", "1", "--policy", CHAMPION, "--max-steps", "3"]
    assert run([*arguments, "--run-root", str(tmp_path)]) == 0

    mine = open_run(tmp_path, "mine")
    forked = next(item for item in mine.replay_index().entries if item.forked_from is not None)
    assert forked.forked_from is not None
    assert forked.forked_from.replay_id == entry.replay_id
    facts = read_sidecar(mine.layout.replay_sidecar(forked.replay_id), forked.replay_id).players[0]
    card = open_champion("prospector").card()
    assert (facts.name, facts.sha256) == (f"{CHAMPION} window {card.window_id}", card.policy.sha256)


def test_the_replay_of_a_champion_is_not_forked_in_its_package() -> None:
    with refused(ConfigError, "champion_is_read_only", name=CHAMPION):
        invoke("replay", "fork", CHAMPION, "--frame", "1", "--bot", "idle")


def test_a_champion_decides_in_a_live_world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ("--no-server", "--speed", "max", "--root", str(tmp_path), "--ticks", "20")

    assert run(["live", "prospector", *flags, "--policy", CHAMPION]) == 0

    assert f"{CHAMPION} decides" in capsys.readouterr().out


def test_a_live_world_is_decided_by_its_champion_where_it_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ("--no-server", "--speed", "max", "--ticks", "5")

    assert run(["live", "prospector", *flags, "--root", str(tmp_path / "a")]) == 0
    assert f"{CHAMPION} decides" in capsys.readouterr().out
    assert run(["live", "prospector", *flags, "--root", str(tmp_path / "a"), "--resume"]) == 0
    assert f"{CHAMPION} decides" in capsys.readouterr().out

    monkeypatch.setattr(opening, "find_spec", lambda package: None)
    assert run(["live", "prospector", *flags, "--root", str(tmp_path / "b")]) == 0

    printed = capsys.readouterr().out
    assert "explorer decides" in printed
    assert f"not {CHAMPION}: torch is not installed" in printed


def test_a_champion_that_sees_otherwise_does_not_decide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "townlet" / "champion"
    shutil.copytree(open_champion("prospector").layout.directory, folder)
    monkeypatch.setattr(champions, "world_folder", lambda world: tmp_path / world)
    world = load_world("townlet")

    choice = opening.choose_champion(world, parse_config(world.id, world.config_type, {}))

    assert choice.name is None
    assert choice.misfit is not None
    assert "the checkpoint has world 'prospector'" in choice.misfit


@pytest.mark.parametrize(
    ("config", "name"), [({}, "champion/gameboy"), ({"rom": "CATCH", "kind": "gb_pixels"}, None)], ids=["same", "other"]
)
def test_a_champion_of_one_game_does_not_decide_in_another(config: dict[str, object], name: str | None) -> None:
    world = load_world("gameboy")
    parsed = parse_config(world.id, world.config_type, config)
    check_fits_world(read_champion_header(world.id), world.describe(parsed))

    choice = opening.choose_champion(world, parsed)

    assert choice.name == name
    assert (choice.misfit is None) == (name is not None)
