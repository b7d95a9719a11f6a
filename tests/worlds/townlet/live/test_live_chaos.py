import json
import random

import pytest

from diorama.worlds.townlet.live.blocks.scene import SLOW_TICKS, Scene
from diorama.worlds.townlet.live.blocks.state import StateBlocks
from diorama.worlds.townlet.live.town import LiveTown
from diorama.worlds.townlet.reference.console.executing import apply_console
from tests.worlds.townlet.chaos import LIVELY, random_command
from tests.worlds.townlet.live.live_towns import Watched
from tests.worlds.townlet.towns import SOCIAL, config_of


def told_anew(live: LiveTown) -> object:
    """Everything, as somebody tells it who has told nothing before."""
    scene = Scene(live.town)
    scene.report, scene.decisions = live._scene.report, live._scene.decisions
    scene.look()
    return StateBlocks().news(scene)


@pytest.mark.parametrize("ticks", [150, pytest.param(2000, marks=pytest.mark.slow)])
def test_whatever_operators_do_changes_tell_the_truth_and_snapshots_keep_it(ticks: int) -> None:
    live = Watched(LiveTown(config_of(SOCIAL, LIVELY), None, ticks))
    chance = random.Random(ticks)

    for tick in range(ticks):
        apply_console(live.live.subject, [random_command(live.live.town, chance)])
        live.run(1)
        if tick and tick % SLOW_TICKS == 0:
            live.live.town.tick -= 1
            truth = told_anew(live.live)
            live.live.town.tick += 1
            assert live.state == truth
        if chance.random() < 0.02 and (tick + 1) % SLOW_TICKS:
            before = live.live.state_hash()
            live.live.load(json.loads(json.dumps(live.live.save())))
            assert live.live.state_hash() == before
            live.state = live.live.blocks()
