import random

import pytest

from diorama.worlds.townlet.reference.console.executing import apply_console
from diorama.worlds.townlet.reference.names import payload
from diorama.worlds.townlet.reference.state import Town
from diorama.worlds.townlet.reference.tick import begin_tick, finish_tick
from diorama.worlds.townlet.reference.words import read_town, snapshot_words
from tests.worlds.townlet.chaos import LIVELY, check_town, random_command
from tests.worlds.townlet.towns import SOCIAL, town_of


def _fuzz(level: str, ticks: int, seed: int) -> Town:
    town = town_of(SOCIAL, LIVELY, {"policy_runtime": {"action_level": level}}, population=8, seed=seed)
    chance = random.Random(seed)
    size = 8 if level == "option" else 12
    for _ in range(ticks):
        begin_tick(town)
        for answer in apply_console(town, [random_command(town, chance)] if chance.random() < 0.3 else []):
            assert answer["status"] in ("ok", "error")
        finish_tick(town, {seat: chance.randrange(size) for seat in range(16)})
        for event in town.events:
            payload(town, event)
        town.events.clear()
        check_town(town)
        if chance.random() < 0.01:
            town = read_town(snapshot_words(town), town.tables, town.config)
    return town


@pytest.mark.parametrize("level", ["option", "primitive"])
def test_a_town_survives_whatever_is_done_to_it(level: str) -> None:
    assert _fuzz(level, 150, 11).tick == 150


@pytest.mark.slow
@pytest.mark.parametrize("level", ["option", "primitive"])
def test_a_town_survives_ten_thousand_ticks_of_chaos(level: str) -> None:
    assert _fuzz(level, 10_000, 12).tick == 10_000
