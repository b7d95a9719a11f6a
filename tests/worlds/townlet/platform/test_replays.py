"""Episodes of the town as replays."""

from dataclasses import replace
from pathlib import Path

import pytest

from diorama.engine.players import bot_contender
from diorama.engine.venue import Venue, open_venue
from diorama.runs.replays.best_episode import GivenActions, best_episode
from diorama.runs.replays.reader import open_replay
from diorama.runs.replays.record import record_episode
from diorama.runs.replays.verify import verify_replay
from tests.runs.factories import FakeClock, empty_run
from tests.worlds.townlet.platform.recordings import PLAN
from tests.worlds.townlet.platform.restless import RESTLESS


def town() -> Venue:
    return open_venue("townlet", RESTLESS, tier="reference", threads=1)


def test_the_best_of_several_episodes_is_recorded_while_citizens_come_and_go(tmp_path: Path) -> None:
    venue, layout = town(), empty_run(tmp_path)

    best = best_episode(venue, bot_contender(venue.world, "scripted"), [5, 6], max_steps=12)
    entry = record_episode(
        layout, venue, GivenActions(best.actions), best.seed, replace(PLAN, max_steps=12), clock=FakeClock()
    )

    assert entry.return_total == pytest.approx(best.return_total, abs=1e-5)
    assert (entry.steps, len(best.actions)) == (12, 12)


def test_a_replay_of_a_town_comes_out_as_it_was_recorded(tmp_path: Path) -> None:
    venue, layout = town(), empty_run(tmp_path)
    player = bot_contender(venue.world, "scripted").start(venue.spec, 16)

    entry = record_episode(layout, venue, player, 5, PLAN, clock=FakeClock())

    replay = open_replay(layout, entry.replay_id)
    frames = list(replay.frames())
    assert len(frames) == 16
    assert any("agent_exit" in frame.events for frame in frames)
    assert any("agent_spawn" in frame.events for frame in frames[1:])
    assert set(entry.headline) == {"self_sufficiency", "attendance"}
    actions = frames[-1].action
    assert isinstance(actions, list)
    assert actions.count(None) >= 8  # free seats decide nothing
    outcome = verify_replay(replay, tier="reference", with_pictures=True)
    assert outcome.is_faithful
    assert outcome.hashes == 16
