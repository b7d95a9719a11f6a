"""Play at the world's own pace over a WebSocket."""

import asyncio
from collections.abc import Mapping
from typing import Final

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, ValidationError

from diorama.server.errors import BadValue, validation_words
from diorama.server.models.play import PlayCommand, SocketComplete, SocketState, Speed
from diorama.server.play.game import Game, GameOptions
from diorama.server.play.service import Shown
from diorama.server.services import ServicesDep
from diorama.server.sockets import DONE, conversation

router = APIRouter()

GOING_AWAY: Final = 1001
_LONGEST_COMMAND: Final = 4096  # characters


class PlayQuestion(BaseModel):
    """The query of a socket: how fast time passes, and whether it stands still at first."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)

    speed: Speed = 1.0
    paused: bool = False


@router.websocket("/ws/play/session/{session_id}")
async def play_stream(socket: WebSocket, services: ServicesDep, session_id: str) -> None:
    """Step a session at the world's pace with the newest action the client has sent."""
    async with conversation(socket, services):
        question = parse_question(socket.query_params)
        options = GameOptions(speed=question.speed, paused=question.paused)
        with services.streams.one("play"), services.play.paced(session_id) as (entry, displaced):
            game = Game(services.play, entry, options, displaced=displaced, ending=services.streams.ending)
            last = await _with_ears(socket, game)
        if last is None:
            await socket.close(GOING_AWAY)
            return
        await socket.send_text(SocketComplete(session_id=session_id, steps=last.state.steps).model_dump_json())
        await socket.close(DONE)


def parse_question(query: Mapping[str, str]) -> PlayQuestion:
    """Read how a client wants to play.

    Raises:
        BadValue: With every parameter that is wrong and what would be right.
    """
    try:
        return PlayQuestion.model_validate(dict(query))
    except ValidationError as error:
        raise BadValue(validation_words(error.errors(include_url=False))) from None


def parse_command(text: str) -> PlayCommand:
    """Read what a client sends.

    Raises:
        BadValue: It is no command.
    """
    if len(text) > _LONGEST_COMMAND:
        raise BadValue(f"a command has at most {_LONGEST_COMMAND} characters; this one has {len(text)}")
    try:
        return PlayCommand.model_validate_json(text)
    except ValidationError as error:
        raise BadValue(validation_words(error.errors(include_url=False))) from None


async def _with_ears(socket: WebSocket, game: Game) -> Shown | None:
    """Play while the client is listened to; whatever goes wrong on either side ends both."""

    async def send(shown: Shown, is_paused: bool) -> None:
        message = SocketState(**shown.state.model_dump(), paused=is_paused)
        await socket.send_text(message.model_dump_json())
        for picture in shown.pictures:
            await socket.send_bytes(picture)

    async def hear() -> None:
        while True:
            game.obey(parse_command(await _text(socket)))

    playing, hearing = asyncio.create_task(game.run(send)), asyncio.create_task(hear())
    try:
        await asyncio.wait({playing, hearing}, return_when=asyncio.FIRST_COMPLETED)
        if hearing.done() and not playing.done():
            await hearing
        return await playing
    finally:
        for task in (playing, hearing):
            task.cancel()
        await asyncio.gather(playing, hearing, return_exceptions=True)


async def _text(socket: WebSocket) -> str:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message["code"])
    text = message.get("text")
    if not isinstance(text, str):
        raise BadValue('commands are sent as text, such as {"action": 0}')
    return text
