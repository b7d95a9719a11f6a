"""Both tiers of a small battle to its end and into the next one."""

from typing import Any

import pytest

from diorama.parity.cases import Case, Column
from diorama.parity.lockstep import walk_in_lockstep
from diorama.parity.players import SuitePlayer
from diorama.parity.profiles import Profile
from diorama.parity.sides import Sides
from diorama.worlds.registry import load_world
from tests.worlds.tidebreak.world.battles import LIMIT_S, skirmish


@pytest.mark.parametrize("suite", ["masked", "unmasked", "auto"])
@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"seats": 5, "played": "all"}, id="credit"),
        pytest.param({"seats": 2, "credit_dead": False, "shaping_discount": 0.9}, id="no-credit-and-shaping"),
    ],
)
def test_both_tiers_agree_over_the_end_of_a_battle(suite: str, settings: dict[str, Any]) -> None:
    world = load_world("tidebreak")
    column = Column(label="skirmish", config={"package": skirmish(fields=True), **settings})
    case = Case(world=world.id, suite=suite, seed=3, column=column, steps=LIMIT_S + 3)

    walk = walk_in_lockstep(case, Sides.of_world(world), SuitePlayer(world, case), Profile.EXACT)

    assert str(walk.mismatch) == "None"
    assert walk.episodes == 1
