"""Events in, pictures out: what the views make of a recorded run, and how they read one that is being written."""

import json
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from diorama.worlds.morphogenesis.contracts.payloads.analysis import EpisodeOutcomePayload
from diorama.worlds.morphogenesis.contracts.payloads.training import EpochCompletedPayload
from diorama.worlds.morphogenesis.views.aggregator import ViewAggregator
from diorama.worlds.morphogenesis.views.env_watch import EnvWatch
from diorama.worlds.morphogenesis.views.judging import ABOVE, BELOW, judge
from diorama.worlds.morphogenesis.views.reading import EventFollower
from tests.worlds.morphogenesis.views.recording import BEGAN, EVENTS, SNAPSHOT, aggregated, recorded, snapshot


def test_the_snapshot_of_the_recorded_file_is_the_stored_one() -> None:
    stored = json.loads(SNAPSHOT.read_text())

    assert json.loads(json.dumps(snapshot())) == stored
    assert list(stored) == ["A", "B"]


def test_what_the_views_add_up_is_what_the_run_said_itself() -> None:
    aggregator = aggregated()
    outcomes = [event.data for event in recorded() if isinstance(event.data, EpisodeOutcomePayload)]

    episodes = sorted(aggregator.picture("A").best_episodes, key=lambda one: one.env_id)
    for one, end in zip(episodes, outcomes, strict=False):
        assert (one.env_id, one.reward, one.final) == (end.env_id, end.episode_reward, end.final_accuracy)
        assert one.final == one.accuracies[-1]
    for env in aggregator.picture("A").envs:
        # The penalty of a rollback took the place of a reward, also in the sum that the view keeps.
        assert env.episode_reward == pytest.approx(
            next(end.episode_reward for end in outcomes if end.env_id == env.env_id)
        )


def test_pictures_do_not_change_when_the_run_goes_on() -> None:
    aggregator, events = ViewAggregator(), recorded()
    aggregator.add(events[:60])
    early = aggregator.picture("A")
    kept = early.to_dict()

    aggregator.add(events[60:])

    assert early.to_dict() == kept
    assert aggregator.picture("A").epoch > early.epoch


def test_a_file_is_read_while_it_is_written_and_broken_lines_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    follower = EventFollower(path)
    lines = EVENTS.read_bytes().split(b"\n")[:4]
    assert follower.take() == []

    path.write_bytes(lines[0] + b"\n" + lines[1][:40])
    first = follower.take()
    with path.open("ab") as file:
        file.write(lines[1][40:] + b"\n{broken\n" + b'{"schema_version": 1}\n' + lines[2] + b"\n")
    second = follower.take()
    path.write_bytes(lines[3] + b"\n")
    begun_again = follower.take()

    read = [event.event_id for event in (*first, *second, *begun_again)]
    assert read == [json.loads(line)["event_id"] for line in lines]
    assert follower.malformed == 1


def test_a_long_file_is_read_piece_by_piece() -> None:
    follower = EventFollower(EVENTS, piece_bytes=10_000)

    pieces = []
    while piece := follower.take():
        pieces.append(piece)

    assert len(pieces) > 10
    assert [event.event_id for piece in pieces for event in piece] == [event.event_id for event in recorded()]


def test_a_status_changes_when_three_epochs_agree() -> None:
    env = EnvWatch(0, BEGAN)
    seen = []
    for epoch, accuracy in enumerate((50.0, 85.0, 85.0, 85.0, 80.0, 80.0, 80.0, 80.0, 80.0), start=1):
        payload = EpochCompletedPayload(env_id=0, val_accuracy=accuracy, val_loss=1.0, inner_epoch=epoch, episode_idx=0)
        env.note(payload, epoch=epoch, at=BEGAN + timedelta(seconds=epoch))
        seen.append(env.status)

    # Three epochs below the best are a decline, and the status says so when three of those have passed.
    assert seen == [*["healthy"] * 3, *["excellent"] * 5, "degraded"]
    assert [(one, other) for one, other in pairwise(seen) if one != other] == [
        ("healthy", "excellent"),
        ("excellent", "degraded"),
    ]


@pytest.mark.parametrize("signal", [*ABOVE, *BELOW])
def test_every_signal_is_judged_at_its_limits(signal: str) -> None:
    is_above = signal in ABOVE
    warning, critical = (ABOVE if is_above else BELOW)[signal]
    step = 1e-3 if is_above else -1e-3

    assert judge(signal, None) == "unknown"
    assert judge(signal, warning) == "good"
    assert judge(signal, warning + step) == "warning"
    if critical is not None:
        assert judge(signal, critical + step) == "critical"


def test_events_of_another_env_leave_an_env_alone() -> None:
    aggregator, events = ViewAggregator(), recorded()
    aggregator.add(event for event in events if event.group_id == "A")
    before = aggregator.picture("A").envs[0]
    other = next(event for event in events if isinstance(event.data, EpochCompletedPayload) and event.data.env_id == 1)
    assert isinstance(other.data, EpochCompletedPayload)

    aggregator.add([replace(other, data=replace(other.data, val_accuracy=99.0, episode_idx=7))])

    after = aggregator.picture("A")
    assert after.envs[0] == before
    assert after.envs[1].accuracies == (99.0,)
