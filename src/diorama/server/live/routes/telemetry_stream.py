"""`WS /ws/v1/worlds/{id}/telemetry`: the state of a live world, as a snapshot and what changes of it."""

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, WebSocket
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from diorama.server.errors import BadValue, validation_words
from diorama.server.live.services import LiveServices, LiveServicesDep
from diorama.server.live.sockets import (
    Doorkeeper,
    Message,
    SlowConsumer,
    WrongVersion,
    first_of,
    live_conversation,
    receive,
)
from diorama.server.sockets import GOING_AWAY
from diorama.telemetry.live.subscription import Subscription, SubscriptionClosed

router = APIRouter()

SUBPROTOCOL: Final = "telemetry.0.3"
_FAMILY: Final = "telemetry."
_MODE: Final = "spectator"
_PATIENCE_SECONDS: Final = 10.0
_LOOK_SECONDS: Final = 0.5
_PACE_SECONDS: Final = 0.1  # between two wishes of a client: each may cost a snapshot


class Wish(BaseModel):
    """Which blocks are told: `*` stands for all that are told by default."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    blocks: list[Annotated[str, Field(max_length=64)]] = Field(max_length=64)


@router.websocket("/ws/v1/worlds/{live_id}/telemetry")
async def telemetry_stream(socket: WebSocket, services: LiveServicesDep, live_id: str) -> None:
    """Tell a spectator what happens; they may ask for other blocks, or for a new snapshot."""
    offered = socket.scope.get("subprotocols", [])
    spoken = SUBPROTOCOL if SUBPROTOCOL in offered else None
    async with live_conversation(socket, services, subprotocol=spoken):
        host = services.find(live_id)
        _check(socket, offered)
        doorkeeper = Doorkeeper(socket, services)
        await _let_in(doorkeeper)
        with services.streams.one("telemetry"):
            subscription = host.publisher.subscribe()
            try:
                await first_of(
                    _tell(socket, subscription),
                    _mind(subscription),
                    _hear(socket, subscription, doorkeeper),
                    _until_end(services),
                )
            finally:
                subscription.close()
        await socket.close(GOING_AWAY)


def _check(socket: WebSocket, offered: list[str]) -> None:
    versions = [name for name in offered if name.startswith(_FAMILY)]
    if versions and SUBPROTOCOL not in versions:
        raise WrongVersion(f"this world speaks {SUBPROTOCOL}, not {', '.join(versions)[:64]}")
    mode = socket.query_params.get("mode", _MODE)
    if mode != _MODE:
        raise BadValue(f"query.mode: {mode[:64]!r} is wrong; use {_MODE!r}")


async def _let_in(doorkeeper: Doorkeeper) -> None:
    """Let somebody in who has a token, or needs none; a token may come first of all messages."""
    if doorkeeper.known() is None and doorkeeper.needs_token:
        await doorkeeper.ask(_PATIENCE_SECONDS)


async def _tell(socket: WebSocket, subscription: Subscription) -> None:
    while True:
        try:
            message = await subscription.receive()
        except SubscriptionClosed:
            if subscription.overflowed:
                raise SlowConsumer from None
            return
        await socket.send_text(message.decode())


async def _mind(subscription: Subscription) -> None:
    """Let somebody go who does not take what is sent, once too much waits for them."""
    while subscription.weigh():
        await asyncio.sleep(_LOOK_SECONDS)
    raise SlowConsumer


async def _hear(socket: WebSocket, subscription: Subscription, doorkeeper: Doorkeeper) -> None:
    while True:
        _obey(await receive(socket), subscription, doorkeeper)
        await asyncio.sleep(_PACE_SECONDS)


def _obey(message: Message, subscription: Subscription, doorkeeper: Doorkeeper) -> None:
    match message["type"]:
        case "resync":
            subscription.resync()
        case "subscribe":
            try:
                wish = Wish.model_validate(message)
            except ValidationError as error:
                raise BadValue(validation_words(error.errors(include_url=False))) from None
            subscription.choose(frozenset(wish.blocks))
        case "auth":
            doorkeeper.introduced(message)
        case other:
            raise BadValue(f"type: {other[:64]!r} is wrong; use resync, subscribe or auth")


async def _until_end(services: LiveServices) -> None:
    await services.streams.ending.wait()
