"""`/api/v1/worlds`: which live worlds there are."""

from fastapi import APIRouter

from diorama.server.live.access import UNFIT, UNKNOWN, ViewerDep
from diorama.server.live.models import LiveWorldList, LiveWorldRow
from diorama.server.live.services import LiveId, LiveServices, LiveServicesDep
from diorama.server.models.live import LiveAddress

router = APIRouter(tags=["live"])


@router.get("/api/live")
def live_address() -> LiveAddress:
    """Say that live worlds are served here."""
    return LiveAddress(address="")


@router.get("/api/v1/worlds", responses=UNKNOWN)
def live_worlds(services: LiveServicesDep, viewer: ViewerDep) -> LiveWorldList:
    """List the live worlds."""
    return LiveWorldList(worlds=[_row(services)])


@router.get("/api/v1/worlds/{live_id}", responses=UNFIT)
def live_world(services: LiveServicesDep, viewer: ViewerDep, live_id: LiveId) -> LiveWorldRow:
    """Say how the loop of a live world stands."""
    services.find(live_id)
    return _row(services)


def _row(services: LiveServices) -> LiveWorldRow:
    host = services.host
    known = {"id": services.live_id, "world": host.world.identity.world}
    return LiveWorldRow.model_validate({**host.status(), **known})
