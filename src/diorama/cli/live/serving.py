"""A live world with its server: page, telemetry, console."""

import typer

from diorama.cli.live.running import LiveFlags, ended, opening_lines
from diorama.operate.live.runtime import LiveRuntime
from diorama.server.live.app import create_live_app
from diorama.server.logs import logging_of
from diorama.server.serving import Serving, address_of, listen
from diorama.server.settings import read_settings


def serve_live(runtime: LiveRuntime, flags: LiveFlags, address: tuple[str, int]) -> int:
    """Serve a world until it ends or somebody interrupts; return the exit code.

    Raises:
        ConfigError: The address cannot be listened on.
    """
    host, port = address
    try:
        settings = read_settings(runs_root=flags.run_root).known_as(host)
        opened = listen(host, port)
    except BaseException:
        runtime.close()
        raise
    with opened, logging_of(settings):
        app = create_live_app(runtime, settings)
        serving = Serving(
            app,
            app.services.streams,
            proxies=settings.trusted_proxies,
            shutdown_seconds=settings.shutdown_seconds,
        )
        runtime.on_end(serving.end)
        typer.echo(
            "\n".join(
                ["", f"  Diorama runs live at {address_of(host, opened)}", "", *opening_lines(runtime, flags), ""]
            )
        )
        runtime.start()
        serving.run(sockets=[opened])
        runtime.stop()
        code = ended(runtime)
        serving.deadline.cancel()
    return code
