"""The tour: pictures of every world, live in a terminal and as text without one."""

import io
import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from unittest.mock import Mock

import pytest
from PIL import Image
from rich.console import Console

from diorama.cli.app import run
from diorama.cli.demo import playing, touring
from diorama.cli.demo.pictures import TerminalPicture
from diorama.cli.demo.scenes import scenes_of
from diorama.cli.demo.touring import tour
from diorama.cli.serving import run as serving_run
from diorama.server.settings import ServerSettings
from diorama.worlds.registry import own_world_ids
from tests.docs.test_commands import parse

WHOLE = (0.0, 0.0, 1.0, 1.0)


def drawn(image: Image.Image, *, columns: int, rows: int, colors: bool) -> list[str]:
    file = io.StringIO()
    console = Console(file=file, width=columns, force_terminal=colors, color_system="truecolor" if colors else None)
    console.print(TerminalPicture(image=image, part=WHOLE, rows=rows))
    return file.getvalue().splitlines()


def test_the_tour_leads_through_every_world_of_ours_and_its_commands_exist() -> None:
    scenes = scenes_of(None)

    assert tuple(scene.world for scene in scenes) == own_world_ids()
    for scene in scenes:
        parse(scene.go_on.split())


def test_a_picture_has_two_pixels_in_a_cell_and_keeps_its_shape() -> None:
    image = Image.new("RGB", (100, 50), (200, 0, 0))
    image.paste((0, 0, 200), (0, 25, 100, 50))

    lines = drawn(image, columns=40, rows=99, colors=True)
    low = drawn(image, columns=80, rows=5, colors=True)

    assert len(lines) == 10
    assert all(re.sub(r"\x1b\[[0-9;]*m", "", line) == "▀" * 40 for line in lines)
    assert lines[0].startswith("\x1b[38;2;200;0;0;48;2;200;0;0m")
    assert lines[-1].startswith("\x1b[38;2;0;0;200;48;2;0;0;200m")
    assert len(low) == 5


def test_without_colors_a_picture_is_made_of_letters() -> None:
    image = Image.new("RGB", (40, 20), (0, 0, 0))
    image.paste((255, 255, 255), (30, 0, 40, 20))

    lines = drawn(image, columns=40, rows=10, colors=False)

    assert lines == [" " * 30 + "@" * 10] * 10


@pytest.mark.parametrize(
    "world",
    ["prospector", "gameboy", *(pytest.param(name, marks=pytest.mark.slow) for name in ("tidebreak", "townlet"))],
)
def test_a_world_is_shown_live(world: str) -> None:
    file = io.StringIO()
    console = Console(file=file, width=80, height=30, force_terminal=True, color_system="truecolor")

    tour(scenes_of([world]), seconds=0.5, console=console)

    told = file.getvalue()
    assert "\x1b[?1049h" in told, "the tour has a screen of its own"
    assert "\x1b[?1049l" in told, "and gives it back"
    assert told.count("▀") > 500
    assert scenes_of([world])[0].go_on in told.rpartition("\x1b[?1049l")[2]


def test_what_goes_on_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    happened = [("mine",), ("mine", "hazard"), ("mine",), (), ("mine",)]
    moments = [playing.Shown(image=None, figures=f"tick {tick}", events=events) for tick, events in enumerate(happened)]
    monkeypatch.setattr(touring, "play", lambda scene: (moment for moment in [*moments, *[moments[-1]] * 999]))
    pages = Mock(wraps=touring._page)
    monkeypatch.setattr(touring, "_page", pages)

    tour(scenes_of(["prospector"]), seconds=2.0, console=Console(file=io.StringIO(), width=80, force_terminal=True))

    assert list(pages.call_args.args[4]) == ["mine", "hazard", "mine"]


def test_a_page_is_as_high_whatever_has_happened() -> None:
    console = Console(file=io.StringIO(), width=80)
    (scene,) = scenes_of(["prospector"])
    shown = playing.Shown(image=None, figures="tick 1", events=())
    pages = [
        touring._page(console, scene, "", shown, news, player="bot", left_seconds=1.0)
        for news in ([], ["one", "two", "three"])
    ]

    quiet, busy = (len(console.render_lines(page)) for page in pages)

    assert quiet == busy


def test_without_a_terminal_a_picture_is_printed_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = run(["demo", "--world", "gameboy", "--world", "prospector"])

    told = capsys.readouterr().out
    assert exit_code == 0
    assert "\x1b" not in told
    assert told.index("1/2  gameboy") < told.index("2/2  prospector")
    assert "diorama gameboy play KEYDOOR" in told
    assert max(len(line) for line in told.splitlines()) <= 80
    assert told.count("@") > 50


def test_without_a_terminal_only_the_picture_that_is_printed_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    show = Mock(wraps=playing._shown)
    monkeypatch.setattr(playing, "_shown", show)

    tour(scenes_of(["prospector"]), seconds=0.5, console=Console(file=io.StringIO(), width=80))

    assert show.call_count == 1


def test_all_that_the_tour_in_the_browser_writes_is_gone_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[ServerSettings] = []

    def serve(settings: ServerSettings, **_: object) -> None:
        served.append(settings)
        settings.campaigns_directory.mkdir(parents=True)

    monkeypatch.setattr(serving_run, "serve_runs", serve)

    assert run(["demo", "--browser"]) == 0

    (settings,) = served
    assert settings.campaigns_directory.parent == settings.runs_root.parent
    assert not settings.runs_root.parent.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--world", "nowhere"], "no world is called 'nowhere'", id="world"),
        pytest.param(["--seconds", "0"], "Invalid value for '--seconds'", id="seconds"),
        pytest.param(["--browser", "--seconds", "9"], "leave --world and --seconds out", id="browser"),
    ],
)
def test_what_cannot_be_shown_is_said_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exit_code = run(["demo", *arguments])

    said = capsys.readouterr().err
    assert (exit_code, said.count("\n")) == (2, 1)
    assert message in said


def test_an_interrupt_ends_the_tour_and_gives_the_terminal_back(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "diorama", "demo", "--world", "gameboy", "--seconds", "600"]
    told = b""
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=tmp_path) as process:
        os.close(theirs)
        while "▀".encode() not in told:
            told += os.read(ours, 4096)
        process.send_signal(signal.SIGINT)
        with suppress(OSError):  # the other end is closed
            while more := os.read(ours, 4096):
                told += more
    os.close(ours)

    assert process.returncode == 130
    assert told.rindex(b"\x1b[?1049l") > told.rindex("▀".encode())
    assert b"Traceback" not in told


@pytest.mark.slow
def test_all_worlds_are_shown_without_a_terminal_and_nothing_is_left_behind(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "diorama", "demo"], cwd=tmp_path, capture_output=True, text=True, check=True
    )

    assert [world for world in own_world_ids() if f"  {world}" not in done.stdout] == []
    assert list(tmp_path.iterdir()) == []
