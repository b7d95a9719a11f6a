"""The contract of every world and variant is the one that was frozen."""

import pytest

from diorama.worlds.registry import load_world, own_world_ids
from tests.golden.renew import GOLDEN, golden_path, golden_text, variants_of

KEPT = [
    pytest.param(world_id, variant, id=world_id if variant is None else f"{world_id}-{variant}")
    for world_id in own_world_ids()
    for variant in variants_of(load_world(world_id))
]


@pytest.mark.parametrize(("world_id", "variant"), KEPT)
def test_a_contract_is_the_golden_one(world_id: str, variant: str | None) -> None:
    world = load_world(world_id)

    assert golden_text(world, variant) == golden_path(world, variant).read_text(encoding="utf-8")


def test_a_contract_is_kept_for_every_world_and_variant_and_for_nothing_else() -> None:
    worlds = [load_world(world_id) for world_id in own_world_ids()]

    kept = set(GOLDEN.glob("*-v*.json"))

    assert kept == {golden_path(world, variant) for world in worlds for variant in variants_of(world)}
