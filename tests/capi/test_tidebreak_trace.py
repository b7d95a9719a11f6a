"""The trace of `tidebreak_trace_runner` against the tiers, bit for bit."""

import subprocess
from pathlib import Path
from typing import Final

import numpy as np
import pytest

import diorama
from diorama.contracts.values import I32
from diorama.engine.batch import Batch
from diorama.rng import Pcg32
from diorama.worlds.tidebreak.contract import HEAD_SIZES
from diorama.worlds.tidebreak.packages.package import BattlePackage
from diorama.worlds.tidebreak.resolve import resolve
from diorama.worlds.tidebreak.scenarios.random_battles import random_battle
from tests.capi.build import Build

RECORD: Final = np.dtype([("tick", "<i8"), ("state_hash", "<u8"), ("events", "<u8"), ("env_done", "<u8")])
SEATS: Final = 3


def any_actions(seed: int, ticks: int) -> I32:
    rng = Pcg32.from_seed(seed, 79)
    drawn = [rng.randint_exclusive(0, size) for _ in range(ticks * SEATS) for size in HEAD_SIZES]
    return np.array(drawn, np.int32).reshape(ticks, SEATS, len(HEAD_SIZES))


def batch_of(package: BattlePackage, tier: str) -> Batch:
    config = {"package": package.model_dump(mode="json"), "seats": SEATS, "played": "all"}
    return diorama.make("tidebreak", config=config, tier=tier)


def expected_trace(batch: Batch, seed: int, actions: I32) -> list[tuple[int, int, int]]:
    batch.reset(seeds=[seed])
    trace = [(batch.state_hash(0), 0, 0)]
    for decisions in actions:
        batch.step(decisions)
        trace.append((batch.state_hash(0), int(batch.events[0]), int(batch.episode_start[0])))
    return trace


def runner_trace(build: Build, folder: Path, package: BattlePackage, seed: int, actions: I32) -> np.ndarray:
    files = {"--package": resolve(package).document, "--actions": actions.astype("<i4").tobytes()}
    command: list[str | Path] = [build.tidebreak_runner, "--seed", str(seed), "--agents", str(SEATS)]
    for option, content in files.items():
        path = folder / option.lstrip("-")
        path.write_bytes(content)
        command += [option, path]
    subprocess.run([*command, "--out", folder / "trace"], check=True)
    return np.fromfile(folder / "trace", RECORD)


@pytest.mark.parametrize(
    ("battle", "tier", "ticks"),
    [(1, "fast", 300), (2, "fast", 300), (5, "fast", 300), (11, "fast", 300), (3, "reference", 20)],
)
def test_the_trace_equals_the_tier(build: Build, tmp_path: Path, battle: int, tier: str, ticks: int) -> None:
    package, seed = random_battle(battle), 2**63 + battle
    actions = any_actions(battle, ticks)
    expected = expected_trace(batch_of(package, tier), seed, actions)

    trace = runner_trace(build, tmp_path, package, seed, actions)

    assert list(zip(trace["state_hash"], trace["events"], trace["env_done"], strict=True)) == expected
    assert trace["tick"][1] == 1


def test_an_option_that_does_not_exist_is_refused(build: Build, tmp_path: Path) -> None:
    actions = any_actions(0, 1)
    actions[0, 1, 0] = HEAD_SIZES[0]

    with pytest.raises(subprocess.CalledProcessError):
        runner_trace(build, tmp_path, random_battle(1), 1, actions)
