"""`/api/live`: where a live world is served."""

from fastapi import APIRouter

from diorama.server.models.live import LiveAddress
from diorama.server.services import ServicesDep

router = APIRouter(tags=["live"])


@router.get("/api/live")
def live_address(services: ServicesDep) -> LiveAddress:
    """Return the address of the live server this one was told of; null for none."""
    return LiveAddress(address=services.settings.live_address)
