"""`/api/exports`: policies of runs as ONNX files."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import FileResponse

from diorama.server.errors import problems
from diorama.server.models.exports import ExportList
from diorama.server.parameters import RunId
from diorama.server.services import ServicesDep

router = APIRouter(prefix="/api/exports", tags=["exports"])


@router.get("", responses=problems(422))
def list_exports(
    services: ServicesDep,
    world: Annotated[str | None, Query(max_length=128, description="Only runs of this world.")] = None,
) -> ExportList:
    """List the runs whose policy can be had as an ONNX file."""
    return services.exports.listing(world)


@router.get(
    "/{run_id}",
    response_class=FileResponse,
    responses={
        200: {
            "description": "The newest policy of the run as an ONNX file",
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        },
        **problems(404, 409, 422, 429, 500, 503),
    },
)
async def get_export(services: ServicesDep, run_id: RunId) -> FileResponse:
    """Return the newest policy of a run as an ONNX file, which is made at the first call and kept in the run."""
    path = await services.exports.file(run_id)
    return FileResponse(
        path,
        media_type="application/octet-stream",
        filename=f"{run_id}-{path.name}",
        headers={"Cache-Control": "no-cache"},
    )
