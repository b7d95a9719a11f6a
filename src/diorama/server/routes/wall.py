"""A wall of live copies over a WebSocket."""

from fastapi import APIRouter, WebSocket

from diorama.server.errors import BadValue
from diorama.server.models.wall import WallOpening
from diorama.server.play.limits import checked_cost
from diorama.server.services import Services, ServicesDep
from diorama.server.sockets import GOING_AWAY, conversation, parse_command, parse_question, talk
from diorama.server.wall.asking import WallCommand, WallQuestion, find_cast
from diorama.server.wall.show import WallShow
from diorama.server.wall.troupe import Troupe

router = APIRouter()


@router.websocket("/ws/wall")
async def wall_stream(socket: WebSocket, services: ServicesDep) -> None:
    """Step a batch and send the pictures of all its copies; `show.HEADER` says what its binary messages are."""
    async with conversation(socket, services):
        question = parse_question(socket.query_params, WallQuestion)
        most = services.settings.wall_max_copies
        if question.copies > most:
            raise BadValue(f"copies: {question.copies} is wrong; a wall of this server has at most {most}")
        with services.streams.one("wall"):
            troupe, opening = await services.play.rooms.aside(lambda: _open(services, question))
            await socket.send_text(opening.model_dump_json())
            show = WallShow(troupe, question.rate, services.shares, ending=services.streams.ending)
            await talk(socket, show.run(socket), lambda text: show.obey(parse_command(text, WallCommand)))
        await socket.close(GOING_AWAY)


def _open(services: Services, question: WallQuestion) -> tuple[Troupe, WallOpening]:
    venue, contender = find_cast(question, services.runs, services.play.shelf)
    checked_cost(venue, services.limits, copies=question.copies)
    troupe = Troupe(venue, contender, question.copies, question.seed)
    pictures = troupe.pictures
    opening = WallOpening(
        world=venue.world.id,
        copies=question.copies,
        player=question.player,
        config=venue.config.model_dump(mode="json"),
        rows=pictures.rows,
        columns=pictures.columns,
        bits=2 if pictures.bits == 2 else 8,
        bytes_per_picture=pictures.rows * pictures.columns * pictures.bits // 8,
        tick_seconds=venue.spec.tick_seconds,
    )
    return troupe, opening
