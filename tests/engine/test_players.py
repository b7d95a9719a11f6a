"""Players that are put back to where they were decide as they did."""

import numpy as np
import pytest

from diorama.engine.players import RememberingPlayer, bot_contender
from diorama.engine.venue import open_venue
from diorama.worlds.registry import load_world

SEED, STEPS = 7, 12
BOTS = [(world, bot) for world in ("prospector", "tidebreak", "townlet", "gameboy") for bot in load_world(world).bots]


@pytest.mark.parametrize(("world", "bot"), BOTS, ids=lambda name: name)
def test_a_bot_that_is_put_back_decides_as_it_did(world: str, bot: str) -> None:
    venue = open_venue(world, threads=1)
    batch = venue.batch(venue.config, 1)
    batch.reset([SEED])
    rows = batch.spec.agents
    player = bot_contender(venue.world, bot).start(batch.spec, rows)
    assert isinstance(player, RememberingPlayer)
    player.reset(range(rows), [SEED] * rows)

    def played() -> list[np.ndarray[tuple[int, ...], np.dtype[np.int32]]]:
        decisions = []
        for _ in range(STEPS):
            decisions.append(player.act(batch.obs, batch.obs_u8, batch.masks).copy())
            batch.step(decisions[-1])
        return decisions

    played()
    state, memory = batch.snapshot(0), player.remember()
    first = played()
    for _ in range(2):  # a memory outlives its use
        batch.restore(0, state)
        player.recall(memory)
        np.testing.assert_array_equal(played(), first)
    batch.close()
