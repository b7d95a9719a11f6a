"""`create_app`: the server as one ASGI app."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute

import diorama
from diorama.server.errors import install_error_handlers
from diorama.server.middleware import add_middleware
from diorama.server.page_policy import PagePolicy
from diorama.server.routes import (
    best_replays,
    campaigns,
    champions,
    completeness,
    console_stream,
    consoles,
    exports,
    follow,
    frame_stream,
    frames,
    health,
    live,
    metrics,
    pictures,
    play,
    play_stream,
    replays,
    runs,
    scoreboard,
    wall,
    wandb,
    worlds,
)
from diorama.server.services import Services, ServicesApp, build_services, running
from diorama.server.settings import ServerSettings
from diorama.server.static_client import ClientPages

_ROUTERS: Final[tuple[APIRouter, ...]] = (
    health.router,
    metrics.router,
    worlds.router,
    runs.router,
    follow.router,
    replays.router,
    frames.router,
    frame_stream.router,
    pictures.router,
    completeness.router,
    exports.router,
    champions.router,
    best_replays.router,
    scoreboard.router,
    play.router,
    play_stream.router,
    campaigns.router,
    consoles.router,
    console_stream.router,
    wall.router,
    live.router,
    wandb.router,
)


def create_app(settings: ServerSettings | None = None) -> ServicesApp:
    """Build the server.

    Args:
        settings: What it is told; read from the environment if left out.
    """
    services = build_services(settings or ServerSettings())
    app = ServicesApp(
        title="Diorama",
        version=diorama.__version__,
        description="Runs, replays and play sessions of small deterministic worlds.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # its page would load scripts from another host
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=_operation_id,
        lifespan=_lifespan(services),
    )
    app.services = services
    app.state.ready = services.ready
    for router in _ROUTERS:
        app.include_router(router)
    app.router.routes.append(ClientPages(services.settings.client_dir, PagePolicy(services.settings.live_address)))
    install_error_handlers(app, services.settings.runs_root)
    add_middleware(
        app,
        services.settings,
        services.meters,
        methods=["GET", "POST", "DELETE"],
        headers=["Content-Type", "Last-Event-ID"],
    )
    return app


def _operation_id(route: APIRoute) -> str:
    return route.name


def _lifespan(services: Services) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with running(services):
            yield

    return lifespan
