"""`diorama demo`: shows every world at play."""

from typing import Annotated, Final

import typer

from diorama.cli.completion import complete_world
from diorama.contracts.errors import ConfigError

_SECONDS: Final = 22.0  # five times that, and what it takes to load the worlds, is about two minutes


def demo(
    world: Annotated[
        list[str] | None,
        typer.Option(
            "--world",
            metavar="WORLD",
            help="Show this world. Repeatable.",
            autocompletion=complete_world,
            show_default="the five that come with Diorama",
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=1.0, help="How long each is shown.", show_default=f"{_SECONDS:g}")
    ] = None,
    browser: Annotated[
        bool,
        typer.Option(
            "--browser",
            help="Show them in the web client: episodes of every bot, and short trainings, are made while you watch.",
        ),
    ] = False,
) -> None:
    """Show every world at play, one after another, in about two minutes.

    Champions play, and scripted bots where a world has none; each picture comes with the command to go on with. Ctrl-C
    leaves. Without a terminal one picture of every world is printed as text.
    """
    if browser:
        if world or seconds is not None:
            raise ConfigError("--browser shows all worlds for as long as you like; leave --world and --seconds out")
        from diorama.cli.demo.browsing import show_in_browser

        show_in_browser()
        return
    from diorama.cli.demo.scenes import scenes_of
    from diorama.cli.demo.touring import tour

    tour(scenes_of(world), seconds=_SECONDS if seconds is None else seconds)
