import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from diorama.contracts.errors import ConfigError, DocumentError, ReplayDiverged, UnknownName
from diorama.engine.players import bot_contender
from diorama.engine.venue import Venue
from diorama.runs.layout import RunLayout
from diorama.runs.replays.best_episode import GivenActions
from diorama.runs.replays.entry import Fork, ReplayEntry
from diorama.runs.replays.fork import fork_replay, given_continuation
from diorama.runs.replays.reader import ReplayReader, open_replay
from diorama.runs.replays.record import record_episode
from diorama.runs.replays.sidecar import PlayerFacts, PlayerKind
from diorama.runs.replays.verify import replay_venue, verify_replay
from tests.engine.toy_world import TOY, ToyConfig
from tests.runs.factories import FakeClock, bot_plan, empty_run, prospector, recorded


@pytest.fixture
def layout(tmp_path: Path) -> RunLayout:
    return empty_run(tmp_path)


@pytest.fixture
def replay(layout: RunLayout) -> ReplayReader:
    return open_replay(layout, recorded(layout, seed=7, include_info=True).replay_id)


def tampered(replay: ReplayReader, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """Change the frames of a replay on the disk."""
    frames = [json.loads(line) for line in replay.lines()]
    change(frames)
    replay.path.write_bytes(gzip.compress(b"".join(json.dumps(frame).encode() + b"\n" for frame in frames)))


def change_sidecar(layout: RunLayout, replay: ReplayReader, **changes: object) -> ReplayReader:
    path = layout.replay_sidecar(replay.sidecar.replay_id)
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    return open_replay(layout, replay.sidecar.replay_id)


@pytest.mark.parametrize("tier", ["fast", "reference"])
@pytest.mark.parametrize("with_pictures", [False, True])
def test_a_replay_comes_out_as_it_was_recorded(tier: str, with_pictures: bool, replay: ReplayReader) -> None:
    calls: list[None] = []

    outcome = verify_replay(replay, tier=tier, with_pictures=with_pictures, progress=lambda: calls.append(None))

    assert outcome.is_faithful
    assert outcome.frames == outcome.hashes == replay.frame_count == len(calls)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        pytest.param("reward", 0.125, "at frame 40, reward was recorded as 0.125 and is now", id="reward"),
        pytest.param("terminated", True, "at frame 40, terminated was recorded as True", id="terminated"),
        pytest.param("truncated", True, "at frame 40, truncated", id="truncated"),
        pytest.param("dt", 99, "at frame 40, dt was recorded as 99", id="dt"),
        pytest.param("t", 99999, "at frame 40, t was recorded as 99999", id="t"),
        pytest.param("events", ["dock"], r"at frame 40, events was recorded as \['dock'\]", id="events"),
        pytest.param("event_data", {"dock": {}}, "at frame 40, event_data", id="payload"),
        pytest.param("info", {}, "at frame 40, info was recorded as {}", id="info"),
        pytest.param("state_hash", "0" * 16, "at frame 40, state_hash was recorded as '0000000000000000'", id="hash"),
    ],
)
def test_the_first_frame_and_field_that_differ_are_named(
    field: str, value: object, message: str, replay: ReplayReader
) -> None:
    def change(frames: list[dict[str, Any]]) -> None:
        frames[40][field] = value
        frames[60]["reward"] = 123.0

    tampered(replay, change)

    outcome = verify_replay(replay)

    assert not outcome.is_faithful
    assert outcome.frames == 40
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(str(outcome.divergence))


def test_another_action_is_found_by_its_consequences(replay: ReplayReader) -> None:
    def change(frames: list[dict[str, Any]]) -> None:
        frames[3]["action"] = 6

    tampered(replay, change)

    divergence = verify_replay(replay).divergence
    assert divergence is not None
    assert divergence.frame == 3


def test_an_action_without_consequences_is_found_by_the_digest(layout: RunLayout, replay: ReplayReader) -> None:
    changed = change_sidecar(layout, replay, actions_sha256="0" * 64)

    assert "actions_sha256" in str(verify_replay(changed).divergence)


def test_another_picture_is_found_when_asked_for(replay: ReplayReader) -> None:
    def change(frames: list[dict[str, Any]]) -> None:
        frames[5]["render_state"]["credits"] = 1e6

    tampered(replay, change)

    assert verify_replay(replay).is_faithful
    assert "at frame 5, render_state.credits was recorded as 1000000.0" in str(
        verify_replay(replay, with_pictures=True).divergence
    )


def test_another_opening_is_found(layout: RunLayout, replay: ReplayReader) -> None:
    opening = {**replay.sidecar.initial_render_state, "time": 4}

    outcome = verify_replay(change_sidecar(layout, replay, initial_render_state=opening))

    assert "initial_render_state.time was recorded as 4 and is now 0" in str(outcome.divergence)


def test_what_an_earlier_version_did_not_record_yet_is_not_missed(layout: RunLayout, replay: ReplayReader) -> None:
    def change(frames: list[dict[str, Any]]) -> None:
        for frame in frames:
            del frame["render_state"]["sale_quotes"]

    tampered(replay, change)
    opening = {key: value for key, value in replay.sidecar.initial_render_state.items() if key != "sale_quotes"}

    outcome = verify_replay(change_sidecar(layout, replay, initial_render_state=opening), with_pictures=True)

    assert outcome.is_faithful, outcome.divergence


def test_what_was_recorded_and_is_shown_no_more_is_found(layout: RunLayout, replay: ReplayReader) -> None:
    opening = {**replay.sidecar.initial_render_state, "weather": None}

    outcome = verify_replay(change_sidecar(layout, replay, initial_render_state=opening))

    assert outcome.divergence is not None
    assert outcome.divergence.field == "initial_render_state.weather"


def test_another_seed_is_found(layout: RunLayout, replay: ReplayReader) -> None:
    assert not verify_replay(change_sidecar(layout, replay, seed=8)).is_faithful


def test_frames_after_the_end_are_found(replay: ReplayReader, layout: RunLayout) -> None:
    def change(frames: list[dict[str, Any]]) -> None:
        frames.append({**frames[-1], "frame_index": len(frames)})

    tampered(replay, change)
    longer = change_sidecar(layout, replay, frame_count=replay.frame_count + 1)

    assert "no step: the episode ended" in str(verify_replay(longer).divergence)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        pytest.param(
            {"interface_version": "prospector-v9"}, DocumentError, "recorded with prospector-v9", id="version"
        ),
        pytest.param({"config_hash": "0" * 64}, DocumentError, "hashes to", id="hash"),
        pytest.param({"config": {"color": "red"}}, ConfigError, "there is no such key", id="config"),
        pytest.param({"world": "atlantis"}, UnknownName, "no world is called 'atlantis'", id="world"),
    ],
)
def test_a_replay_that_cannot_be_simulated_here_says_why(
    changes: dict[str, object], error: type[Exception], message: str, layout: RunLayout, replay: ReplayReader
) -> None:
    with pytest.raises(error, match=message):
        verify_replay(change_sidecar(layout, replay, **changes))


def test_operator_commands_cannot_be_applied_again(replay: ReplayReader) -> None:
    def change(frames: list[dict[str, Any]]) -> None:
        frames[2]["commands"] = [{"name": "spawn"}]

    tampered(replay, change)

    with pytest.raises(DocumentError, match="frame 2: holds operator commands"):
        verify_replay(replay)


def fork(
    layout: RunLayout, replay: ReplayReader, *, frame: int, bot: str = "prudent_hauler", max_steps: int = 120
) -> ReplayEntry:
    venue = replay_venue(replay.sidecar)
    player = bot_contender(venue.world, bot).start(venue.spec, 1)
    plan = bot_plan(bot, max_steps=max_steps)
    return fork_replay(layout, replay, venue, player, frame=frame, plan=plan, clock=FakeClock())


@pytest.mark.parametrize("frame", [-1, 0, 41, 88])
def test_a_fork_keeps_the_past_and_tells_its_own_future(frame: int, layout: RunLayout, replay: ReplayReader) -> None:
    entry = fork(layout, replay, frame=frame)

    forked = open_replay(layout, entry.replay_id)
    kept = frame + 1
    assert list(forked.lines(0, kept)) == list(replay.lines(0, kept))
    assert forked.frame_count > kept
    assert list(forked.lines(kept)) != list(replay.lines(kept))
    assert verify_replay(forked, with_pictures=True).is_faithful
    assert entry.forked_from == forked.sidecar.forked_from == Fork(replay_id=replay.sidecar.replay_id, frame=frame)
    assert entry.tags == ("operator:fork",)


def test_a_fork_of_a_fork_verifies(layout: RunLayout, replay: ReplayReader) -> None:
    once = open_replay(layout, fork(layout, replay, frame=30).replay_id)

    entry = fork(layout, once, frame=50, bot="cautious_scanner")

    twice = open_replay(layout, entry.replay_id)
    assert verify_replay(twice).is_faithful
    assert list(twice.lines(0, 51)) == list(once.lines(0, 51))
    assert entry.forked_from == Fork(replay_id=once.sidecar.replay_id, frame=50)


@pytest.mark.parametrize("bot", ["greedy_miner", "random_valid", "market_timer"])
def test_whoever_has_watched_goes_on_as_if_it_had_played(bot: str, layout: RunLayout) -> None:
    replay = open_replay(layout, recorded(layout, bot=bot, seed=3, max_steps=80).replay_id)

    entry = fork(layout, replay, frame=20, bot=bot, max_steps=80)

    assert list(open_replay(layout, entry.replay_id).lines()) == list(replay.lines())


def test_given_actions_can_go_on(layout: RunLayout, replay: ReplayReader) -> None:
    venue = replay_venue(replay.sidecar)
    player, steps = given_continuation(replay, venue, frame=10, actions=np.array([[[6]], [[7]], [[6]]], np.int32))

    entry = fork_replay(layout, replay, venue, player, frame=10, plan=bot_plan(max_steps=steps), clock=FakeClock())

    forked = open_replay(layout, entry.replay_id)
    assert [frame.action for frame in forked.frames(11)] == [6, 7, 6]
    assert verify_replay(forked).is_faithful


def test_nothing_can_follow_the_end(layout: RunLayout, replay: ReplayReader) -> None:
    last = replay.frame_count - 1

    with pytest.raises(ConfigError, match=f"nothing can follow frame {last}"):
        fork(layout, replay, frame=last)
    with pytest.raises(ConfigError, match="frame 90 does not exist"):
        fork(layout, replay, frame=90)
    with pytest.raises(ConfigError, match="frame -2 does not exist"):
        fork(layout, replay, frame=-2)


def test_a_replay_that_diverges_cannot_be_continued(layout: RunLayout, replay: ReplayReader) -> None:
    def change(frames: list[dict[str, Any]]) -> None:
        frames[3]["reward"] = 5.0

    tampered(replay, change)
    before = sorted(path.name for path in layout.replays.iterdir())

    with pytest.raises(ReplayDiverged, match=r"cannot be continued: at frame 3, reward was recorded as 5\.0"):
        fork(layout, replay, frame=20)

    assert sorted(path.name for path in layout.replays.iterdir()) == before
    assert fork(layout, replay, frame=2).steps > 3  # up to there it is still true


def test_worlds_of_several_seats_verify_and_fork(layout: RunLayout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diorama.engine.venue.load_world", lambda _: TOY)
    venue = Venue(world=TOY, config=ToyConfig(length=5), threads=1)
    seats = tuple(PlayerFacts(kind=PlayerKind.ACTIONS, name="script", deterministic=True) for _ in range(2))
    plan = bot_plan(players=seats, max_steps=5)
    actions = np.array([[[step % 3, 0], [2, step % 2]] for step in range(5)], np.int32)
    entry = record_episode(layout, venue, GivenActions(actions), 4, plan, clock=FakeClock())
    replay = open_replay(layout, entry.replay_id)

    player, _ = given_continuation(replay, venue, frame=1, actions=np.ones((3, 2, 2), np.int32))
    forked = fork_replay(layout, replay, venue, player, frame=1, plan=plan, clock=FakeClock())

    assert verify_replay(replay).is_faithful
    assert verify_replay(open_replay(layout, forked.replay_id)).is_faithful
    assert [frame.action for frame in open_replay(layout, forked.replay_id).frames(2)] == [
        *([[1, 1], [1, 1]], [[1, 1], [1, 1]], [[1, 1], None])
    ]


def test_the_configuration_of_a_replay_is_used_and_not_the_default(layout: RunLayout) -> None:
    entry = recorded(layout, venue=prospector(pirates=False, reward_profile="v2"), seed=2, max_steps=50)

    replay = open_replay(layout, entry.replay_id)

    assert replay_venue(replay.sidecar).config.model_dump()["reward_profile"] == "v2"
    assert verify_replay(replay).is_faithful
