"""The panels of growing hosts: what they show of a recorded run, and the keys they answer, without a screen."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from diorama.cli.app import run
from diorama.cli.morphogenesis.options import RunSettings
from diorama.cli.morphogenesis.panels.app import PANELS, GrowthDashboard
from diorama.cli.morphogenesis.panels.modals import Page
from diorama.cli.morphogenesis.panels.sources import FileSource, Left, PlayedSource
from diorama.cli.morphogenesis.playing import play
from diorama.worlds.morphogenesis.views.aggregator import ViewAggregator
from tests.cli.morphogenesis_panels import STORED, drawn
from tests.worlds.morphogenesis.views.recording import BEGAN, EVENTS, recorded

LATER = BEGAN + timedelta(minutes=1)


def test_the_panels_show_what_was_stored() -> None:
    assert drawn() == STORED.read_text()


def test_what_nobody_knows_is_a_dash() -> None:
    pages = drawn()

    assert "device memory                            —" in pages
    assert "no policy is learning here" in pages
    assert "None" not in pages
    assert "nan" not in pages.replace("governor_nan", "")


def shown(app: GrowthDashboard, name: str) -> str:
    return str(app.screen_stack[0].query_one(f"#{name}", Static).render())


async def page_title(app: GrowthDashboard, pilot: Pilot[None], key: str) -> str:
    await pilot.press(key)
    await pilot.pause()
    opened = app.screen
    assert isinstance(opened, Page), f"{key} opened nothing"
    await pilot.press("escape")
    assert app.screen is not opened
    return opened.page_title


def test_the_dashboard_answers_every_key() -> None:
    async def look() -> None:
        app = GrowthDashboard(FileSource(EVENTS), now=lambda: LATER)
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            assert "digits_impaired" in shown(app, "header")
            panels = []
            for _ in PANELS:
                panels.append(app.panel)
                await pilot.press("tab")
            assert panels == list(PANELS)
            await pilot.press("shift+tab")
            assert app.panel == PANELS[-1]
            await pilot.press("l", "right", "left", "l")
            assert app.panel == PANELS[1]
            await pilot.press("j", "k", "G", "g", "h")
            assert app.panel == PANELS[0]
            await pilot.press("j")
            assert app.env is not None
            assert app.env.env_id == 1
            await pilot.press("k", "G")
            assert app.env.env_id == 1
            await pilot.press("g")
            assert app.env.env_id == 0
            await pilot.press("2")
            assert app.env.env_id == 1
            await pilot.press("0", "9", "1")
            assert app.env.env_id == 0
            assert await page_title(app, pilot, "question_mark") == "Keys"
            await pilot.press("slash", "1", "enter")
            assert app.wanted == "1"
            assert app.env is not None
            assert app.env.env_id == 1
            await pilot.press("escape")
            assert app.wanted == ""
            await pilot.press("p")
            assert "held" in app.told
            await pilot.press("p", "r", "colon", "h", "i", "enter")
            assert "takes no commands" in app.told
            await pilot.press("t")
            assert app.picture.group_id == "B"
            await pilot.press("q")

    asyncio.run(look())


@pytest.mark.slow
def test_every_panel_and_every_key_opens_its_own_page() -> None:
    async def look() -> list[str]:
        app = GrowthDashboard(FileSource(EVENTS), now=lambda: LATER)
        titles = []
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            for _ in PANELS:
                titles.append(await page_title(app, pilot, "enter"))
                await pilot.press("tab")
            titles += [await page_title(app, pilot, key) for key in "diway"]
            await pilot.press("d", "j", "k", "q")
        return titles

    of_panels = ["Environment", "Episode", *["Environment"] * 4, "Decision", "Seeds", "Events"]
    assert asyncio.run(look()) == [*of_panels, "Environment", "Run", "Coalitions", "Attribution", "Timeline"]


def test_a_run_that_failed_is_told_with_its_traceback() -> None:
    async def look() -> str:
        source = PlayedSource()
        source.stopped = "Traceback: the disk was full"
        app = GrowthDashboard(source)
        async with app.run_test() as pilot:
            await pilot.pause()
            assert isinstance(app.screen, Page)
            return app.screen.page_title

    assert asyncio.run(look()) == "Training stopped"


SETTINGS = RunSettings(
    task="digits",
    envs=2,
    epochs=6,
    rounds=1,
    slots=None,
    max_seeds=0,
    reward_mode="shaped",
    root_key=5,
    tier="reference",
    further=["train_batches_per_epoch=1", "val_subset=60"],
)


def test_who_watches_a_played_run_can_interfere_and_leave() -> None:
    source = PlayedSource()
    epochs = 0

    def advance() -> None:
        nonlocal epochs
        epochs += 1
        if epochs == 1:
            source.say("op 0 GERMINATE r0c1 blueprint=norm")
            source.say("op 1 FOSSILIZE r0c0")
            source.say("dance")
        if epochs == 3:
            source.say("quit")
        source.wait_turn()

    with pytest.raises(Left):
        play(SETTINGS, "wait", group_id="default", advance=advance, operator=source)

    aggregator = ViewAggregator()
    aggregator.add(source.take())
    picture = aggregator.picture()
    answers = source.take_answers()
    assert (epochs, picture.epoch) == (3, 4)
    assert [fate.planted for fate in picture.graveyard.values()] == [1]
    assert "FOSSILIZE is not possible" in answers[1]
    assert "no command is called 'dance'" in answers[2]
    assert {episode.outcome for episode in picture.best_episodes} == {"early_termination"}


def test_a_paused_run_waits_for_its_steps_and_old_events_give_way(monkeypatch: pytest.MonkeyPatch) -> None:
    source = PlayedSource()
    assert source.pause().startswith("paused")
    source.say("step 2")
    source.wait_turn()
    source.wait_turn()
    assert source.say("step x") == "step takes a number of epochs, not 'x'"
    source.leave()
    with pytest.raises(Left):
        source.wait_turn()

    monkeypatch.setattr("diorama.cli.morphogenesis.panels.sources.MOST_WAITING", 3)
    for event in recorded()[:5]:
        source.tell(event)
    assert (len(source.take()), source.dropped) == (3, 2)


def test_what_cannot_be_watched_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["morphogenesis", "watch", "nowhere", "--run-root", str(tmp_path)]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_rounds_are_not_played_unseen(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["morphogenesis", "heuristic", "--view", "terminal"]) == 2

    assert "--view terminal needs a terminal, and this is none; leave it out" in capsys.readouterr().err


def test_without_a_terminal_it_says_where_the_events_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = tmp_path / "events.ndjson"
    events.touch()

    assert run(["morphogenesis", "watch", str(events)]) == 2

    said = "diorama morphogenesis watch needs a terminal, and this is none; the events are lines of JSON in"
    assert f"{said} {events}" in " ".join(capsys.readouterr().err.split())
