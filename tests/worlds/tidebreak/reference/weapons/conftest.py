import pytest

from diorama.worlds.tidebreak.reference.state import Battle
from tests.worlds.tidebreak.reference.weapons.scenes import battle_of, ship


@pytest.fixture
def duel() -> Battle:
    """Two corvettes in range of one another."""
    return battle_of(ship("corvette", 0), ship("corvette", 1, x=3000.0))
