"""`diorama live`: a world runs in real time, is watched and can be commanded."""

from pathlib import Path
from typing import Annotated, Final

import typer

from diorama.cli.completion import complete_bot_or_run, one_of
from diorama.cli.options import ConfigFileOption, RunRootOption, WorldArgument
from diorama.cli.serving.packages import require_server

_DEFAULT_AUTOSAVE: Final = 1000


def live(
    world: WorldArgument,
    config: ConfigFileOption = None,
    services: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False,
            metavar="FILE",
            help="Telemetry, console, snapshots and clock as YAML, for a world whose configuration does not hold them.",
            show_default="defaults",
        ),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="RUN|BOT|FILE",
            help="Who decides; champion/WORLD is a run, too.",
            show_default="the world's champion where it fits, else its own script",
            autocompletion=complete_bot_or_run,
        ),
    ] = None,
    shadow: Annotated[
        str | None,
        typer.Option(
            metavar="RUN|BOT|FILE",
            help="A candidate that is judged beside it, in a world of its own.",
            show_default=False,
            autocompletion=complete_bot_or_run,
        ),
    ] = None,
    speed: Annotated[
        str | None,
        typer.Option(
            metavar="pause|1x|10x|100x|max",
            help="How fast time passes.",
            show_default="1x",
            autocompletion=one_of("pause", "1x", "10x", "100x", "max"),
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Luck of the world.", show_default="as configured")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue from the last autosave and the log since; see --run-id.")
    ] = False,
    run_id: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Name of this run of the world.", show_default="the time, or the last one"),
    ] = None,
    root: Annotated[
        Path | None,
        typer.Option(file_okay=False, help="Folder for snapshots, logs and telemetry.", show_default="live/WORLD"),
    ] = None,
    autosave: Annotated[
        int, typer.Option(min=0, help="Ticks from one autosave to the next, where the settings do not say; 0: never.")
    ] = _DEFAULT_AUTOSAVE,
    ticks: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many ticks.", show_default="when interrupted")
    ] = None,
    deterministic: Annotated[
        bool, typer.Option("--deterministic", help="A learned policy takes the likeliest option.")
    ] = False,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")] = 8001,
    no_server: Annotated[
        bool, typer.Option("--no-server", help="Run without the page, telemetry socket and console.")
    ] = False,
    run_root: RunRootOption = Path("runs"),
) -> None:
    """Run a world live: in real time, with telemetry, console, snapshots, stability monitor and promotion.

    Everybody may watch. Whoever has the token of DIORAMA_CONSOLE_TOKEN, or one that console_auth names, may command.

    Ctrl-C stops it after the tick it is in and saves it; --resume continues it, also after it was killed. Exits 0
    when it was stopped, 1 when its loop failed, 2 when something given is wrong.
    """
    if not no_server:
        require_server("diorama live")
    from diorama.cli.live.running import LiveFlags, run_live

    code = run_live(
        LiveFlags(
            world=world,
            config=config,
            services=services,
            policy=policy,
            shadow=shadow,
            speed=speed,
            seed=seed,
            resume=resume,
            run_id=run_id,
            root=root or Path("live") / world,
            autosave=autosave or None,
            ticks=ticks,
            deterministic=deterministic,
            address=None if no_server else (host, port),
            run_root=run_root,
        )
    )
    if code:
        raise typer.Exit(code)
