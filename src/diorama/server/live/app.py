"""`create_live_app`: the server of a live world as one ASGI app."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.middleware.cors import CORSMiddleware

import diorama
from diorama.contracts.live.refusals import CommandError
from diorama.operate.console.answers import HTTP_STATUS
from diorama.server.body_limit import LimitBodies
from diorama.server.compression import Compress
from diorama.server.errors import install_error_handlers
from diorama.server.live.host import LiveHost
from diorama.server.live.routes import (
    console,
    events,
    meters,
    operator_stream,
    snapshots,
    state,
    telemetry_stream,
    training,
    worlds,
)
from diorama.server.live.services import LiveApp, LiveServices, build_live_services
from diorama.server.meters import CountRequests
from diorama.server.routes import health
from diorama.server.routes import worlds as descriptors
from diorama.server.settings import ServerSettings
from diorama.server.static_client import ClientPages

_ROUTERS: Final[tuple[APIRouter, ...]] = (
    health.router,
    meters.router,
    descriptors.router,
    worlds.router,
    console.router,
    state.router,
    events.router,
    snapshots.router,
    training.router,
    telemetry_stream.router,
    operator_stream.router,
)


def create_live_app(host: LiveHost, settings: ServerSettings | None = None) -> LiveApp:
    """Build the server of a live world.

    Args:
        host: The world and the services around it; somebody else starts and stops it.
        settings: What the server is told; read from the environment if left out.
    """
    services = build_live_services(host, settings or ServerSettings())
    app = bare_live_app(services)
    app.services = services
    app.router.routes.append(ClientPages(services.settings.client_dir))
    install_error_handlers(app, services.settings.runs_root)
    _answer_refusals(app)
    _add_middleware(app, services)
    return app


def bare_live_app(services: LiveServices | None = None) -> LiveApp:
    """Build the endpoints alone; without services it can be described and not asked."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        if services is not None:
            services.streams.end_all()

    app = LiveApp(
        title="Diorama live",
        version=diorama.__version__,
        description="Telemetry and the operator's console of a live world.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # its page would load scripts from another host
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=_operation_id,
        lifespan=lifespan,
    )
    for router in _ROUTERS:
        app.include_router(router)
    return app


def _operation_id(route: APIRoute) -> str:
    return route.name


def _answer_refusals(app: FastAPI) -> None:
    @app.exception_handler(CommandError)
    async def answer(request: Request, error: CommandError) -> JSONResponse:
        status = HTTP_STATUS[error.code]
        headers = {"WWW-Authenticate": "Bearer"} if error.code == "unauthorized" else None
        return JSONResponse({"detail": error.message}, status, headers)


def _add_middleware(app: FastAPI, services: LiveServices) -> None:
    settings = services.settings
    app.add_middleware(LimitBodies)
    app.add_middleware(Compress)
    if settings.cors_origins or settings.cors_origin_regex:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_origin_regex=settings.cors_origin_regex,
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "Content-Type", "Last-Event-ID"],
        )
    app.add_middleware(CountRequests, meters=services.meters)
