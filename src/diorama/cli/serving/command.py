"""`diorama serve`: shows runs and replays in a browser, and lets people play."""

from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.serving.packages import require_server


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")] = 8000,
    run_root: Annotated[
        Path | None, typer.Option(file_okay=False, help="Directory of the runs.", show_default="runs")
    ] = None,
    roms: Annotated[
        Path | None,
        typer.Option(file_okay=False, metavar="DIR", help="Folder of ROMs that people may play.", show_default="none"),
    ] = None,
    allow_files: Annotated[
        list[Path] | None,
        typer.Option(
            file_okay=False,
            metavar="DIR",
            help="Folder whose files configurations of visitors and runs may name. Repeatable.",
            show_default="none",
        ),
    ] = None,
    cors_origins: Annotated[
        str | None,
        typer.Option(metavar="CSV", help="Other origins whose pages may call the server.", show_default="none"),
    ] = None,
    cors_origin_regex: Annotated[
        str | None, typer.Option(metavar="REGEX", help="A pattern for such origins.", show_default="none")
    ] = None,
    cors_localhost: Annotated[
        bool | None,
        typer.Option(
            "--cors-localhost/--no-cors-localhost",
            help="Whether pages that this machine serves on other ports may call a server on it.",
            show_default="cors-localhost",
        ),
    ] = None,
    live: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Where 'diorama live' serves a world, for the Operate page.", show_default="none"
        ),
    ] = None,
    demo: Annotated[
        bool | None,
        typer.Option(
            "--demo/--no-demo", help="Whether a root without runs is filled with demo data.", show_default="demo"
        ),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve the web client and the interface: watch replays, play, study runs.

    Settings come from the environment, too (DIORAMA_RUNS_ROOT, DIORAMA_ROMS_ROOT, DIORAMA_CORS_ORIGINS, …); flags beat
    them. Ctrl-C stops the server.
    """
    require_server("diorama serve")
    from diorama.cli.serving.run import serve_runs
    from diorama.server.settings import read_settings

    settings = read_settings(
        runs_root=run_root,
        roms_root=roms,
        allowed_files=allow_files or None,
        cors_origins=cors_origins,
        cors_origin_regex=cors_origin_regex,
        cors_localhost=cors_localhost,
        live_address=live,
    )
    serve_runs(settings, host=host, port=port, demo=demo, open_browser=open_browser)
