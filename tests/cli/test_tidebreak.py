"""`diorama tidebreak fight` and `diff`."""

import json
from functools import partial
from pathlib import Path

import pytest

from diorama.cli.app import run
from diorama.runs.replays.reader import open_entry
from diorama.runs.replays.verify import verify_replay
from diorama.runs.run import open_run
from diorama.worlds.tidebreak.packages.results import check_result, read_result
from diorama.worlds.tidebreak.resolve import read_package
from tests.cli.invoking import invoke
from tests.worlds.tidebreak.world.battles import LIMIT_S, skirmish

tidebreak = partial(invoke, "tidebreak")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    path = tmp_path / "battle.json"
    path.write_text(json.dumps(skirmish()))
    return path


def test_a_fight_is_reported_and_kept(package: Path, tmp_path: Path) -> None:
    out = tmp_path / "runs" / "first"

    told = tidebreak("fight", str(package), "--controllers", "blue-a=kiter", "--tier", "reference", "--out", str(out))

    assert told.exit_code == 0
    assert "skirmish: no winner, time limit after 00:12 (seed 5, reference tier)" in told.stdout
    assert "blue-a" in told.stdout
    assert "kiter" in told.stdout
    result = read_result((out / "result.json").read_bytes())
    check_result(result, read_package(package.read_bytes()).package)
    opened = open_run(out.parent, "first")
    (entry,) = opened.replay_index().entries
    reader = open_entry(opened.layout, entry)
    assert (result.replay.action_log_ref, result.duration_s) == (entry.replay_path, LIMIT_S)
    assert result.replay.action_log_hash == f"sha256:{reader.sidecar.actions_sha256}"
    assert verify_replay(reader, tier="reference", with_pictures=True).is_faithful
    assert opened.metadata().status == "completed"


def test_a_seed_replaces_the_packages(package: Path) -> None:
    told = tidebreak("fight", str(package), "--tier", "reference", "--seed", "77", "--format", "json")

    assert json.loads(told.stdout)["seed"] == 77


def test_everything_wrong_with_a_package_is_told_line_by_line(tmp_path: Path) -> None:
    path, out = tmp_path / "bad.json", tmp_path / "runs" / "bad"
    document = skirmish()
    document["seed"] = 0
    document["ships"][1]["team_id"] = "green"
    path.write_text(json.dumps(document))

    told = tidebreak("fight", str(path), "--out", str(out))

    assert told.exit_code == 2
    lines = told.stderr.splitlines()
    assert [line.split()[:3] for line in lines] == [["diorama:", f"{path}:", code] for code in ("P010", "P022")]
    assert not out.parent.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--controllers", "blue-q=idle"], "no ship 'blue-q' can be commanded", id="ship"),
        pytest.param(["--controllers", "blue-a=pirate"], "controller 'script:pirate' is unknown", id="script"),
        pytest.param(["--controllers", "blue-a"], "not of the form SHIP=SCRIPT", id="form"),
        pytest.param(["--seed", "0"], "--seed is 0; use 1 to 9007199254740991", id="seed"),
    ],
)
def test_bad_options_get_one_line(
    package: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["tidebreak", "fight", str(package), "--tier", "reference", *arguments]) == 2

    assert message in capsys.readouterr().err


def test_a_directory_that_exists_is_left_alone(
    package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["tidebreak", "fight", str(package), "--tier", "reference", "--out", str(tmp_path)]) == 2

    assert "exists already" in capsys.readouterr().err


def test_diff_names_the_first_tick_and_what_differs_there(package: Path, tmp_path: Path) -> None:
    for name, script in (("one", "auto"), ("two", "idle")):
        controllers = ["--controllers", f"blue-a={script}"]
        tidebreak("fight", str(package), "--tier", "reference", "--out", str(tmp_path / name), *controllers)

    same = tidebreak("diff", str(tmp_path / "one"), str(tmp_path / "one"))
    replays = tidebreak("diff", str(tmp_path / "one"), str(tmp_path / "two"), "--limit", "40", "--tier", "reference")
    results = tidebreak("diff", str(tmp_path / "one" / "result.json"), str(tmp_path / "two" / "result.json"))

    assert (same.exit_code, same.stdout.strip()) == (0, f"the battles are the same over {LIMIT_S} ticks")
    assert replays.exit_code == results.exit_code == 1
    assert replays.stdout.startswith("the battles part at tick 1\n")
    assert "unit blue-a: motion.cmd_throttle: " in replays.stdout
    assert "ships[1].final_state" in results.stdout


def test_diff_names_a_file_that_is_no_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")

    exit_code = run(["tidebreak", "diff", str(path), str(path)])

    assert exit_code == 2
    told = capsys.readouterr().err
    assert told.startswith(f"diorama: {path} is no battle result: P001 schema_version: is required; P002 ")


def test_diff_refuses_a_replay_beside_a_result(
    package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tidebreak("fight", str(package), "--tier", "reference", "--out", str(tmp_path / "one"))

    assert run(["tidebreak", "diff", str(tmp_path / "one"), str(tmp_path / "one" / "result.json")]) == 2

    assert "give two of one kind" in capsys.readouterr().err
