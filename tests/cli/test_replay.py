"""`diorama replay`: tables, exit codes, one line for every mistake."""

import gzip
import json
from pathlib import Path

import pytest

from diorama.cli.app import run
from diorama.cli.replays.fork import parse_actions
from diorama.contracts.errors import ConfigError
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import NormalizationSettings, PolicySettings
from diorama.learn.state import prefixed
from diorama.runs.checkpoints.files import write_checkpoint
from diorama.runs.layout import RunLayout
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.index import read_index
from diorama.runs.replays.reader import open_replay
from diorama.runs.replays.verify import verify_replay
from diorama.training.policy_files import policy_checkpoint
from tests.engine.toy_world import ToyConfig, toy_spec
from tests.runs.factories import empty_run, prospector, recorded


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.fixture
def entry(root: Path) -> ReplayEntry:
    layout = empty_run(root, "run-a")
    recorded(layout, bot="idle", seed=5, max_steps=6, window_id=1)
    return recorded(layout, bot="greedy_miner", seed=7, window_id=2, milestones={"profit": (10.0, 50.0)})


def replay(root: Path, command: str, *arguments: str) -> int:
    return run(["replay", command, *arguments, "--run-root", str(root)])


def test_replays_are_listed_newest_first(root: Path, entry: ReplayEntry, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(root, "list", "run-a") == 0

    printed = capsys.readouterr().out
    lines = [line for line in printed.splitlines() if "replay-" in line]
    assert "2 replays" in printed
    assert [line.split()[1] for line in lines] == ["2", "1"]
    assert "stranded" in lines[0]
    assert "milestone:profit:10" in printed


def test_a_list_can_be_filtered_and_read_by_programs(
    root: Path, entry: ReplayEntry, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        replay(root, "list", "run-a", "--all", "every_window", "--any", "milestone:profit:10", "--format", "json") == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert replay(root, "list", "run-a", "--tag", "operator:nothing") == 0
    nothing = capsys.readouterr().out
    assert replay(root, "list", "run-a", "--window", "1", "--limit", "1", "--format", "json") == 0
    of_window = json.loads(capsys.readouterr().out)

    assert found == [entry.to_json()]
    assert nothing == "none of the 2 replays of run run-a is like that\n"
    assert [item["window_id"] for item in of_window] == [1]


def test_a_run_without_replays_says_so(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty_run(root, "fresh")

    assert replay(root, "list", "fresh") == 0
    assert capsys.readouterr().out == "run fresh has no replays yet\n"
    for command in (["show"], ["verify"], ["export"], ["fork", "--frame", "0", "--bot", "idle"]):
        assert replay(root, command[0], "fresh", *command[1:]) == 2
        assert "run 'fresh' has no replays yet" in capsys.readouterr().err


def test_a_replay_is_shown_with_its_frames(root: Path, entry: ReplayEntry, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(root, "show", "run-a", "--from", "3", "--count", "2") == 0

    printed = capsys.readouterr().out
    assert printed.startswith(f"{entry.replay_id}: window 2 of run-a\nprospector-v1, seed 7")
    assert "played by greedy_miner (bot)" in printed
    assert "frames 3..4 of 90" in printed


def test_a_replay_is_shown_to_programs(root: Path, entry: ReplayEntry, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(root, "show", "run-a", entry.replay_id, "--count", "2", "--format", "json") == 0

    shown = json.loads(capsys.readouterr().out)
    assert shown["replay"] == entry.to_json()
    assert shown["meta"]["frame_count"] == 90
    assert [frame["frame_index"] for frame in shown["frames"]] == [0, 1]


def test_verification_succeeds_with_0(root: Path, entry: ReplayEntry, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(root, "verify", "run-a") == 0
    both = capsys.readouterr().out
    assert replay(root, "verify", "run-a", entry.replay_id, "--tier", "reference", "--pictures") == 0
    one = capsys.readouterr().out

    assert both.count("same ") == 2
    assert one == f"same     {entry.replay_id}  90 frames, 90 state hashes\n"


def test_verification_fails_with_1_and_names_frame_and_field(
    root: Path, entry: ReplayEntry, capsys: pytest.CaptureFixture[str]
) -> None:
    path = RunLayout(root / "run-a").replay(entry.replay_id)
    frames = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    frames[12]["reward"] = 7.0
    path.write_bytes(gzip.compress(b"".join(json.dumps(frame).encode() + b"\n" for frame in frames)))

    assert replay(root, "verify", "run-a") == 1

    printed = capsys.readouterr().out
    assert f"differs  {entry.replay_id}  at frame 12, reward was recorded as 7.0 and is now" in printed
    assert printed.endswith("1 of 2 replays did not come out as they were recorded\n")


def test_a_bot_goes_on(root: Path, entry: ReplayEntry, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [entry.replay_id, "--frame", "30", "--bot", "prudent_hauler", "--max-steps", "25"]

    assert replay(root, "fork", "run-a", *arguments) == 0

    layout = RunLayout(root / "run-a")
    forked = read_index(layout).entries[-1]
    assert capsys.readouterr().out.startswith(f"{forked.replay_id}  56 frames, return ")
    assert forked.tags == ("operator:fork",)
    assert verify_replay(open_replay(layout, forked.replay_id)).is_faithful


def test_given_actions_go_on(root: Path, entry: ReplayEntry) -> None:
    assert replay(root, "fork", "run-a", "--frame", "-1", "--actions", "HOLD_DRIFT, 8 ,WIDE_SCAN") == 0

    layout = RunLayout(root / "run-a")
    forked = open_replay(layout, read_index(layout).entries[-1].replay_id)
    assert [frame.action for frame in forked.frames()] == [6, 8, 8]
    assert forked.sidecar.players[0].kind == "actions"


def test_a_policy_goes_on(root: Path, entry: ReplayEntry) -> None:
    spec, settings, plain = prospector().spec, PolicySettings(arch="mlp-8-tanh-v1"), NormalizationSettings()
    header = policy_checkpoint(
        spec, settings, plain, run_id="run-a", window_id=4, env_steps_total=512, created_at="then"
    )
    layout = RunLayout(root / "run-a")
    policy = Policy(spec, settings, plain, seed=1)
    sha256 = write_checkpoint(layout, header, prefixed("model_state_dict", policy.state_dict()))

    arguments = ["--frame", "4", "--policy", "run-a", "--stochastic", "--max-steps", "10"]
    assert replay(root, "fork", "run-a", *arguments) == 0

    forked = read_index(layout).entries[-1]
    reader = open_replay(layout, forked.replay_id)
    (player,) = reader.sidecar.players
    assert (player.checkpoint_path, player.sha256) == ("checkpoints/ckpt_000004.safetensors", sha256)
    assert (player.kind, player.name, player.deterministic) == ("checkpoint", "run-a window 4", False)
    assert (forked.checkpoint_path, forked.checkpoint_env_steps_total) == (player.checkpoint_path, 512)
    assert forked.steps == 15
    assert verify_replay(reader).is_faithful


def test_a_replay_is_drawn(root: Path, entry: ReplayEntry, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "picture.gif"

    assert replay(root, "export", "run-a", "--out", str(target), "--to", "20", "--stride", "10") == 0

    size = f"{target.stat().st_size / 1000:,.0f} kB"
    assert capsys.readouterr().out == f"{target}  3 pictures, every 10 frames, {size}\n"
    assert target.read_bytes().startswith(b"GIF89a")


def test_a_picture_is_called_after_its_replay(
    root: Path, entry: ReplayEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert replay(root, "export", "run-a", "--to", "2") == 0
    assert (tmp_path / f"{entry.replay_id}.gif").is_file()


def test_the_root_can_come_from_the_environment(
    root: Path, entry: ReplayEntry, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DIORAMA_RUNS_ROOT", str(root))

    assert run(["replay", "list", "run-a", "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["list", "nope"], "there is no run 'nope' in ", id="run"),
        pytest.param(["list", "../run-a"], "run id '../run-a' is not allowed", id="traversal"),
        pytest.param(["list", "run-a", "--limit", "0"], "--limit", id="limit"),
        pytest.param(["show", "run-a", "replay-9"], "has no replay 'replay-9'; the newest are: replay-", id="replay"),
        pytest.param(["verify", "run-a", "../../x"], "replay id '../../x' is not allowed", id="replay-traversal"),
        pytest.param(["fork", "run-a", "--bot", "idle"], "Missing option '--frame'", id="no-frame"),
        pytest.param(["fork", "run-a", "--frame", "3"], "exactly one of --bot, --policy and --actions", id="nobody"),
        pytest.param(
            ["fork", "run-a", "--frame", "3", "--bot", "idle", "--actions", "6"], "exactly one of", id="two-players"
        ),
        pytest.param(["fork", "run-a", "--frame", "3", "--bot", "nobody"], "no bot of 'prospector'", id="bot"),
        pytest.param(["fork", "run-a", "--frame", "300", "--bot", "idle"], "frame 300 does not exist", id="frame"),
        pytest.param(["fork", "run-a", "--frame", "89", "--bot", "idle"], "nothing can follow frame 89", id="the-end"),
        pytest.param(["fork", "run-a", "--frame", "3", "--actions", "FLY"], "'FLY' is no option", id="action"),
        pytest.param(["fork", "run-a", "--frame", "3", "--actions", "69"], "a number of 0..68", id="action-number"),
        pytest.param(["fork", "run-a", "--frame", "3", "--policy", "run-a"], "no checkpoint yet", id="no-policy"),
        pytest.param(
            ["fork", "run-a", "--frame", "3", "--bot", "idle", "--stochastic"], "needs --policy", id="stochastic"
        ),
        pytest.param(["export", "run-a", "--out", "x.mp4"], "end it in .gif or .webp", id="format"),
        pytest.param(["export", "run-a", "--from", "90"], "are not part of this replay", id="range"),
    ],
)
def test_bad_input_is_refused_in_one_line_with_2(
    arguments: list[str], message: str, root: Path, entry: ReplayEntry, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay(root, arguments[0], *arguments[1:]) == 2

    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert "Traceback" not in error


def test_a_broken_file_is_refused_in_one_line_with_2(
    root: Path, entry: ReplayEntry, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = RunLayout(root / "run-a")
    layout.replay(entry.replay_id).write_bytes(b"rubbish" * 20)

    assert replay(root, "verify", "run-a", entry.replay_id) == 2
    assert "member 0: is no gzip" in capsys.readouterr().err


def test_decisions_of_several_seats_and_heads_can_be_written() -> None:
    spec = toy_spec(ToyConfig())

    assert parse_actions(spec, "one+minus/none+plus,2+1/0+0").tolist() == [[[1, 1], [0, 0]], [[2, 1], [0, 0]]]
    with pytest.raises(ConfigError, match=r"decides for 1 seat\(s\); 'toy' has 2"):
        parse_actions(spec, "one+minus")
    with pytest.raises(ConfigError, match=r"chooses for 1 head\(s\); 'toy' has 2"):
        parse_actions(spec, "one/two")


def test_frames_beyond_the_end_are_refused(root: Path, entry: ReplayEntry, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(root, "show", "run-a", "--from", "99999") == 2

    last = entry.steps - 1
    assert capsys.readouterr().err == f"diorama: --from 99999 is beyond the end; the replay has frames 0..{last}\n"
