"""Whose episodes are recorded for a root without runs."""

from pathlib import Path

import pytest

from diorama.server.demo.bot_run import BotRun
from diorama.server.demo.training_run import demo_settings
from diorama.worlds.registry import load_world
from tests.runs.factories import FakeClock


@pytest.mark.parametrize(
    ("world", "first"),
    [
        pytest.param("prospector", "explorer", id="the-last-bot"),
        pytest.param("gameboy", "grid_goal_solver", id="the-solver-of-the-cartridge"),
        pytest.param("townlet", "scripted", id="the-controller-of-the-town"),
        pytest.param("tidebreak", "auto", id="the-captain-for-every-ship"),
        pytest.param("morphogenesis", "rules", id="the-rules"),
    ],
)
def test_first_plays_whoever_knows_the_world_and_then_everybody_else_once(
    world: str, first: str, tmp_path: Path
) -> None:
    run = BotRun(tmp_path, "bots", world, FakeClock())

    bots = run.bots
    run.close(is_complete=True)

    assert bots[0] == first
    assert sorted(bots) == sorted(load_world(world).bots)


@pytest.mark.parametrize(
    ("world", "teacher"),
    [
        pytest.param("tidebreak", "hunter", id="whom-the-default-preset-copies"),
        pytest.param("gameboy", "grid_goal_solver", id="who-plays-where-nobody-is-named"),
    ],
)
def test_the_policy_that_is_trained_begins_as_a_copy_of_who_knows_the_world(world: str, teacher: str) -> None:
    settings = demo_settings(world)

    assert settings.cloning is not None
    assert settings.cloning.bot == teacher
