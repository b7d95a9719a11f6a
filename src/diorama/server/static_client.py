"""`ClientPages`: the built web client, every page of which begins with the same document."""

from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.routing import Match, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from diorama.server.page_policy import PagePolicy

_SERVER_PATHS: Final = ("/api", "/ws", "/health", "/metrics")
_PAGES: Final = ("watch", "play", "campaign", "wall", "study", "analytics", "operate")
_INDEX: Final = "index.html"
_HASHED: Final = "assets/"  # the bundler names what lies directly in it by its contents
_SHEETS: Final = "atlases"  # and the packer of pictures what lies in these folders of the worlds
_MANIFEST: Final = ".json"
_FOREVER: Final = "public, max-age=31536000, immutable"
_A_WHILE: Final = "public, max-age=3600"
_ASK: Final = "no-cache"
_UNBUILT: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Diorama: the web client is not built</title>
<style>body{font:16px/1.6 system-ui,sans-serif;max-width:38rem;margin:12vh auto;padding:0 1.5rem;color:#1f2937;
background:#f9fafb}code{background:#e5e7eb;padding:.1em .35em;border-radius:4px}
@media(prefers-color-scheme:dark){body{color:#e5e7eb;background:#111827}code{background:#374151}a{color:#93c5fd}}</style>
</head><body><h1>The server runs, and its web client was never built</h1>
<p>Build it once, then load this page again:</p>
<p><code>cd web &amp;&amp; npm install &amp;&amp; npm run build</code></p>
<p>Everything else works: <a href="/api/worlds">worlds</a>, <a href="/api/runs">runs</a>,
<a href="/api/openapi.json">the interface</a>.</p></body></html>
"""


class ClientPages(Mount):
    """Everything below `/` that is not the server's own."""

    def __init__(self, directory: Path, policy: PagePolicy) -> None:
        """Serve the client from a directory, which need not exist yet, with what its pages may do."""
        super().__init__("/", app=_Client(directory, policy), name="client")
        self.path_format = "client"  # the one name of all pages in the figures of the server

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Leave the server's own paths alone, so that a wrong one is told as such."""
        path: str = scope["path"]
        if scope["type"] != "http" or any(path == own or path.startswith(f"{own}/") for own in _SERVER_PATHS):
            return Match.NONE, {}
        return super().matches(scope)


class _Client(StaticFiles):
    def __init__(self, directory: Path, policy: PagePolicy) -> None:
        super().__init__(directory=directory, check_dir=False)
        self._index = directory / _INDEX
        self._policy = policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._index.is_file():
            page = HTMLResponse(_UNBUILT, status_code=503, headers={"Cache-Control": "no-store"})
            await page(scope, receive, send)
            return
        await super().__call__(scope, receive, send)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file; of a page that is none, the document all pages begin with."""
        try:
            path = _INDEX if path in ("", ".") else path
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or not _is_page(path, scope):
                raise
            path = _INDEX
            response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = _keeping(path)
        if path == _INDEX:
            response.headers["Content-Security-Policy"] = self._policy.of(self._index)
        return response


def _keeping(path: str) -> str:
    """Return how long a browser may keep a file without asking: art for a while, its manifests never."""
    if not path.startswith(_HASHED):
        return _ASK
    folders = path.removeprefix(_HASHED).split("/")[:-1]
    if not folders or folders[-1] == _SHEETS:
        return _FOREVER
    return _ASK if path.endswith(_MANIFEST) else _A_WHILE


def _is_page(path: str, scope: Scope) -> bool:
    if path.split("/", 1)[0] in _PAGES:
        return True
    accepted = dict(scope["headers"]).get(b"accept", b"")
    return b"text/html" in accepted and not path.startswith(_HASHED)
