"""Every action that is ruled out has a reason, and none that is allowed."""

import random

import pytest

from diorama.engine.players import bot_contender
from diorama.engine.venue import open_venue
from diorama.runs.replays.scene import Scene
from diorama.worlds.prospector.contract import ACTION_NAMES, Act
from diorama.worlds.prospector.explanations import explain_mask


@pytest.mark.parametrize("bot", ["greedy_miner", "prudent_hauler", "random_valid"])
def test_reasons_and_masks_agree(bot: str) -> None:
    venue = open_venue("prospector", {"time_max": 3000}, threads=1)
    player = bot_contender(venue.world, bot).start(venue.spec, 1)
    for seed in (1, 2):
        scene = Scene(venue, seed)
        player.reset([0], [seed])
        dice = random.Random(seed)
        for _ in range(250):
            if scene.is_over:
                break
            reasons, mask = explain_mask(scene.render_state(), 0), scene.view[2][0]
            assert len(reasons) == len(ACTION_NAMES)
            assert [name for name, reason in zip(ACTION_NAMES, reasons, strict=True) if not reason] == [
                name for name, valid in zip(ACTION_NAMES, mask.tolist(), strict=True) if valid
            ]
            actions = player.act(*scene.view)
            if dice.random() < 0.1:
                actions[0, 0] = dice.choice(mask.nonzero()[0].tolist()[:-1])
            scene.step(actions)
        scene.close()


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        pytest.param(Act.WIDE_SCAN, "no asteroids here", id="scan"),
        pytest.param(Act.MINE_STANDARD_SELECTED, "select an asteroid first", id="mine"),
        pytest.param(Act.SELECT_ASTEROID + 15, "no such asteroid here", id="select"),
        pytest.param(Act.TOOL_MAINTENANCE, "the tool is in perfect condition", id="repair"),
        pytest.param(Act.JETTISON_COMMODITY + 2, "no water ice in the hold", id="jettison"),
        pytest.param(Act.JETTISON_COMMODITY + 3, "no platinum group in the hold", id="jettison-in-the-page's-words"),
        pytest.param(Act.SELL_COMMODITY, "no iron in the hold", id="sell"),
        pytest.param(Act.BUY_DECOY, "costs 110 credits", id="buy"),
        pytest.param(Act.FULL_REPAIR_OVERHAUL, "costs 280 credits", id="overhaul"),
        pytest.param(Act.DOCK, "", id="dock"),
    ],
)
def test_a_pilot_at_the_start_is_told_what_is_lacking(action: int, reason: str) -> None:
    scene = Scene(open_venue("prospector", threads=1), 7)

    assert explain_mask(scene.render_state(), 0)[action] == reason
    scene.close()
