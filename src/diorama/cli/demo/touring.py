"""The tour in a terminal: a live picture of every world, or one that stands still where there is no terminal."""

import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from diorama.cli.demo.pictures import TerminalPicture
from diorama.cli.demo.playing import Shown, play, player_of
from diorama.cli.demo.scenes import Scene
from diorama.contracts.errors import MissingExtra

_STILL_COLUMNS: Final = 78
_STILL_ROWS: Final = 26
_LEAST_ROWS: Final = 6
_NEWS_KEPT: Final = 3
_WRITTEN_ROWS: Final = 5 + _NEWS_KEPT  # beside the picture


def tour(scenes: Sequence[Scene], *, seconds: float, console: Console | None = None) -> None:
    """Show scenes one after another, each for so long, and say at last how to go on.

    A world that needs a package which is not installed says so, and the tour goes on.
    """
    console = console or Console()
    skipped: list[str] = []
    for number, scene in enumerate(scenes, start=1):
        title = f"{number}/{len(scenes)}  {scene.world}" if len(scenes) > 1 else scene.world
        try:
            if console.is_terminal:
                _show_live(console, scene, title, seconds)
            else:
                _show_still(console, scene, title)
        except MissingExtra as error:
            skipped.append(str(error))
    console.print(_farewell(scenes))
    for why in skipped:
        console.print(Text(f"not shown: {why}", style="yellow"))


def _show_live(console: Console, scene: Scene, title: str, seconds: float) -> None:
    news: deque[str] = deque(maxlen=_NEWS_KEPT)
    player = player_of(scene)
    with Live(console=console, screen=True, auto_refresh=False) as live, closing(play(scene)) as moments:
        live.update(_page(console, scene, title, None, news, player=player, left_seconds=seconds), refresh=True)
        first = next(moments)  # loads the world, which is not part of its time
        ends = time.monotonic() + seconds
        before: tuple[str, ...] = ()
        for shown in _paced(first, moments, scene.decisions_per_second):
            left = ends - time.monotonic()
            if left <= 0:
                return
            if begun := [event for event in shown.events if event not in before]:
                news.append(", ".join(begun))  # what goes on from moment to moment was told when it began
            before = shown.events
            live.update(_page(console, scene, title, shown, news, player=player, left_seconds=left), refresh=True)


def _paced(first: Shown, moments: Iterator[Shown], per_second: float) -> Iterator[Shown]:
    """Yield moments no faster than that; one that came late is not made up for."""
    yield first
    due = time.monotonic()
    for shown in moments:
        due = max(due + 1 / per_second, time.monotonic())
        time.sleep(max(0.0, due - time.monotonic()))
        yield shown


def _show_still(console: Console, scene: Scene, title: str) -> None:
    with closing(play(scene, skipped=scene.still_after - 1)) as moments:
        shown = next(moments)
    console.print(Rule(title, align="left"))
    console.print(Text(scene.words))
    console.print(Text(f"played by {player_of(scene)}", style="dim"))
    if shown.image is not None:
        columns = min(_STILL_COLUMNS, console.width)
        picture = TerminalPicture(image=shown.image, part=scene.part, rows=_STILL_ROWS)
        console.print(picture, width=columns)
    console.print(Text(shown.figures))
    console.print()


def _page(
    console: Console,
    scene: Scene,
    title: str,
    shown: Shown | None,
    news: Sequence[str],
    *,
    player: str,
    left_seconds: float,
) -> RenderableType:
    head = Table.grid(expand=True)
    head.add_column()
    head.add_column(justify="right")
    head.add_row(Text(title, style="bold cyan"), Text(f"{left_seconds:.0f} s · Ctrl-C leaves", style="dim"))
    lines: list[RenderableType] = [head, Text(scene.words), Text(f"played by {player}", style="dim")]
    if shown is None:
        return Group(*lines, Text("opening the world …", style="dim"))
    if shown.image is not None:
        rows = max(_LEAST_ROWS, console.height - _WRITTEN_ROWS - len(scene.words) // console.width)
        lines.append(TerminalPicture(image=shown.image, part=scene.part, rows=rows))
    lines.append(Text(shown.figures, style="bold", no_wrap=True, overflow="ellipsis"))
    told = [*news, *[""] * (_NEWS_KEPT - len(news))]  # as many lines as there will be, so that nothing moves
    lines += [Text(story, style="dim", no_wrap=True, overflow="ellipsis") for story in told]
    lines.append(Text.assemble("go on with  ", (scene.go_on, "green")))
    return Group(*lines)


def _farewell(scenes: Sequence[Scene]) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for scene in scenes:
        table.add_row(Text(scene.world, style="bold cyan"), Text(scene.go_on, style="green"))
    table.add_row(Text("all of them", style="bold cyan"), Text("diorama demo --browser", style="green"))
    return Group(Text("To go on:"), table)
