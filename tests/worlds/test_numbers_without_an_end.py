"""Numbers of a configuration that would overrun a reward or a counter are refused before anything is built."""

from pathlib import Path
from typing import Any

import pytest

from diorama.contracts.config import parse_config
from diorama.contracts.errors import ConfigError
from diorama.worlds.gameboy.envs.tasks.reading import load_task
from diorama.worlds.registry import load_world


@pytest.mark.parametrize(
    ("world", "config"),
    [
        ("prospector", {"invalid_action_pen": 1e39}),
        ("tidebreak", {"reward_weights": {"terminal": 1e39}}),
        ("tidebreak", {"reward_weights": {"dealt": -1e39}}),
        ("gameboy", {"step_cost": -1e39}),
        ("gameboy", {"alpha": 1e39}),
        ("gameboy", {"goal_bonus": 1e39}),
        ("gameboy", {"k_consecutive": 2**31}),
        ("morphogenesis", {"sparse_reward_scale": 1e39}),
        ("morphogenesis", {"basic_acc_delta_weight": 1e39}),
        ("morphogenesis", {"param_penalty_weight": 1e39}),
        ("morphogenesis", {"seed_gain_init": 1e39}),
        ("morphogenesis", {"param_budget": 10**400}),
        ("morphogenesis", {"rent_host_params_floor": 10**400}),
    ],
)
def test_a_number_that_nothing_could_hold_is_refused(world: str, config: dict[str, Any]) -> None:
    registered = load_world(world)

    with pytest.raises(ConfigError, match=r"it should be (less|greater) than or equal to"):
        parse_config(world, registered.config_type, config)


def test_a_task_that_pays_more_than_a_reward_holds_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rich.yaml"
    path.write_text("watch: {a: 0xC000}\nrewards: [{rule: {byte_eq: {addr: a, v: 1}}, pay: 1.0e+39}]\n")

    with pytest.raises(ConfigError, match=r"pay: .*less than or equal to 1000000000"):
        load_task(str(path))
