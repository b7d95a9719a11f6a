"""Looking up what a command names."""

from diorama.contracts.live.refusals import CommandError
from diorama.worlds.townlet.codes import NOTHING
from diorama.worlds.townlet.reference.names import agent_id, find_citizen
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town


def the_citizen(town: Town, wanted: str) -> Citizen:
    """The living citizen of an id."""
    citizen = find_citizen(town, wanted)
    if citizen is None:
        living = ", ".join(agent_id(town, other.number) for other in town.living())
        raise CommandError("not_found", "unknown_agent", f"there is no citizen {wanted!r}; there are: {living}")
    return citizen


def the_object(town: Town, wanted: str) -> int:
    """Index of the object of an id."""
    index = town.tables.object_index(wanted)
    if index == NOTHING:
        raise CommandError("not_found", "unknown_object", f"there is no object {wanted!r}")
    return index


def the_zone(town: Town, wanted: str) -> int:
    """Index of the zone of an id."""
    index = town.tables.map.zone_index(wanted)
    if index == NOTHING:
        known = ", ".join(zone.id for zone in town.tables.map.zones)
        raise CommandError("invalid_args", "unknown_zone", f"there is no zone {wanted!r}; there are: {known}")
    return index


def free_tile(town: Town, x: int, y: int) -> int:
    """A tile somebody can be put on: on the grid, walkable, with nobody there."""
    town_map = town.tables.map
    is_inside = 0 <= x < town_map.width and 0 <= y < town_map.height
    tile = town_map.tile(x, y) if is_inside else NOTHING
    if not is_inside or not town_map.walkable[tile] or town.occupancy[tile]:
        raise CommandError("invalid_args", "blocked_tile", f"nobody can be put on ({x}, {y})")
    return tile


def id_of(town: Town, seat: int) -> str | None:
    """Id of the citizen on a seat, None for no seat."""
    citizen = town.seats[seat] if seat >= 0 else None
    return None if citizen is None else agent_id(town, citizen.number)
