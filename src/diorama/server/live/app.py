"""`create_live_app`: the server of a live world as one ASGI app."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse
from fastapi.routing import APIRoute
from starlette.routing import Route

import diorama
from diorama.contracts.live.refusals import CommandError
from diorama.operate.console.answers import HTTP_STATUS
from diorama.server.errors import install_error_handlers
from diorama.server.live.access import refusal_headers
from diorama.server.live.host import LiveHost
from diorama.server.live.routes import (
    audit,
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
from diorama.server.middleware import add_middleware
from diorama.server.page_policy import PagePolicy
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
    audit.router,
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
    # The operator of a live world names the pages that may: a page of this machine is not the operator.
    known = (settings or ServerSettings()).model_copy(update={"cors_localhost": False})
    services = build_live_services(host, known)
    app = bare_live_app(services)
    app.services = services
    app.state.ready = services.ready
    app.router.routes += [Route("/", _to_operate), ClientPages(services.settings.client_dir, PagePolicy(None))]
    install_error_handlers(app, services.settings.runs_root)
    _answer_refusals(app)
    add_middleware(
        app,
        services.settings,
        services.meters,
        methods=["GET", "POST"],
        headers=["Authorization", "Content-Type", "Last-Event-ID"],
    )
    return app


def bare_live_app(services: LiveServices | None = None) -> LiveApp:
    """Build the endpoints alone; without services it can be described and not asked."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        if services is None:
            yield
            return
        async with services.ready.lag.watched():
            yield
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


async def _to_operate(request: Request) -> RedirectResponse:
    """Lead to the page that a live world is for; the others ask a server of runs and replays."""
    return RedirectResponse("/operate")


def _operation_id(route: APIRoute) -> str:
    return route.name


def _answer_refusals(app: FastAPI) -> None:
    @app.exception_handler(CommandError)
    async def answer(request: Request, error: CommandError) -> JSONResponse:
        status = HTTP_STATUS[error.code]
        return JSONResponse({"detail": error.message}, status, refusal_headers(error))
