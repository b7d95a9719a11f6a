"""Which worlds offer campaigns."""

from diorama.contracts.campaigns import Campaigns
from diorama.contracts.errors import UnknownName
from diorama.worlds.registry import load_worlds


def campaign_worlds() -> dict[str, Campaigns]:
    """Return what every world with campaigns offers, by the world's id."""
    offers = {world_id: world.campaigns for world_id, world in load_worlds().items()}
    return {world_id: offer for world_id, offer in offers.items() if offer is not None}


def campaigns_of(world_id: str | None) -> tuple[str, Campaigns]:
    """Return a world's id and what it offers; the first world with campaigns if none is named.

    Raises:
        UnknownName: There is no such world, or it has no campaigns.
    """
    offers = campaign_worlds()
    chosen = next(iter(offers), "") if world_id is None else world_id
    if chosen not in offers:
        raise UnknownName.among("world with campaigns", chosen, offers)
    return chosen, offers[chosen]
