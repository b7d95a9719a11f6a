import pytest

from diorama.contracts.errors import UnknownName
from diorama.worlds.registry import load_world, world_ids


@pytest.mark.parametrize("world_id", world_ids())
def test_a_world_is_registered_under_its_own_id(world_id: str) -> None:
    assert load_world(world_id).id == world_id


def test_an_unknown_world_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"no world is called 'atlantis'; there are: .*prospector"):
        load_world("atlantis")
