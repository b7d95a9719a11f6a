import json
from pathlib import Path

import numpy as np
import pytest

from diorama.contracts.errors import ConfigError, EpisodeOver, StorageError
from diorama.engine.make import make
from diorama.engine.players import bot_contender
from diorama.engine.venue import Venue
from diorama.runs.layout import RunLayout
from diorama.runs.replays.best_episode import GivenActions, best_episode
from diorama.runs.replays.reader import open_replay
from diorama.runs.replays.record import record_episode
from diorama.runs.replays.scene import Scene
from diorama.runs.replays.sidecar import PlayerFacts, PlayerKind
from diorama.snapshots import hash_hex
from tests.engine.toy_world import TOY, ToyConfig
from tests.runs.factories import FakeClock, bot_plan, empty_run, prospector, recorded
from tests.runs.full_disk import no_file_longer_than

SEATS = tuple(PlayerFacts(kind=PlayerKind.ACTIONS, name="script", deterministic=True) for _ in range(2))


@pytest.fixture
def layout(tmp_path: Path) -> RunLayout:
    return empty_run(tmp_path)


def toy(length: int = 4) -> Venue:
    return Venue(world=TOY, config=ToyConfig(length=length), threads=1)


def test_a_replay_is_what_the_episode_was(layout: RunLayout) -> None:
    entry = recorded(layout, bot="greedy_miner", seed=7, include_info=True)

    frames = list(open_replay(layout, entry.replay_id).frames())
    batch = make("prospector", config={"time_max": 600.0}, threads=1)
    batch.reset([7])
    for frame in frames[:-1]:
        assert isinstance(frame.action, int)
        batch.step([frame.action])
        record = batch.step_record(0)
        assert (frame.reward, frame.dt, frame.events) == (record.rewards[0], record.dt, list(record.events))
        assert frame.state_hash == hash_hex(batch.state_hash(0))
        assert frame.render_state == batch.render_state(0)
        assert frame.info == record.info
    assert [frame.frame_index for frame in frames] == list(range(entry.steps))
    assert [frame.t for frame in frames] == np.cumsum([frame.dt for frame in frames]).tolist()


def test_the_last_frame_shows_the_end_and_not_the_next_episode(layout: RunLayout) -> None:
    entry = recorded(layout, bot="greedy_miner", seed=7)

    *_, before, last = open_replay(layout, entry.replay_id).frames()

    assert (last.terminated, last.events[-1], entry.end_reason) == (True, "terminated", "stranded")
    assert last.render_state["time"] == last.t == entry.ticks
    assert last.render_state["ship"]["fuel"] == 0.0
    assert last.render_state["headline"] == {"net_profit": round(entry.metrics["net_profit"], 6), "survival": 0.0}
    assert last.state_hash != before.state_hash


def test_both_tiers_record_the_same_bytes(layout: RunLayout) -> None:
    fast, reference = (
        recorded(
            layout,
            seed=11,
            venue=Venue(world=prospector().world, config=prospector().config, tier=tier, threads=1),
            window_id=window,
            max_steps=60,
        )
        for window, tier in enumerate(("fast", "reference"))
    )

    assert fast.replay_id != reference.replay_id
    assert layout.resolve(fast.replay_path).read_bytes() == layout.resolve(reference.replay_path).read_bytes()


def test_entry_and_sidecar_describe_the_episode(layout: RunLayout) -> None:
    entry = recorded(layout, bot="idle", seed=5, window_id=12, max_steps=9)

    sidecar = open_replay(layout, entry.replay_id).sidecar
    stored = json.loads(layout.replay_index.read_text())["entries"]
    assert entry.replay_id.startswith("replay-000012-")
    assert len(entry.replay_id) == len("replay-000012-") + 8
    assert stored == [entry.to_json()]
    assert list(stored[0])[:13] == [
        *("run_id", "world", "window_id", "replay_id", "replay_path", "meta_path", "checkpoint_path", "tags"),
        *("trainer_backend", "seed", "return_total", "steps", "ticks"),
    ]
    assert (stored[0]["profit"], stored[0]["survival"]) == (0.0, 1.0)
    assert (entry.steps, entry.ticks, entry.terminated, entry.truncated, entry.end_reason) == (9, 9, False, False, None)
    assert (sidecar.seed, sidecar.frame_count, sidecar.world) == (5, 9, "prospector")
    assert sidecar.config == prospector().config.model_dump(mode="json")
    assert sidecar.config_hash == prospector().config_hash
    assert sidecar.players == [PlayerFacts(kind=PlayerKind.BOT, name="idle", deterministic=True)]
    assert sidecar.initial_render_state["time"] == 0
    assert set(layout.directory.iterdir()) >= {layout.replay_index, layout.replays}
    assert {path.name for path in layout.replays.iterdir()} == {
        f"{entry.replay_id}.jsonl.gz",
        f"{entry.replay_id}.meta.json",
    }


def test_an_episode_that_is_recorded_twice_is_one_replay(layout: RunLayout) -> None:
    first, second = (recorded(layout, bot="idle", max_steps=5) for _ in range(2))

    assert first.replay_id == second.replay_id
    assert len(json.loads(layout.replay_index.read_text())["entries"]) == 1


def test_seats_and_heads_are_recorded(layout: RunLayout) -> None:
    actions = np.array([[[1, 0], [2, 1]], [[2, 0], [1, 0]], [[0, 1], [2, 0]], [[1, 1], [1, 1]]], np.int32)

    entry = record_episode(
        layout, toy(), GivenActions(actions), 13, bot_plan(players=SEATS, max_steps=4), clock=FakeClock()
    )

    frames = list(open_replay(layout, entry.replay_id).frames())
    assert [frame.action for frame in frames] == [
        *([[1, 0], [2, 1]], [[2, 0], [1, 0]], [[0, 1], [2, 0]], [[1, 1], None])  # seat 1 drops out one step early
    ]
    assert [frame.reward for frame in frames] == [[1.0, -2.0], [2.0, 1.0], [0.0, 2.0], [-1.0, None]]
    assert [frame.terminated for frame in frames] == [[False, False], [False, False], [False, True], [True, None]]
    assert (entry.return_total, entry.terminated) == (3.0, True)
    assert entry.metrics == {"total": 4.5}  # 3 + 2 of the one, 3 + 1 of the other
    sidecar = json.loads(layout.replay_sidecar(entry.replay_id).read_text())
    assert "policy" not in sidecar
    assert [player["name"] for player in sidecar["policies"]] == ["script", "script"]


def test_a_plan_that_cannot_be_played_is_refused(layout: RunLayout) -> None:
    with pytest.raises(ConfigError, match="max_steps is 0"):
        recorded(layout, max_steps=0)
    with pytest.raises(ConfigError, match="2 players for 1 seats"):
        recorded(layout, players=SEATS)

    assert not layout.replay_index.exists()


def test_a_full_disk_leaves_index_and_replays_as_they_were(layout: RunLayout) -> None:
    recorded(layout, bot="idle", max_steps=3)
    before = {path: path.read_bytes() for path in layout.replays.iterdir()}
    index = layout.replay_index.read_bytes()

    with no_file_longer_than(3000), pytest.raises(StorageError, match="cannot be written"):
        recorded(layout, bot="prudent_hauler", max_steps=100)

    assert {path: path.read_bytes() for path in layout.replays.iterdir()} == before
    assert layout.replay_index.read_bytes() == index


def test_a_finished_scene_cannot_be_stepped() -> None:
    scene = Scene(toy(length=1), 3)
    scene.step(np.zeros((2, 2), np.int32))

    with pytest.raises(EpisodeOver, match="ended after 1 steps"):
        scene.step(np.zeros((2, 2), np.int32))


def test_the_best_of_several_episodes_is_found_without_drawing(layout: RunLayout) -> None:
    venue, seeds = prospector(time_max=150.0), [3, 4, 5, 6]
    contender = bot_contender(venue.world, "prudent_hauler")

    best = best_episode(venue, contender, seeds, max_steps=60)

    plan = bot_plan("prudent_hauler", max_steps=60)
    returns = {
        seed: record_episode(layout, venue, contender.start(venue.spec, 1), seed, plan, clock=FakeClock()).return_total
        for seed in seeds
    }
    assert best.seed == max(returns, key=lambda seed: returns[seed])
    assert best.return_total == pytest.approx(returns[best.seed], abs=1e-4)
    again = record_episode(
        layout, venue, GivenActions(best.actions), best.seed, bot_plan(max_steps=len(best.actions)), clock=FakeClock()
    )
    assert again.return_total == returns[best.seed]


def test_the_best_episode_ends_where_it_ended() -> None:
    venue = prospector(time_max=5.0)

    best = best_episode(venue, bot_contender(venue.world, "idle"), [1, 2], max_steps=60)

    assert best.actions.shape == (5, 1, 1)
    assert best.seed == 1  # of equals the first
    with pytest.raises(ConfigError, match="no seeds"):
        best_episode(venue, bot_contender(venue.world, "idle"), [], max_steps=5)


def test_given_actions_run_out() -> None:
    player = GivenActions(np.zeros((1, 1, 1), np.int32))
    nothing = np.zeros((1, 0), np.float32), np.zeros((1, 0), np.uint8), np.zeros((1, 0), np.uint8)

    player.act(*nothing)

    with pytest.raises(EpisodeOver, match="all 1 given actions"):
        player.act(*nothing)
