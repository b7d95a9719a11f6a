"""Battles at the limits of what a package may say: both tiers go on alike, and each restores what either wrote."""

from typing import TYPE_CHECKING, Any

import pytest

from diorama.worlds.tidebreak.fast import open_arena
from diorama.worlds.tidebreak.reference.arena import Arena
from diorama.worlds.tidebreak.reference.components import IN_TRANSIT
from diorama.worlds.tidebreak.resolve import ResolvedPackage
from tests.worlds.tidebreak.reference.battles import Document, package, ship, unit_of
from tests.worlds.tidebreak.reference.weapons.scenes import hurt

if TYPE_CHECKING:
    from diorama import _native

TICKS = 4
LARGEST = 1e9
NEVER = 2**53 - 1
EVERYBODY = 1_000_000
STOP, TURN, DIVE = [1, 3, 0, 0, 0, 0, 0], [6, 6, 0, 0, 0, 0, 0], [1, 3, 2, 0, 0, 0, 0]
AHEAD = [6, 3, 0, 0, 0, 0, 0]


def extreme_ship(ship_id: str, team: str, class_id: str, *, agile: float, **more: Any) -> Document:
    """A ship as fast, rich and brittle as ships can be."""
    return ship(
        ship_id,
        team,
        class_id,
        hull={
            "hp": 1,
            "radius": 30,
            "max_speed": {"surface": LARGEST, "submerged": LARGEST},
            "acceleration": agile,
            "turn_rate": agile,
            "turn_lag": 1e-6,
        },
        capabilities={"can_surface": True, "can_submerge": True, "dive_s": LARGEST},
        marines=EVERYBODY,
        security=EVERYBODY,
        decoys=NEVER,
        **more,
    )


def extreme_battle(edges: str, agile: float, modifier: float) -> ResolvedPackage:
    """Ships at full speed, two of them about to run into each other, in a whirl and a storm without end."""
    storm = {"x": 0, "y": 0, "radius": LARGEST, "intensity": 1, "profile": "CYCLONIC", "ends_at_tick": NEVER}
    eddies = [{"x": 0, "y": 0, "radius": LARGEST, "speed": LARGEST}]
    return package(
        extreme_ship("fast", "red", "corvette", agile=agile, x=-2000.0, speed=LARGEST),
        extreme_ship("large", "red", "dreadnought", agile=agile, x=-5000.0, heading=1.0),
        extreme_ship("deep", "blue", "attack_sub", agile=agile, x=2000.0, layer="SUBMERGED", speed=LARGEST),
        extreme_ship("near", "blue", "frigate", agile=agile, x=-4935.0, heading=3.0),
        area={
            "edges": edges,
            "storms": [storm],
            "currents": {"kind": "analytic", "variance": LARGEST, "eddies": eddies, "layer_factors": [LARGEST] * 3},
            "layers": {name: {"speed_modifier": modifier} for name in ("surface", "submerged", "abyssal")},
        },
        rules={"fields": True},
        time_step_s=0.5,
    )


@pytest.mark.parametrize(
    ("edges", "modifier", "agile"),
    [
        pytest.param("closed", 1e3, 1.0, id="driven"),
        pytest.param("open", 1e3, LARGEST, id="gone"),
    ],
)
def test_snapshots_of_the_most_extreme_battle_are_restored_by_both_tiers(
    edges: str, modifier: float, agile: float
) -> None:
    resolved = extreme_battle(edges, agile, modifier)
    names = {spec.ship_id: "agent" for spec in resolved.battle.units}
    reference, fast = Arena(resolved, names), open_arena(resolved, names)
    restored = Arena(resolved), open_arena(resolved)
    ticks = 0

    for tick in range(TICKS):
        assert_restored(restored, reference, fast)
        if reference.battle.outcome.is_over:
            break
        present = [unit.spec.ship_id for unit in reference.battle.units if unit.is_present]
        decisions = {name: DIVE if (tick, name) == (0, "large") else TURN for name in present}
        reference.step(decisions)
        fast.step(decisions)
        ticks += 1

    assert ticks > 0


@pytest.mark.parametrize("class_id", ["attack_sub", "dreadnought", "arcology"])
def test_a_brittle_hull_that_takes_large_damage_in_transit_is_restored_by_both_tiers(class_id: str) -> None:
    resolved = package(extreme_ship("a", "red", class_id, agile=1.0))
    names = {"a": "agent"}
    reference, fast = Arena(resolved, names), open_arena(resolved, names)
    restored = Arena(resolved), open_arena(resolved)
    reference.step({"a": DIVE})
    assert unit_of(reference.battle, "a").layer.mode == IN_TRANSIT

    for _ in range(3):
        hurt(reference.battle, unit_of(reference.battle, "a"), 2600.0)
        fast.restore(reference.snapshot())
        assert_restored(restored, reference, fast)
        decisions = {"a": STOP} if unit_of(reference.battle, "a").is_present else {}
        reference.step(decisions)
        fast.step(decisions)
        assert_restored(restored, reference, fast)
        if reference.battle.outcome.is_over:
            break

    assert unit_of(reference.battle, "a").tally.damage_taken > 1001.0


@pytest.mark.parametrize("order", [AHEAD, STOP], ids=["ahead", "stop"])
def test_water_stops_a_hull_and_does_not_throw_it_back(order: list[int]) -> None:
    area = {"edges": "open", "layers": {"surface": {"speed_modifier": 1e-6}}}
    resolved = package(ship("a", "red", "corvette", speed=15.0), area=area, time_step_s=0.5)
    names = {"a": "agent"}
    reference, fast = Arena(resolved, names), open_arena(resolved, names)
    restored = Arena(resolved), open_arena(resolved)

    for _ in range(TICKS):
        reference.step({"a": order})
        fast.step({"a": order})
        assert_restored(restored, reference, fast)
        assert 0.0 <= unit_of(reference.battle, "a").motion.vx < 1.0


def assert_restored(
    others: "tuple[Arena, _native.TidebreakArena]", reference: Arena, fast: "_native.TidebreakArena"
) -> None:
    """Both tiers have the same snapshot, and other battles of either go on from it."""
    data = reference.snapshot()
    assert fast.snapshot() == data
    for other in others:
        other.restore(data)
        assert other.snapshot() == data
