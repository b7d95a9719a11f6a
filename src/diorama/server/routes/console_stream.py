"""A console at its own pace over a WebSocket: keys one way, pictures the other."""

from fastapi import APIRouter, WebSocket
from pydantic import BaseModel, ConfigDict

from diorama.server.consoles.game import ConsoleGame, ConsoleOptions
from diorama.server.models.consoles import ConsoleCommand, ConsoleSpeed
from diorama.server.services import ServicesDep
from diorama.server.sockets import GOING_AWAY, conversation, parse_command, parse_question, talk

router = APIRouter()


class ConsoleQuestion(BaseModel):
    """The query of a socket: how fast time passes, and whether it stands still at first."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)

    speed: ConsoleSpeed = 1.0
    paused: bool = False


@router.websocket("/ws/consoles/session/{session_id}")
async def console_stream(socket: WebSocket, services: ServicesDep, session_id: str) -> None:
    """Run a console with the keys the client holds; `Outbox` says what its binary messages are."""
    async with conversation(socket, services):
        question = parse_question(socket.query_params, ConsoleQuestion)
        options = ConsoleOptions(speed=question.speed, paused=question.paused)
        consoles = services.consoles
        with services.streams.one("console"), consoles.rooms.paced(session_id) as (entry, displaced):
            game = ConsoleGame(consoles, entry, options, displaced=displaced, ending=services.streams.ending)
            await talk(socket, game.run(socket.send_bytes), lambda text: game.obey(parse_command(text, ConsoleCommand)))
        await socket.close(GOING_AWAY)
