"""What bots and policies remember: a world that was killed goes on as if it never had been."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import diorama
from diorama.contracts.bots import RememberingBot
from diorama.contracts.errors import SnapshotError
from diorama.engine.bot_memories import export_memory, load_memory
from diorama.operate.live.runtime import LiveRuntime
from diorama.worlds.registry import load_world
from tests.operate.live.policies import untrained_policy
from tests.operate.live.runtimes import open_live_world

PRIMITIVES = {"policy_runtime": {"action_level": "primitive"}}
CASES: list[Any] = [
    pytest.param("prospector", "prudent_hauler", {}, id="a-script"),
    pytest.param("prospector", "novice", {}, id="a-recurrent-policy"),
    pytest.param("townlet", "scripted", PRIMITIVES, id="a-town-on-foot"),
    pytest.param("townlet", "random_valid", {}, id="luck", marks=pytest.mark.slow),
    pytest.param("townlet", "novice", {}, id="a-recurrent-town", marks=pytest.mark.slow),
    pytest.param("tidebreak", "ambusher", {}, id="a-fleet", marks=pytest.mark.slow),
    pytest.param(
        "gameboy", "keydoor_solver", {"kind": "gb_tasks", "rom": "KEYDOOR"}, id="a-game", marks=pytest.mark.slow
    ),
    pytest.param("gameboy", "novice", {}, id="pixels", marks=pytest.mark.slow),
]


def _memory(runtime: LiveRuntime) -> str:
    return json.dumps(runtime._services.decider.export())


@pytest.mark.parametrize(("world", "policy", "config"), CASES)
def test_a_killed_world_goes_on_as_if_it_never_had_been(
    world: str, policy: str, config: dict[str, object], tmp_path: Path
) -> None:
    if policy == "novice":
        untrained_policy(tmp_path / "runs", world)
    more: dict[str, Any] = {"config": config, "autosave_ticks": 20, "run_root": tmp_path / "runs"}
    whole = open_live_world(tmp_path / "whole", world, policy=policy, seed=4, **more)
    whole.run_ticks(33)
    shutil.copytree(tmp_path / "whole", tmp_path / "killed")

    again = open_live_world(tmp_path / "killed", world, resume=True, **more)

    assert _memory(again) == _memory(whole)
    for _ in range(2):
        whole.run_ticks(15)
        again.run_ticks(15)
        assert again.world.state_hash() == whole.world.state_hash()
        assert _memory(again) == _memory(whole)


@pytest.mark.parametrize(
    "world_id",
    [
        "prospector",
        "townlet",
        pytest.param("tidebreak", marks=pytest.mark.slow),
        pytest.param("gameboy", marks=pytest.mark.slow),
        pytest.param("morphogenesis", marks=pytest.mark.slow),
    ],
)
def test_a_bot_with_the_memory_of_another_goes_on_like_it(world_id: str) -> None:
    world = load_world(world_id)
    for name, make_bot in world.bots.items():
        batch = diorama.make(world_id, seed=11)
        batch.reset()
        bots = [make_bot() for _ in range(batch.spec.agents)]
        for seat, bot in enumerate(bots):
            bot.reset(1000 + seat)
        for _ in range(40):
            batch.step(np.array([bot.act(*row) for bot, row in zip(bots, _rows(batch), strict=True)], np.int32))

        others = [make_bot() for _ in bots]
        for bot, other in zip(bots, others, strict=True):
            load_memory(other, json.loads(json.dumps(export_memory(bot))))

        for _ in range(20):
            rows = _rows(batch)
            decisions = [bot.act(*row) for bot, row in zip(bots, rows, strict=True)]
            assert decisions == [bot.act(*row) for bot, row in zip(others, rows, strict=True)], name
            batch.step(np.array(decisions, np.int32))


def test_what_no_bot_could_remember_is_refused() -> None:
    hauler, greedy = (load_world("prospector").bots[name]() for name in ("prudent_hauler", "greedy_miner"))
    assert isinstance(hauler, RememberingBot)

    for broken in (None, 7, {"exhausted_slots": "all"}):
        with pytest.raises(SnapshotError, match="no memory of a PrudentHauler"):
            load_memory(hauler, broken)
    with pytest.raises(SnapshotError, match="remembers nothing"):
        load_memory(greedy, 7)


def _rows(batch: Any) -> list[tuple[Any, Any, Any]]:
    return [(batch.obs[seat], batch.obs_u8[seat], batch.masks[seat]) for seat in range(batch.spec.agents)]
