"""From any state, however strange, both tiers go on alike: weapons, damage, compartments, crews and boardings."""

from dataclasses import astuple
from random import Random

import pytest

from diorama.worlds.tidebreak.contract import HEAD_OFFSETS, HEAD_SIZES
from diorama.worlds.tidebreak.fast import open_arena
from diorama.worlds.tidebreak.reference.arena import Arena
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.masks import action_mask
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from tests.worlds.tidebreak.fast.disturbances import crowded_battle, disturb

TICKS = 12
SEEDS = [
    *range(5),
    *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(5, 60)),
]


def any_decision(battle: Battle, unit: Unit, draw: Random) -> list[int]:
    """One allowed option of every head."""
    mask = action_mask(battle, unit)
    return [
        draw.choice([option for option in range(size) if mask[first + option]])
        for first, size in zip(HEAD_OFFSETS, HEAD_SIZES, strict=True)
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_disturbed_battle_goes_on_alike(seed: int) -> None:
    draw = Random(seed)
    resolved = crowded_battle(draw)
    controllers = {spec.ship_id: "agent" for spec in resolved.battle.units[::2]}
    reference = Arena(resolved, controllers, is_collecting=True)
    fast = open_arena(resolved, controllers, is_collecting=True)
    disturb(reference.battle, draw)
    disturbed = reference.snapshot()
    reference.restore(disturbed)
    fast.restore(disturbed)
    seen: set[EventKind] = set()

    for _ in range(TICKS):
        battle = reference.battle
        if battle.outcome.is_over:
            break
        present = [unit for unit in battle.units if unit.spec.ship_id in controllers and unit.is_present]
        decisions = {unit.spec.ship_id: any_decision(battle, unit, draw) for unit in present}
        reference.step(decisions)
        fast.step(decisions)
        news = reference.events()
        seen.update(event.kind for event in news)

        assert fast.events() == [astuple(event) for event in news], f"tick {battle.tick}"
        assert fast.state_hash() == reference.state_hash(), f"tick {battle.tick}"

    assert fast.snapshot() == reference.snapshot()
    assert EventKind.HIT in seen
