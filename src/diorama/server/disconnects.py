"""`EndWithClient`: a request whose client has left before anything was answered is not worked on any more."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class EndWithClient:
    """Middleware: cancels the endpoint of a client that leaves; what it had begun on threads decides for itself."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before an app."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, as long as somebody listens."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        heard: asyncio.Queue[Message | Exception] = asyncio.Queue()
        is_answering = has_left = False

        async def listen() -> None:
            nonlocal has_left
            while True:
                try:
                    message = await receive()
                except Exception as error:  # of a middleware that counts the body; the endpoint is told
                    heard.put_nowait(error)
                    return
                heard.put_nowait(message)
                if message["type"] == "http.disconnect":
                    # An answer that has begun ends by itself, and so does what comes after it.
                    if not is_answering:
                        has_left = True
                        answering.cancel()
                    return

        async def hear() -> Message:
            message = await heard.get()
            if isinstance(message, Exception):
                raise message
            if message["type"] == "http.disconnect":
                heard.put_nowait(message)  # it stays so, however often somebody asks
            return message

        async def tell(message: Message) -> None:
            nonlocal is_answering
            is_answering = True
            await send(message)

        async def answer() -> None:
            await self._app(scope, hear, tell)

        answering = asyncio.create_task(answer())
        listening = asyncio.create_task(listen())
        try:
            await answering
        except asyncio.CancelledError:
            if not has_left:
                raise
        finally:
            listening.cancel()
