"""Play at the world's own pace over a WebSocket."""

from fastapi import APIRouter, WebSocket
from pydantic import BaseModel, ConfigDict

from diorama.server.models.play import PlayCommand, SocketComplete, SocketState, Speed
from diorama.server.play.game import Game, GameOptions
from diorama.server.play.service import Shown
from diorama.server.services import ServicesDep
from diorama.server.sockets import DONE, GOING_AWAY, conversation, parse_command, parse_question, talk

router = APIRouter()


class PlayQuestion(BaseModel):
    """The query of a socket: how fast time passes, and whether it stands still at first."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)

    speed: Speed = 1.0
    paused: bool = False


@router.websocket("/ws/play/session/{session_id}")
async def play_stream(socket: WebSocket, services: ServicesDep, session_id: str) -> None:
    """Step a session at the world's pace with the newest action the client has sent."""

    async def send(shown: Shown, is_paused: bool) -> None:
        message = SocketState(**shown.state.model_dump(), paused=is_paused)
        await socket.send_text(message.model_dump_json())
        for picture in shown.pictures:
            await socket.send_bytes(picture)

    async with conversation(socket, services):
        question = parse_question(socket.query_params, PlayQuestion)
        options = GameOptions(speed=question.speed, paused=question.paused)
        with services.streams.one("play"), services.play.rooms.paced(session_id) as (entry, displaced):
            game = Game(services.play, entry, options, displaced=displaced, ending=services.streams.ending)
            last = await talk(socket, game.run(send), lambda text: game.obey(parse_command(text, PlayCommand)))
        if last is None:
            await socket.close(GOING_AWAY)
            return
        await socket.send_text(SocketComplete(session_id=session_id, steps=last.state.steps).model_dump_json())
        await socket.close(DONE)
