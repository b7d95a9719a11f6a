"""Copies on a device against the batch on the host: the same rows bit for bit, the same training and snapshots."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
import torch

from diorama.contracts.buffers import Buffers
from diorama.contracts.errors import ConfigError, SnapshotError, TierUnavailable
from diorama.contracts.resident import DeviceRows, ResidentCore
from diorama.contracts.tiers import CoreRequest
from diorama.contracts.training_reports import StepView
from diorama.engine.make import make_batch
from diorama.learn.buffer import RolloutShape
from diorama.learn.cuda.rollouts import ResidentRollout
from diorama.learn.settings import TrainerSettings
from diorama.learn.trainer import Trainer
from diorama.snapshots import WordReader, WordWriter
from diorama.worlds.gameboy.config import GameboyConfig
from diorama.worlds.gameboy.envs.device_judges import DeviceJudge, GoalJudge, RulesJudge
from diorama.worlds.gameboy.envs.tensor_lanes import open_tensor_lanes
from diorama.worlds.gameboy.resident import GameboyResident
from tests.learn.recording_callback import RecordingCallback
from tests.worlds.gameboy.envs.batches import SHORT, WORLD

COPIES = 18  # more than the host draws full pictures for
CONFIGS: dict[str, dict[str, Any]] = {
    "goal": {"k_consecutive": 1, "tau": 0.52},
    "packed-stack": {"observation": "packed2", "stack": 3},
    "tasks": {"kind": "gb_tasks", "rom": "KEYDOOR", "keys": ["NOOP", "UP", "DOWN", "LEFT", "RIGHT"]},
    "curriculum": {"kind": "gb_curriculum", "k_consecutive": 1, "tau": 0.56},
    "ram": {"kind": "gb_tasks", "rom": "KEYDOOR", "observation": "ram_v3"},
    "watch": {"kind": "gb_tasks", "rom": "CATCH", "observation": "watch"},
}
LONGER = ("goal", "curriculum", "ram", "watch")


def settled(name: str, **settings: object) -> dict[str, object]:
    return {**SHORT, "max_steps": 7, "noop_start_max": 2, **CONFIGS[name], **settings}


def resident(config: dict[str, object], *, seed: int = 4, backend: str = "rust") -> GameboyResident:
    parsed = GameboyConfig.model_validate(config)
    return GameboyResident(parsed, open_tensor_lanes(parsed, COPIES, backend=backend), seed=seed)


def rows_for(core: ResidentCore, steps: int) -> list[DeviceRows]:
    shape = RolloutShape(spec=core.spec, copies=COPIES, steps=steps, sequence_length=1, memory_width=0, extras={})
    rollout = ResidentRollout(shape, torch.device("cpu"))
    return [rollout.device_rows(step) for step in range(steps + 1)]


def keys(core: ResidentCore, step: int, config: dict[str, object]) -> np.ndarray[Any, np.dtype[np.int32]]:
    drawn = np.random.default_rng(step).integers(0, 8, (COPIES, 1)).astype(np.int32)
    return np.where(drawn < 4, 0, drawn).astype(np.int32) if "keys" in config else drawn


def assert_same_rows(rows: DeviceRows, buffers: Buffers) -> None:
    ended = (buffers.terminated | buffers.truncated) != 0
    for item in fields(rows):
        found, wanted = getattr(rows, item.name).numpy(), getattr(buffers, item.name)
        if item.name.startswith("final"):
            found, wanted = found[ended], wanted[ended]
        np.testing.assert_array_equal(found.astype(wanted.dtype), wanted, err_msg=item.name)


@pytest.mark.parametrize(
    "name", ["packed-stack", "tasks", *(pytest.param(name, marks=pytest.mark.slow) for name in LONGER)]
)
def test_rows_are_those_of_the_batch_bit_for_bit(name: str) -> None:
    config = settled(name)
    core, batch = resident(config), make_batch(WORLD, copies=COPIES, config=config, seed=4, tier="fast")
    rows = rows_for(core, 16)
    core.open_all(rows[0])
    batch.reset()
    assert_same_rows(rows[0], batch.buffers)

    for step in range(16):
        actions = keys(core, step, config)
        batch.step(actions)
        core.step_all(torch.from_numpy(actions), rows[step + 1])
        assert_same_rows(rows[step + 1], batch.buffers)


@pytest.mark.parametrize("name", ["tasks", *(pytest.param(name, marks=pytest.mark.slow) for name in LONGER)])
def test_each_continues_what_the_other_has_saved(name: str) -> None:
    config = settled(name)
    core, batch = resident(config), make_batch(WORLD, copies=COPIES, config=config, seed=4, tier="fast")
    rows = rows_for(core, 6)
    core.open_all(rows[0])
    batch.reset()
    for step in range(5):
        actions = keys(core, step, config)
        batch.step(actions)
        core.step_all(torch.from_numpy(actions), rows[step + 1])

    of_batch = [batch.snapshot(copy) for copy in range(COPIES)]
    assert core.snapshots() == of_batch
    other, more = resident(config, seed=99), rows_for(core, 6)
    other.open_all(more[0])
    other.restore_all(of_batch, more[0])
    np.testing.assert_array_equal(more[0].obs_u8.numpy(), batch.obs_u8)
    np.testing.assert_array_equal(more[0].obs.numpy(), batch.obs)
    for step in range(6):
        actions = keys(core, 50 + step, config)
        batch.step(actions)
        other.step_all(torch.from_numpy(actions), more[step + 1])
        assert_same_rows(more[step + 1], batch.buffers)


def test_snapshots_of_another_configuration_are_refused() -> None:
    core, other = resident(settled("goal")), resident(settled("goal", max_steps=8))
    rows = rows_for(core, 1)
    core.open_all(rows[0])
    other.open_all(rows[0])

    with pytest.raises(SnapshotError, match="is of configuration"):
        other.restore_all(core.snapshots(), rows[0])


@pytest.mark.parametrize(
    ("name", "write"),
    [
        pytest.param("goal", lambda words: (words.add_float(1e300), words.add_int(0)), id="distance"),
        pytest.param("goal", lambda words: (words.add_float(0.5), words.add_int(1 << 40)), id="matches"),
        pytest.param("goal", lambda words: (words.add_float(0.5), words.add_int(-1)), id="negative"),
        pytest.param("tasks", lambda words: words.add_ints([256] * 64), id="byte"),
        pytest.param("tasks", lambda words: words.add_ints([1 << 40] * 64), id="large-byte"),
    ],
)
def test_words_beyond_what_a_judge_can_hold_are_refused(name: str, write: Callable[[WordWriter], object]) -> None:
    config = GameboyConfig.model_validate(settled(name))
    judge: DeviceJudge = (RulesJudge if name == "tasks" else GoalJudge)(config, 2, torch.device("cpu"))
    words = WordWriter()
    write(words)

    with pytest.raises(SnapshotError, match="must"):
        judge.read_lane(1, WordReader(words.words()))


def test_copies_do_not_live_on_the_host() -> None:
    assert WORLD.reside is not None
    with pytest.raises(TierUnavailable, match="gameboy lives on cuda:0"):
        WORLD.reside(GameboyConfig(), CoreRequest(copies=1, seed=0, threads=1, device="cpu"))


class Rewarding(RecordingCallback):
    """Also keeps what every step paid and counted."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[bytes, ...]] = []

    def on_step(self, step: StepView) -> None:
        super().on_step(step)
        arrays = (step.rewards, step.metrics, step.events, step.dt, step.truncated, step.alive_before, step.obs())
        self.heard.append(tuple(array.tobytes() for array in arrays))


def training(name: str, *, core: bool, backend: str = "rust", **execution: object) -> tuple[Trainer, Rewarding]:
    config = settled(name)
    settings = TrainerSettings.model_validate(
        {
            "policy": {"arch": "cnn-small-v1"},
            "ppo": {"rollout_steps": 8, "num_minibatches": 2, "update_epochs": 1},
            "normalization": {"observations": name == "tasks"},
            "execution": {"pipeline": True, "lane_copies": COPIES, **execution},
        }
    )
    source = (
        resident(config, backend=backend)
        if core
        else make_batch(WORLD, copies=COPIES, config=config, seed=4, tier="fast")
    )
    ear = Rewarding()
    return Trainer(source, settings, seed=2, callbacks=[ear]), ear


def same_weights(one: Trainer, other: Trainer) -> bool:
    pairs = zip(one.policy.state_dict().values(), other.policy.state_dict().values(), strict=True)
    return all(mine.equal(its) for mine, its in pairs)


def rollout_arrays(trainer: Trainer) -> Iterator[tuple[str, torch.Tensor]]:
    rollout = trainer._collector.rollout
    yield from ((name, rollout.inputs[name]) for name in ("obs", "obs_u8", "masks", "alive", "episode_start"))
    yield from ((name, rollout.outcome(name)) for name in ("rewards", "terminated", "truncated"))
    yield from ((name, getattr(rollout, name)) for name in ("actions", "log_probs", "values", "bootstrap"))


@pytest.mark.parametrize(
    ("name", "overlap"),
    [
        pytest.param("tasks", True, id="tasks-overlap"),
        pytest.param("tasks", False, id="tasks-strict", marks=pytest.mark.slow),
        pytest.param("goal", True, id="goal-overlap", marks=pytest.mark.slow),
    ],
)
def test_training_on_the_device_is_that_beside_the_host_bit_for_bit(name: str, overlap: bool) -> None:
    (there, told), (here, told_too) = (training(name, core=core, overlap=overlap) for core in (True, False))

    for trainer in (there, here):
        trainer.run(3 * 8 * COPIES)

    for (array, found), (_, wanted) in zip(rollout_arrays(there), rollout_arrays(here), strict=True):
        assert found.equal(wanted), array
    assert told.heard == told_too.heard
    assert same_weights(there, here)


def test_a_run_on_the_device_goes_on_from_its_state_and_from_that_of_the_host() -> None:
    (whole, _), (first, _), (second, _) = (training("tasks", core=core) for core in (True, False, True))
    whole.run(4 * 8 * COPIES)

    first.run(2 * 8 * COPIES)
    second.load_state(first.state())
    second.run(4 * 8 * COPIES)

    assert same_weights(second, whole)
    assert second.state().snapshots == whole.state().snapshots


def test_a_run_on_the_device_goes_back_to_where_it_was() -> None:
    (whole, _), (back, _) = (training("goal", core=True) for _ in range(2))
    whole.run(3 * 8 * COPIES)

    back.run(2 * 8 * COPIES)
    earlier = back.state()
    back.run(3 * 8 * COPIES)
    back.load_state(earlier)
    back.run(3 * 8 * COPIES)

    assert same_weights(back, whole)
    assert back.state().snapshots == whole.state().snapshots


def test_copies_on_a_device_are_not_led_from_the_host() -> None:
    with pytest.raises(ConfigError, match=r"execution\.pipeline is false"):
        training("goal", core=True, pipeline=False)


@pytest.mark.slow
def test_training_on_warp_is_that_beside_the_host_bit_for_bit() -> None:
    pytest.importorskip("warp", reason="Warp is not installed (diorama[gpu])")
    there, told = training("tasks", core=True, backend="warp_cpu")
    here, told_too = training("tasks", core=False)

    for trainer in (there, here):
        trainer.run(2 * 8 * COPIES)

    assert told.heard == told_too.heard
    assert same_weights(there, here)
