"""What the contract of the world says of observations and keys."""

import pytest

from diorama.contracts.config import parse_config
from diorama.contracts.spec import Dtype, WorldSpec
from diorama.parity.cases import Case, Column
from diorama.parity.lockstep import walk_in_lockstep
from diorama.parity.players import SuitePlayer
from diorama.parity.profiles import Profile
from diorama.parity.sides import Sides
from diorama.worlds.gameboy.codec import get_action_codec
from tests.worlds.gameboy.envs.batches import SHORT, WORLD


def spec_of(**config: object) -> WorldSpec:
    return WORLD.describe(parse_config(WORLD.id, WORLD.config_type, config))


def test_the_keys_are_the_codecs() -> None:
    spec = spec_of()

    assert spec.option_names == get_action_codec().action_names
    assert spec.noop == (0,)
    assert {hotkey.action for hotkey in spec.hotkeys} == set(range(1, get_action_codec().num_actions))


@pytest.mark.parametrize(
    ("config", "fields"),
    [
        ({}, [("pixels", (72, 80), Dtype.UINT8, 3.0)]),
        ({"stack": 4}, [("pixels", (4, 72, 80), Dtype.UINT8, 3.0)]),
        ({"observation": "packed2"}, [("packed2", (72, 20), Dtype.UINT8, 255.0)]),
        ({"kind": "gb_pixels", "observation": "shade_full"}, [("pixels", (144, 160), Dtype.UINT8, 3.0)]),
        ({"kind": "gb_pixels", "observation": "ram_v3"}, [("ram_v3", (32,), Dtype.FLOAT32, 1.0)]),
        (
            {"kind": "gb_pixels", "observation": "watch", "watch": [1, 2, 3]},
            [("watch", (3,), Dtype.UINT8, 255.0)],
        ),
        (
            {"kind": "gb_tasks", "rom": "KEYDOOR"},
            [("pixels", (72, 80), Dtype.UINT8, 3.0), ("senses", (5,), Dtype.FLOAT32, 1e6)],
        ),
    ],
    ids=["half", "stack", "packed", "full", "ram", "watch", "tasks"],
)
def test_the_observation_follows_from_the_configuration(
    config: dict[str, object], fields: list[tuple[str, tuple[int, ...], Dtype, float]]
) -> None:
    found = [(item.name, item.shape, item.dtype, item.high) for item in spec_of(**config).observation]

    assert found == fields


def test_both_tiers_agree_over_the_end_of_an_episode() -> None:
    settings = {"kind": "gb_tasks", "rom": "KEYDOOR", "max_steps": 3, "stack": 2, "noop_start_max": 2}
    column = Column(label="short", config={**SHORT, **settings})
    case = Case(world=WORLD.id, suite="random", seed=5, column=column, steps=5)

    walk = walk_in_lockstep(case, Sides.of_world(WORLD), SuitePlayer(WORLD, case), Profile.EXACT)

    assert str(walk.mismatch) == "None"
    assert walk.episodes == 1
