"""The result of a battle as text: the same bytes from both tiers."""

import pytest

from diorama.contracts.errors import ContractError
from diorama.worlds.tidebreak.fast import open_arena
from diorama.worlds.tidebreak.packages import to_canonical_json
from diorama.worlds.tidebreak.reference.arena import Arena
from diorama.worlds.tidebreak.resolve import resolve
from diorama.worlds.tidebreak.scenarios import generate, random_battle

BATTLES = [
    *(pytest.param(seed, 12.0, id=f"random-{seed}") for seed in (0, 5, 11)),
    *(pytest.param(seed, 200.0, id=f"long-{seed}", marks=pytest.mark.slow) for seed in range(100, 130)),
]


@pytest.mark.parametrize(("seed", "limit_s"), BATTLES)
def test_the_result_has_the_same_bytes(seed: int, limit_s: float) -> None:
    package = resolve(random_battle(seed).model_copy(update={"time_limit_s": limit_s}))
    reference, fast = Arena(package, is_collecting=True), open_arena(package, is_collecting=True)

    while not reference.battle.outcome.is_over:
        reference.step({})
        fast.step({})

    assert fast.result() == to_canonical_json(reference.result())


def test_a_city_is_reported_on_in_the_same_bytes() -> None:
    seed = next(seed for seed in range(20) if any(s.class_id == "arcology" for s in generate(11, seed).package.ships))
    package = resolve(generate(11, seed).package.model_copy(update={"time_limit_s": 10.0}))
    reference, fast = Arena(package), open_arena(package)

    while not reference.battle.outcome.is_over:
        reference.step({})
        fast.step({})

    assert reference.result().megaship_reports
    assert fast.result() == to_canonical_json(reference.result())


def test_a_battle_that_goes_on_has_no_result() -> None:
    arena = open_arena(resolve(random_battle(0)))

    with pytest.raises(ContractError, match="the battle is not over"):
        arena.result()
