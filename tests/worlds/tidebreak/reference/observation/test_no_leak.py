"""Fog of war: what a unit has not sensed does not reach its observation."""

import pytest

from diorama.worlds.tidebreak.reference.masks import action_mask
from diorama.worlds.tidebreak.reference.observe import observation, publish_contacts
from diorama.worlds.tidebreak.reference.state import Battle
from tests.worlds.tidebreak.reference.sensing.arenas import look, open_water, ship


def hunt(hidden_at: tuple[float, float]) -> Battle:
    """A corvette pair and a silent submarine far off, which nobody can hear."""
    battle = open_water(
        ship("a", "corvette", -12_000.0, ship_id="a1"),
        ship("a", "corvette", -11_000.0, 500.0, ship_id="a2"),
        ship("b", "attack_sub", 9_000.0, ship_id="b1", layer="SUBMERGED"),
        ship("b", "corvette", -9_000.0, ship_id="b2"),
        rules={"fields": True},
    )
    battle.unit(3).transform.x, battle.unit(3).transform.y = hidden_at
    return battle


@pytest.mark.parametrize("place", [(9_000.0, 3_000.0), (14_000.0, -6_000.0), (5_000.0, 0.0)])
def test_moving_an_undetected_enemy_changes_no_bit(place: tuple[float, float]) -> None:
    here, there = hunt((9_000.0, 0.0)), hunt(place)
    for battle in (here, there):
        look(battle, 12)
        publish_contacts(battle)

    for unit_id in (1, 2):
        assert here.unit(unit_id).tracks.of_target(3) is None
        assert there.unit(unit_id).tracks.of_target(3) is None
        assert observation(here, here.unit(unit_id)) == observation(there, there.unit(unit_id))
        assert action_mask(here, here.unit(unit_id)) == action_mask(there, there.unit(unit_id))
    assert here.unit(1).tracks.of_target(4) is not None


def test_moving_a_detected_one_is_seen() -> None:
    here, there = hunt((9_000.0, 0.0)), hunt((9_000.0, 0.0))
    there.unit(4).transform.y = 400.0
    for battle in (here, there):
        look(battle, 3)

    assert observation(here, here.unit(1)) != observation(there, there.unit(1))


def test_hidden_state_of_a_contact_stays_hidden() -> None:
    here, there = hunt((9_000.0, 0.0)), hunt((9_000.0, 0.0))
    enemy = there.unit(4)
    enemy.hull.hp, enemy.crew.marines, enemy.morale.morale = 1.0, 0.0, 0.1
    enemy.mounts[0].ammo = 0
    for battle in (here, there):
        look(battle, 3)

    assert observation(here, here.unit(1)) == observation(there, there.unit(1))
