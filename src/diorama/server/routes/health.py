"""`/health`."""

from fastapi import APIRouter

from diorama.server.models.health import Health

router = APIRouter(tags=["server"])


@router.get("/health")
async def health() -> Health:
    """Say that the server is up."""
    return Health(status="ok")
