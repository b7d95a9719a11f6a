"""A mistake of the server is answered like any other error, and tells nothing of the server's insides."""

import asyncio
from pathlib import Path

import httpx
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from diorama.server.app import create_app
from diorama.server.cautious_headers import HEADERS
from diorama.server.settings import ServerSettings

SECRET = "a-secret-of-the-server"


async def fail(request: Request) -> Response:
    raise RuntimeError(SECRET)


def test_an_unexpected_failure_has_the_headers_of_every_answer_and_no_details(tmp_path: Path) -> None:
    app = create_app(ServerSettings(runs_root=tmp_path))
    app.router.routes.insert(0, Route("/api/failing", fail))

    async def ask() -> tuple[httpx.Response, httpx.Response]:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get("/api/failing"), await client.get("/health")

    failed, well = asyncio.run(ask())

    assert (failed.status_code, failed.json()) == (500, {"detail": "the server made a mistake; its log says which"})
    assert failed.headers["content-type"] == "application/json"
    for answer in (failed, well):
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert SECRET not in f"{failed.text}{failed.headers}"
