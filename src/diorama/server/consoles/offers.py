"""Which worlds have consoles."""

from diorama.contracts.consoles import Consoles
from diorama.contracts.errors import UnknownName
from diorama.worlds.registry import load_worlds


def console_worlds() -> dict[str, Consoles]:
    """Return what every world with consoles offers, by the world's id."""
    offers = {world_id: world.consoles for world_id, world in load_worlds().items()}
    return {world_id: offer for world_id, offer in offers.items() if offer is not None}


def consoles_of(world_id: str) -> Consoles:
    """Return the consoles of a world.

    Raises:
        UnknownName: There is no such world, or it has none.
    """
    offers = console_worlds()
    if world_id not in offers:
        raise UnknownName.among("world with consoles", world_id, offers)
    return offers[world_id]
