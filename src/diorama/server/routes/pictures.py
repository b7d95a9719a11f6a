"""`…/frames/{frame_index}/picture`: one frame as its world draws it, to be shown before a page has drawn anything."""

import asyncio
from io import BytesIO
from typing import Annotated, Final

from fastapi import APIRouter, Path, Response

from diorama.contracts.errors import DocumentError, UnknownName, WorkStopped
from diorama.contracts.work import StopReason, Work
from diorama.runs.replays.frames import Frame
from diorama.server.errors import BROKEN, NOT_FOUND, TOO_MANY, UNAVAILABLE, UNPROCESSABLE, problems
from diorama.server.parameters import ReplayId, RunId
from diorama.server.services import Services, ServicesDep
from diorama.server.turns import as_refusal
from diorama.storage.json_text import decode_json
from diorama.worlds.moments import check_moment
from diorama.worlds.registry import load_world

router = APIRouter(prefix="/api/runs/{run_id}/replays/{replay_id}", tags=["replays"])

_JPEG: Final = "image/jpeg"  # packed in a tenth of the time the other formats take
_QUALITY: Final = 88
_MOST_SECONDS: Final = 10.0  # a picture takes a tenth of one


@router.get(
    "/frames/{frame_index}/picture",
    response_class=Response,
    responses={
        200: {"content": {_JPEG: {}}, "description": "The picture."},
        **problems(NOT_FOUND, UNPROCESSABLE, TOO_MANY, BROKEN, UNAVAILABLE),
    },
)
async def picture(
    services: ServicesDep,
    run_id: RunId,
    replay_id: ReplayId,
    frame_index: Annotated[int, Path(ge=0, le=2**53, description="Which frame.")],
) -> Response:
    """Draw one frame of a replay."""
    work = Work(_MOST_SECONDS)
    try:
        body = await services.drawing.run(lambda: _drawn(services, run_id, replay_id, frame_index), work)
    except asyncio.CancelledError:
        work.stop(StopReason.CLIENT_LEFT)
        raise
    except WorkStopped as error:
        raise as_refusal(error, "drawing the frame") from None
    return Response(body, media_type=_JPEG, headers={"Cache-Control": "private, max-age=3600"})


def _drawn(services: Services, run_id: str, replay_id: str, frame_index: int) -> bytes:
    reader = services.frames.open(run_id, replay_id).reader
    world = load_world(reader.sidecar.world)
    if world.draw is None:
        raise UnknownName(f"{world.id!r} draws no pictures")
    if frame_index >= reader.frame_count:
        raise UnknownName(f"there is no frame {frame_index}; replay {replay_id!r} has {reader.frame_count}")
    where = f"frame {frame_index} of replay {replay_id!r}"
    (line,) = services.frames.page(reader, frame_index, 1).lines
    frame = decode_json(line, Frame, where=where)
    try:
        check_moment(frame.render_state)
        drawn = world.draw(frame.render_state, frame.events)
    # Whatever a file may hold instead of a picture's parts.
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise DocumentError(f"{where} cannot be drawn: its render_state lacks or mistakes {error}") from error
    file = BytesIO()
    drawn.convert("RGB").save(file, "JPEG", quality=_QUALITY)
    return file.getvalue()
