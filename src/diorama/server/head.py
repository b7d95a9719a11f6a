"""`AnswerHead`: HEAD is answered wherever GET is, with the same headers."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class AnswerHead:
    """Middleware: asks the endpoint for what GET would get and keeps the body; a stream ends at once."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before an app."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        answered = asyncio.Event()

        async def send_head(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                answered.set()

        async def heard() -> Message:
            # An endpoint that streams goes on until its client leaves: for it, a client that has its headers has left.
            message, headers = asyncio.ensure_future(receive()), asyncio.ensure_future(answered.wait())
            try:
                await asyncio.wait((message, headers), return_when=asyncio.FIRST_COMPLETED)
                return {"type": "http.disconnect"} if answered.is_set() else await message
            finally:
                message.cancel()
                headers.cancel()

        asked = {**scope, "method": "GET"}
        try:
            await self._app(asked, heard, send_head)
        finally:
            # What stands before this counts requests by their route.
            scope["route"] = asked.get("route")
