"""What `diorama serve` does once its flags are read."""

import webbrowser
from contextlib import ExitStack
from threading import Timer
from typing import Final

import typer

from diorama.contracts.errors import ConfigError
from diorama.runs.run import run_ids
from diorama.server.app import create_app
from diorama.server.demo.process import DemoProcess
from diorama.server.logs import logging_of
from diorama.server.serving import Serving, address_of, is_everywhere, listen
from diorama.server.settings import ServerSettings

_BROWSER_DELAY_SECONDS: Final = 1.0


def serve_runs(settings: ServerSettings, *, host: str, port: int, demo: bool | None, open_browser: bool) -> None:
    """Serve until interrupted.

    Args:
        settings: What the server is told.
        host: Address to listen on.
        port: Port to listen on.
        demo: Whether a root without runs is filled with demo data; None fills it, and makes only the default root.
        open_browser: Whether to open the page.

    Raises:
        ConfigError: The root does not exist, or the address cannot be listened on.
    """
    root = settings.runs_root
    check_root(settings, demo=demo)
    with ExitStack() as stack:
        stack.enter_context(logging_of(settings))
        opened = stack.enter_context(listen(host, port))
        root.mkdir(parents=True, exist_ok=True)
        url = address_of(host, opened)
        is_empty = not run_ids(root)
        if is_empty and demo is not False:
            stack.enter_context(DemoProcess(root))
        typer.echo(_banner(url, host, settings, is_filling=is_empty and demo is not False))
        if open_browser:
            opening = Timer(_BROWSER_DELAY_SECONDS, webbrowser.open, (url,))
            opening.daemon = True
            opening.start()
        app = create_app(settings.known_as(host))
        serving = Serving(
            app,
            app.services.streams,
            proxies=settings.trusted_proxies,
            shutdown_seconds=settings.shutdown_seconds,
        )
        stack.callback(serving.deadline.cancel)
        serving.run(sockets=[opened])
    typer.echo("stopped")


def check_root(settings: ServerSettings, *, demo: bool | None) -> None:
    """Refuse a root that does not exist, unless it is to be made: the default one, or with demo data.

    Raises:
        ConfigError: With what would be right.
    """
    root = settings.runs_root
    if root.is_dir():
        return
    if root.exists():
        raise ConfigError(f"{root} is no directory; name the directory of your runs with --run-root")
    was_named = "runs_root" in settings.model_fields_set
    if demo is False or (was_named and demo is None):
        advice = "" if demo is False else ", or add --demo to make it with demo data in it"
        raise ConfigError(f"{root} does not exist; name the directory of your runs with --run-root{advice}")


def _banner(url: str, host: str, settings: ServerSettings, *, is_filling: bool) -> str:
    root = settings.runs_root
    count = len(run_ids(root))
    lines = ["", f"  Diorama is at {url}", ""]
    if is_filling:
        lines.append(f"  There are no runs in {root} yet: demo data is being made, the first replays come in seconds.")
    else:
        lines.append(f"  {count} {'run' if count == 1 else 'runs'} in {root}")
    if not (settings.client_dir / "index.html").is_file():
        lines.append("  The web client is not built: cd web && npm install && npm run build")
    if is_everywhere(host) and not settings.hosts:
        lines.append("  Other machines reach it by its number; names with a dot must be in DIORAMA_HOSTS.")
    lines.append("  Ctrl-C stops the server.")
    return "\n".join([*lines, ""])
