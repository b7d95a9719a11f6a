"""`/health` and `/ready`."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from diorama.server.errors import UNAVAILABLE
from diorama.server.models.health import Health, Readiness
from diorama.server.readiness import ReadyService

router = APIRouter(tags=["server"])


def get_ready(request: Request) -> ReadyService:
    """Return the checks of the app that answers."""
    ready = request.app.state.ready
    if not isinstance(ready, ReadyService):
        raise TypeError(f"{type(request.app).__name__} has no checks; build the app with create_app or create_live_app")
    return ready


@router.get("/health")
async def health() -> Health:
    """Say that the server is up."""
    return Health(status="ok")


@router.get("/ready", responses={UNAVAILABLE: {"model": Readiness, "description": "A check fails"}})
async def ready(checks: Annotated[ReadyService, Depends(get_ready)], response: Response) -> Readiness:
    """Say whether the server can save, play and keep up, and which of it fails."""
    found = await checks.look()
    if found.status != "ready":
        response.status_code = UNAVAILABLE
    return found
