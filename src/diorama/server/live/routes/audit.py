"""`/api/v1/worlds/{id}/audit`: every command that was given, for admins."""

from typing import Final

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from diorama.server.errors import FORBIDDEN, problems
from diorama.server.live.access import UNFIT, AdminDep
from diorama.server.live.services import LiveId, LiveServicesDep

router = APIRouter(prefix="/api/v1/worlds/{live_id}", tags=["live"])
_LINES: Final = "application/x-ndjson"


@router.get(
    "/audit",
    response_class=StreamingResponse,
    responses={
        200: {"content": {_LINES: {}}, "description": "One JSON object a line"},
        **UNFIT,
        **problems(FORBIDDEN),
    },
)
def audit(services: LiveServicesDep, admin: AdminDep, live_id: LiveId) -> StreamingResponse:
    """Return the console's audit, oldest line first; in privacy mode without ids, names, issuers and arguments."""
    return StreamingResponse(services.find(live_id).desk.export_audit(), media_type=_LINES)
