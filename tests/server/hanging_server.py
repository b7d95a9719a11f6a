"""A server with endpoints that never come to an end: `python -m tests.server.hanging_server ROOT`."""

import asyncio
import sys
import time
from pathlib import Path

from diorama.server.app import create_app
from diorama.server.logs import logging_of
from diorama.server.serving import Serving, address_of, listen
from diorama.server.settings import read_settings

_FOR_EVER_SECONDS = 3600.0


def main(root: Path) -> None:
    settings = read_settings(runs_root=root)
    app = create_app(settings)

    async def hang_loop() -> None:
        time.sleep(_FOR_EVER_SECONDS)  # nothing else runs on the event loop meanwhile

    def hang_thread_for_ever() -> None:
        time.sleep(_FOR_EVER_SECONDS)

    async def hang_thread() -> None:
        await asyncio.to_thread(hang_thread_for_ever)

    app.add_api_route("/hang/loop", hang_loop)
    app.add_api_route("/hang/thread", hang_thread)
    # Pages of the client come last, and take everything that nothing else takes.
    app.router.routes.insert(0, app.router.routes.pop())
    app.router.routes.insert(0, app.router.routes.pop())
    with listen("127.0.0.1", 0) as opened, logging_of(settings):
        print(address_of("127.0.0.1", opened), flush=True)
        serving = Serving(app, app.services.streams, shutdown_seconds=settings.shutdown_seconds)
        serving.run(sockets=[opened])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
