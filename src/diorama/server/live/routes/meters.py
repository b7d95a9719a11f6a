"""`/metrics` of a live server."""

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from diorama.server.live.services import LiveServicesDep

router = APIRouter(tags=["server"])


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(services: LiveServicesDep) -> PlainTextResponse:
    """Show the figures of the server in the text format of Prometheus."""
    return PlainTextResponse(services.meters.text(), media_type=CONTENT_TYPE_LATEST)
