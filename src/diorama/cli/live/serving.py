"""A live world with its server: page, telemetry, console."""

import socket
from typing import Final

import typer

from diorama.cli.live.running import LiveFlags, ended, opening_lines
from diorama.operate.live.runtime import LiveRuntime
from diorama.server.live.app import create_live_app
from diorama.server.serving import Serving, listen
from diorama.server.settings import read_settings

_EVERYWHERE: Final = ("0.0.0.0", "::", "")


def serve_live(runtime: LiveRuntime, flags: LiveFlags, address: tuple[str, int]) -> int:
    """Serve a world until it ends or somebody interrupts; return the exit code.

    Raises:
        ConfigError: The address cannot be listened on.
    """
    host, port = address
    try:
        opened = listen(host, port)
    except BaseException:
        runtime.close()
        raise
    with opened:
        app = create_live_app(runtime, read_settings(runs_root=flags.run_root))
        serving = Serving(app, app.services.streams)
        runtime.on_end(lambda: _end(serving))
        typer.echo(
            "\n".join(["", f"  Diorama runs live at {_url(host, opened)}", "", *opening_lines(runtime, flags), ""])
        )
        runtime.start()
        serving.run(sockets=[opened])
    runtime.stop()
    return ended(runtime)


def _end(serving: Serving) -> None:
    serving.should_exit = True


def _url(host: str, opened: socket.socket) -> str:
    port = opened.getsockname()[1]
    name = "127.0.0.1" if host in _EVERYWHERE else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"
