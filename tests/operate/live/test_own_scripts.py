"""Who decides in a live world where nobody was named."""

from pathlib import Path
from typing import Any

import pytest

from diorama.operate.live.deciding.opening import default_policy
from diorama.worlds.registry import load_world
from diorama.worlds.townlet.live.town import LiveTown
from tests.operate.live.runtimes import open_live_world


@pytest.mark.parametrize(
    ("world", "config", "script"),
    [
        ("townlet", {}, "scripted"),
        ("townlet", {"policy_runtime": {"action_level": "primitive"}}, "scripted"),
        ("gameboy", {}, "grid_goal_solver"),
        ("gameboy", {"rom": "CATCH"}, "catch_solver"),
        ("gameboy", {"rom": "KEYDOOR"}, "keydoor_solver"),
        ("gameboy", {"rom": "CATCH", "observation": "packed2"}, "random"),
        ("gameboy", {"rom": "CPU_LOADS", "kind": "gb_pixels"}, "random"),
        ("tidebreak", {}, "auto"),
        ("tidebreak", {"observation": "compact", "scenario": "convoy_run"}, "auto"),
        ("prospector", {}, "explorer"),
    ],
)
def test_the_world_s_own_script_decides(world: str, config: dict[str, Any], script: str) -> None:
    registered = load_world(world)

    assert default_policy(registered, registered.config_type.model_validate(config)) == script
    assert script in registered.bots


def test_citizens_who_choose_single_steps_walk_to_what_they_need(tmp_path: Path) -> None:
    config = {"policy_runtime": {"action_level": "primitive"}, "world": {"population": 3}}
    runtime = open_live_world(tmp_path, "townlet", config=config, seed=6)
    assert isinstance(runtime.world, LiveTown)
    town = runtime.world.town
    for citizen in town.living():
        citizen.needs[0] = 0.3
    begun = {citizen.seat: citizen.tile for citizen in town.living()}

    runtime.run_ticks(40)

    assert all(citizen.tile != begun[citizen.seat] for citizen in town.living())
    assert town.chronicle.uses["start"] > 0
