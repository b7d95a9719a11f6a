"""`KnowVisitors`: every call is known by its address, and pages of strangers get no answers."""

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from diorama.server.errors import FORBIDDEN, OriginRefused
from diorama.server.origins import check_visitor
from diorama.server.settings import ServerSettings
from diorama.server.shares import VISITOR, visitor_of


class KnowVisitors:
    """Middleware: refuses requests before anything is done for them; sockets are told why by their endpoints."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        """Stand before an app."""
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer those who may ask."""
        if scope["type"] in ("http", "websocket"):
            VISITOR.set(visitor_of(scope.get("client")))
        if scope["type"] == "http":
            try:
                check_visitor(HTTPConnection(scope), self._settings)
            except OriginRefused as error:
                await JSONResponse({"detail": str(error)}, FORBIDDEN)(scope, receive, send)
                return
        await self._app(scope, receive, send)
