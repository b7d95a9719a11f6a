import pytest

from diorama.contracts.errors import UnknownName
from diorama.worlds.registry import interface_version, load_world, world_ids


@pytest.mark.parametrize("world_id", world_ids())
def test_a_world_is_registered_under_its_own_id(world_id: str) -> None:
    world = load_world(world_id)

    assert world.id == world_id
    assert world.describe(world.config_type()).interface_version == interface_version(world_id)


def test_an_unknown_world_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"no world is called 'atlantis'; there are: prospector, tidebreak"):
        load_world("atlantis")
