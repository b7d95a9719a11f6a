"""Where citizens are: zones, homes and their furniture."""

from diorama.worlds.townlet.codes import NOTHING
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town


def zone_of(town: Town, citizen: Citizen) -> int:
    """Zone a citizen stands in, -1 for none."""
    return town.tables.map.zone_of[citizen.tile]


def own_fridge(town: Town, citizen: Citizen) -> int:
    """The fridge of a citizen's home, -1 for none."""
    return NOTHING if citizen.home == NOTHING else town.tables.home_fridge[citizen.home]


def own_stove(town: Town, citizen: Citizen) -> int:
    """The stove of a citizen's home, -1 for none."""
    return NOTHING if citizen.home == NOTHING else town.tables.home_stove[citizen.home]


def stand_tile(town: Town, zone: int, number: int) -> int:
    """A place to stand in a zone, counted through again and again."""
    tiles = town.tables.map.zones[zone].stand_tiles
    return tiles[number % len(tiles)]


def distance_to(town: Town, citizen: Citizen, tile: int) -> int:
    """Steps from a citizen to a goal tile, 65535 where there is no way."""
    return town.tables.paths.field(tile)[citizen.tile]
