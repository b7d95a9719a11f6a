"""The evidence a mismatch leaves behind, and playing it again."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from diorama.contracts.errors import ConfigError
from diorama.contracts.tiers import Tier
from diorama.engine.make import make
from diorama.parity.builds import build_identifiers
from diorama.parity.lockstep import Phase
from diorama.parity.matrix import CaseResult, check_case, replay_bundle
from diorama.parity.profiles import Profile
from tests.parity.flawed_tiers import (
    FLAWED_STEP,
    Flawless,
    LateSkippedDraw,
    OneUlpOff,
    WrongSecondEpisode,
    prospector_with,
    short_case,
)


@pytest.fixture
def caught(tmp_path: Path) -> CaseResult:
    return check_case(prospector_with(OneUlpOff), short_case(), Profile.EXACT, tmp_path / "mismatch")


def bundle_of(result: CaseResult) -> Path:
    assert result.bundle is not None
    return result.bundle


def test_a_case_that_agrees_leaves_nothing(tmp_path: Path) -> None:
    result = check_case(prospector_with(Flawless), short_case(), Profile.EXACT, tmp_path / "mismatch")

    assert (result.mismatch, result.bundle, result.steps) == (None, None, 12)
    assert not (tmp_path / "mismatch").exists()


def test_a_bundle_holds_every_file_and_nothing_unfinished(caught: CaseResult) -> None:
    bundle = bundle_of(caught)

    assert sorted(path.name for path in bundle.iterdir()) == [
        "actions.npy",
        "fast_trace.npz",
        "mismatch.json",
        "reference_trace.npz",
        "repro.sh",
        "state_before_fast.bin",
        "state_before_reference.bin",
    ]
    assert [path.name for path in bundle.parent.iterdir()] == [bundle.name]
    assert bundle.name.endswith("Z_suite-C_seed-0_time-2000")


def test_the_document_tells_the_case_and_every_difference(caught: CaseResult) -> None:
    document = json.loads((bundle_of(caught) / "mismatch.json").read_text())

    assert document["world"] == "prospector"
    assert (document["suite"], document["seed"], document["profile"]) == ("C", 0, "exact")
    assert document["config"]["time_max"] == 2000.0
    assert document["config_hash"] == make("prospector", config={"time_max": 2000}, tier="reference").config_hash
    assert (document["phase"], document["step"], document["episode"]) == ("step", FLAWED_STEP, 0)
    assert (document["field"], document["name"], document["index"]) == ("obs", "price_norm[2]", [0, 246])
    assert document["difference"] == abs(document["reference"] - document["fast"]) > 0
    assert [item["field"] for item in document["differences"]] == ["obs"]
    assert document["builds"] == build_identifiers()
    assert len(document["builds"]["reference"]["sources"]) == 64


def test_the_traces_have_the_fields_of_a_step_trace_and_differ_where_it_says(caught: CaseResult) -> None:
    reference = np.load(bundle_of(caught) / "reference_trace.npz", allow_pickle=False)
    fast = np.load(bundle_of(caught) / "fast_trace.npz", allow_pickle=False)

    assert reference.files == [
        "t", "action_received", "action", "flags", "dt", "event_bits", "rng_draws", "reward", "obs", "metrics"
    ]  # fmt: skip
    assert reference["t"].tolist() == list(range(FLAWED_STEP + 1))
    assert reference["obs"].shape == (FLAWED_STEP + 1, 1, 260)
    assert (reference["obs"].dtype, reference["reward"].dtype) == (np.float32, np.float64)
    assert np.argwhere(reference["obs"] != fast["obs"]).tolist() == [[FLAWED_STEP, 0, 246]]


def test_an_invalid_action_is_flagged_in_the_trace(caught: CaseResult) -> None:
    trace = np.load(bundle_of(caught) / "reference_trace.npz", allow_pickle=False)

    # Suite C opens with a wide scan at the station, where there is nothing to scan: the ship holds instead.
    assert (trace["action_received"][0, 0, 0], trace["action"][0, 0, 0], trace["flags"][0, 0]) == (8, 6, 4)


def test_the_states_continue_into_the_offending_step(caught: CaseResult) -> None:
    bundle = bundle_of(caught)
    actions = np.load(bundle / "actions.npy", allow_pickle=False)
    trace = np.load(bundle / "reference_trace.npz", allow_pickle=False)
    batch = make("prospector", config={"time_max": 2000}, tier="reference")
    batch.reset([99])

    batch.restore(0, (bundle / "state_before_reference.bin").read_bytes())
    batch.step(actions[FLAWED_STEP])

    assert actions.shape == (FLAWED_STEP + 1, 1, 1)
    assert batch.obs.tobytes() == trace["obs"][FLAWED_STEP].tobytes()
    assert (bundle / "state_before_fast.bin").read_bytes() == (bundle / "state_before_reference.bin").read_bytes()


def test_a_replay_still_differs_while_the_tier_is_wrong_and_agrees_once_it_is_right(caught: CaseResult) -> None:
    wrong = replay_bundle(prospector_with(OneUlpOff), bundle_of(caught))
    right = replay_bundle(prospector_with(Flawless), bundle_of(caught))

    assert wrong.result.mismatch == caught.mismatch
    assert wrong.recorded_step == FLAWED_STEP
    assert (right.result.mismatch, right.result.steps) == (None, FLAWED_STEP + 1)


def test_a_replay_goes_over_the_ends_of_episodes(tmp_path: Path) -> None:
    flawed, case = prospector_with(LateSkippedDraw), short_case("B", steps=60, seed=3)

    result = check_case(flawed, case, Profile.EXACT, tmp_path)

    assert result.mismatch is not None
    assert result.mismatch.episode >= 1
    assert replay_bundle(flawed, bundle_of(result)).result.mismatch == result.mismatch
    assert replay_bundle(prospector_with(Flawless), bundle_of(result)).result.mismatch is None
    states = [(bundle_of(result) / f"state_before_{side}.bin").read_bytes() for side in Tier]
    assert states[0] == states[1]


def test_a_wrong_opening_replays_too(tmp_path: Path) -> None:
    flawed = prospector_with(WrongSecondEpisode)

    result = check_case(flawed, short_case("B", steps=60), Profile.EXACT, tmp_path)

    assert result.mismatch is not None
    assert result.mismatch.phase is Phase.RESET
    assert replay_bundle(flawed, bundle_of(result)).result.mismatch == result.mismatch
    assert replay_bundle(prospector_with(Flawless), bundle_of(result)).result.mismatch is None
    states = [(bundle_of(result) / f"state_before_{side}.bin").read_bytes() for side in Tier]
    assert states[0] != states[1]


@pytest.mark.parametrize(
    ("flaw", "exit_code", "said"),
    [pytest.param("OneUlpOff", 1, "still differ", id="wrong"), pytest.param("Flawless", 0, "agree now", id="right")],
)
def test_the_one_command_of_the_bundle_reproduces_it(
    caught: CaseResult, tmp_path: Path, flaw: str, exit_code: int, said: str
) -> None:
    command = tmp_path / "python"
    command.write_text(
        f"#!{sys.executable}\n"
        "import sys\n"
        "assert sys.argv[1:3] == ['-m', 'diorama'], sys.argv\n"
        "sys.argv[1:3] = []\n"
        "from diorama.worlds import registry\n"
        f"from tests.parity.flawed_tiers import {flaw}, prospector_with\n"
        f"world = prospector_with({flaw})\n"
        "registry.load_world = lambda world_id: world\n"
        "from diorama.cli.app import main\n"
        "main()\n"
    )
    command.chmod(0o755)
    settings = {"PATH": "", "DIORAMA_PYTHON": str(command), "PYTHONPATH": os.pathsep.join(sys.path)}

    done = subprocess.run(
        [bundle_of(caught) / "repro.sh"], env=os.environ | settings, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (exit_code, "")
    assert said in done.stdout


def test_a_directory_that_is_no_bundle_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no mismatch bundle"):
        replay_bundle(prospector_with(Flawless), tmp_path)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        pytest.param("world", "toy", "is of world 'toy', not of 'prospector'", id="world"),
        pytest.param("interface_version", "prospector-v9", "is of prospector-v9; this is prospector-v1", id="version"),
        pytest.param("config", {"nonsense": 1}, "there is no such key", id="config"),
        pytest.param("seed", "abc", "seed: it should be a whole number", id="seed"),
    ],
)
def test_a_bundle_of_something_else_is_refused(caught: CaseResult, key: str, value: object, message: str) -> None:
    path = bundle_of(caught) / "mismatch.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))

    with pytest.raises(ConfigError, match=message):
        replay_bundle(prospector_with(Flawless), bundle_of(caught))


@pytest.mark.parametrize(
    "actions",
    [pytest.param(np.zeros((3, 2, 1), np.int32), id="seats"), pytest.param(np.zeros((3, 1, 1), np.float64), id="type")],
)
def test_actions_that_do_not_fit_the_world_are_refused(caught: CaseResult, actions: np.ndarray) -> None:
    np.save(bundle_of(caught) / "actions.npy", actions)

    with pytest.raises(ConfigError, match="it must be int32, steps by 1 seats by 1 heads"):
        replay_bundle(prospector_with(Flawless), bundle_of(caught))


def test_pickled_actions_are_never_executed(caught: CaseResult) -> None:
    np.save(bundle_of(caught) / "actions.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)

    with pytest.raises(ConfigError, match="cannot be read"):
        replay_bundle(prospector_with(Flawless), bundle_of(caught))
