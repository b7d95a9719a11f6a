"""Who presses the keys of a console that nobody plays."""

import pytest

from diorama.contracts.config import parse_config
from diorama.operate.live.deciding.opening import default_policy
from diorama.worlds.gameboy import WORLD
from diorama.worlds.gameboy.config import GameboyConfig
from diorama.worlds.registry import load_world


@pytest.mark.parametrize(
    ("settings", "bot"),
    [
        pytest.param({}, "grid_goal_solver", id="default"),
        pytest.param({"rom": "CATCH", "kind": "gb_tasks"}, "catch_solver", id="catch"),
        pytest.param({"rom": "KEYDOOR", "kind": "gb_tasks"}, "keydoor_solver", id="keydoor"),
        pytest.param({"rom": "KEYDOOR", "kind": "gb_tasks", "observation": "packed2"}, "keydoor_solver", id="by-heart"),
        pytest.param({"rom": "CATCH", "kind": "gb_tasks", "observation": "packed2"}, "random", id="cannot-see"),
        pytest.param({"rom": "my-game.gb", "kind": "gb_pixels"}, "random", id="own-rom"),
    ],
)
def test_a_live_console_is_played_by_a_bot_that_suits_its_rom(settings: dict[str, object], bot: str) -> None:
    config = parse_config("gameboy", GameboyConfig, settings)

    assert WORLD.companion is not None
    assert WORLD.companion(config) == bot
    assert default_policy(load_world("gameboy"), config) == bot
    assert bot in WORLD.bots
