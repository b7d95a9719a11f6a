"""Following a run while it is written."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Event as Signal

import httpx
import pytest

from diorama.runs.checkpoints.files import write_checkpoint
from diorama.runs.checkpoints.headers import RandomCheckpoint
from diorama.runs.metadata import LatestCheckpoint, RunStatus
from diorama.runs.run import open_run
from diorama.runs.windows.row import Totals, WindowRow
from diorama.runs.writer import RunWriter, create_run
from diorama.server.models.follow import CheckpointMark, RunState
from diorama.server.models.replays import ReplayEntry
from tests.runs.factories import FakeClock, metadata, recorded
from tests.server.conftest import TRAINED
from tests.server.event_stream import Event, following
from tests.server.loopback import LoopbackServer, serving
from tests.training.small_runs import small_plan, train_small

QUICK = {"follow_poll_seconds": 0.02, "follow_heartbeat_seconds": 30.0}


def row(window_id: int, *, is_complete: bool = True) -> WindowRow:
    start, end = window_id * 10, window_id * 10 + (10 if is_complete else 4)
    return {
        "run_id": "live",
        "window_id": window_id,
        "window_complete": is_complete,
        "env_steps_start": start,
        "env_steps_end": end,
        "env_steps_in_window": end - start,
        "env_steps_total": end,
    }


def close_window(writer: RunWriter, window_id: int, *, is_complete: bool = True) -> None:
    rows = [row(window_id, is_complete=is_complete)]
    writer.write_windows(rows, Totals(windows=window_id + 1, env_steps=(window_id + 1) * 10))


def keep_checkpoint(writer: RunWriter, window_id: int) -> None:
    header = RandomCheckpoint(
        run_id="live", world="prospector", window_id=window_id, env_steps_total=10, created_at="2031-05-06T00:00:00Z"
    )
    sha256 = write_checkpoint(writer.layout, header, {})
    writer.keeper.checkpoint_written(
        LatestCheckpoint(
            window_id=window_id,
            env_steps_total=10,
            path=f"checkpoints/ckpt_{window_id:06d}.json",
            sha256=sha256,
            created_at=header.created_at,
        )
    )


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[RunWriter]:
    with create_run(tmp_path, metadata("live"), {}, FakeClock()) as opened:
        yield opened


@pytest.fixture
def live(writer: RunWriter, tmp_path: Path) -> Iterator[LoopbackServer]:
    with serving(tmp_path, **QUICK) as running:
        yield running


def soon(condition: Callable[[], bool]) -> bool:
    """Whether something comes true within a few seconds; for what announces itself to nobody."""
    deadline = time.monotonic() + 20
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def take(events: Iterator[Event], count: int) -> list[Event]:
    return [next(events) for _ in range(count)]


def test_everything_a_run_does_is_told_as_it_happens(live: LoopbackServer, writer: RunWriter) -> None:
    close_window(writer, 0)
    with following(live.base_url, "live") as events:
        opening = next(events)
        close_window(writer, 1)
        window = next(events)
        keep_checkpoint(writer, 1)
        checkpoint = next(events)
        entry = recorded(writer.layout, bot="idle", max_steps=3, window_id=1)
        replay = next(events)
        writer.keeper.completed(Totals(windows=2, env_steps=20))
        rest = list(events)

    assert (opening.name, opening.data["status"], opening.data["windows_emitted"]) == ("status", "running", 1)
    assert (window.name, window.data) == ("window", row(1))
    assert checkpoint.name == "checkpoint"
    assert CheckpointMark.model_validate(checkpoint.data).sha256 is not None
    assert replay.name == "replay"
    assert ReplayEntry.model_validate(replay.data).replay_id == entry.replay_id
    assert [(event.name, event.data["status"]) for event in rest] == [("status", "completed")]
    assert RunState.model_validate(rest[0].data).finished_at is not None


def test_a_stream_is_resumed_after_the_last_event_that_was_seen(live: LoopbackServer, writer: RunWriter) -> None:
    with following(live.base_url, "live") as events:
        next(events)
        close_window(writer, 0)
        last = next(events)
    close_window(writer, 1)
    keep_checkpoint(writer, 0)
    keep_checkpoint(writer, 1)
    recorded(writer.layout, bot="idle", max_steps=3)
    close_window(writer, 2)

    with following(live.base_url, "live", last.id) as events:
        missed = take(events, 5)

    assert [(event.name, event.data["window_id"]) for event in missed] == [
        ("window", 1),
        ("window", 2),
        ("checkpoint", 0),
        ("checkpoint", 1),
        ("replay", 0),
    ]
    assert [event.data["sha256"] is None for event in missed[2:4]] == [True, False]


def test_every_event_can_be_resumed_from_and_nothing_is_lost_or_told_twice(
    live: LoopbackServer, writer: RunWriter
) -> None:
    with following(live.base_url, "live") as events:
        seen = [next(events)]
        for window_id in range(4):
            close_window(writer, window_id)
            seen += take(events, 1)
        recorded(writer.layout, bot="idle", max_steps=3)
        seen += take(events, 1)
        writer.keeper.stopped(Totals(windows=4, env_steps=40))
        seen += list(events)

    for place, event in enumerate(seen[:-1]):
        with following(live.base_url, "live", event.id) as events:
            told = list(events)
        assert [(later.name, later.data) for later in told] == [(later.name, later.data) for later in seen[place + 1 :]]
    finished = httpx.get(f"{live.base_url}/api/runs/live/follow", headers={"Last-Event-ID": seen[-1].id})
    assert finished.status_code == 204  # a browser that is told so does not come back


def test_a_restart_of_the_server_loses_nothing(writer: RunWriter, tmp_path: Path) -> None:
    with serving(tmp_path, **QUICK) as first, following(first.base_url, "live") as events:
        next(events)
        close_window(writer, 0)
        last = next(events)
        port = int(first.base_url.rpartition(":")[2])
    close_window(writer, 1)

    with serving(tmp_path, port, **QUICK) as second, following(second.base_url, "live", last.id) as events:
        missed = next(events)
        close_window(writer, 2)
        fresh = next(events)

    assert [event.data["window_id"] for event in (missed, fresh)] == [1, 2]


def test_an_open_stream_does_not_keep_the_server_from_stopping(writer: RunWriter, tmp_path: Path) -> None:
    is_open = Signal()

    def follow(base_url: str) -> list[str]:
        with following(base_url, "live") as events:
            names = [next(events).name]
            is_open.set()
            return names + [event.name for event in events]

    with ThreadPoolExecutor(1) as pool:
        with serving(tmp_path, **QUICK) as server:
            told = pool.submit(follow, server.base_url)
            assert is_open.wait(20)

        assert told.result(20) == ["status"]  # it ended as streams end, and was not cut off


def test_one_watcher_serves_all_pages_of_a_run(live: LoopbackServer, writer: RunWriter) -> None:
    with ExitStack() as stack:
        pages = [stack.enter_context(following(live.base_url, "live")) for _ in range(12)]
        for events in pages:
            next(events)
        watched = live.services.follow.watched
        figures = httpx.get(f"{live.base_url}/metrics").text
        close_window(writer, 0)
        told = [next(events).data for events in pages]

    assert watched == {"live": 12}
    assert 'diorama_open_streams{kind="follow"} 12.0' in figures
    assert told == [row(0)] * 12
    assert soon(lambda: live.services.follow.watched == {})


def test_a_silent_stream_says_that_it_is_alive(writer: RunWriter, tmp_path: Path) -> None:
    with (
        serving(tmp_path, follow_poll_seconds=0.02, follow_heartbeat_seconds=0.05) as server,
        following(server.base_url, "live") as events,
    ):
        assert [event.name for event in take(events, 3)] == ["status", "heartbeat", "heartbeat"]


def test_a_run_that_has_ended_is_told_once(server: LoopbackServer) -> None:
    with following(server.base_url, TRAINED) as events:
        told = list(events)

    assert [(event.name, event.data["status"]) for event in told] == [("status", RunStatus.COMPLETED.value)]


def test_windows_that_a_resumed_run_writes_anew_are_told_where_they_differ(
    live: LoopbackServer, writer: RunWriter
) -> None:
    for window_id in range(3):
        close_window(writer, window_id)
    close_window(writer, 3, is_complete=False)
    with following(live.base_url, "live") as events:
        next(events)
        lines = writer.layout.windows.read_bytes().splitlines(keepends=True)
        writer.layout.windows.write_bytes(b"".join(lines[:2]))
        for window_id in (2, 3, 4):
            close_window(writer, window_id)
        told = take(events, 2)

    assert [event.data for event in told] == [row(3), row(4)]


def test_a_training_that_goes_on_is_followed_from_its_first_window(tmp_path: Path) -> None:
    with serving(tmp_path, **QUICK) as server, ThreadPoolExecutor(1) as pool:
        training = pool.submit(train_small, tmp_path, "small", small_plan())
        assert soon(lambda: (tmp_path / "small").is_dir())
        with following(server.base_url, "small", "-1.-1,-1,0,") as events:
            told = list(events)
        layout = training.result(60).layout

    windows = [event.data for event in told if event.name == "window"]
    assert windows == open_run(tmp_path, "small").windows()
    assert layout.run_id == "small"
    assert [event.name for event in told if event.name == "checkpoint"]
    assert (told[-1].name, told[-1].data["status"]) == ("status", "completed")


def test_a_run_that_disappears_ends_the_stream(live: LoopbackServer, writer: RunWriter, tmp_path: Path) -> None:
    with following(live.base_url, "live") as events:
        next(events)
        writer.layout.directory.rename(tmp_path / ".away")
        rest = list(events)
    (tmp_path / ".away").rename(writer.layout.directory)

    assert rest == []


@pytest.mark.parametrize("text", ["nonsense", "1,2,3", "1.2,3,4", "9" * 200, "1.1,1,-1,running"])
def test_an_id_of_another_stream_is_refused(text: str, live: LoopbackServer) -> None:
    answer = httpx.get(f"{live.base_url}/api/runs/live/follow", headers={"Last-Event-ID": text})

    assert answer.status_code == 422
    assert "Last-Event-ID" in answer.json()["detail"]


def test_there_is_a_limit_to_followers(writer: RunWriter, tmp_path: Path) -> None:
    with serving(tmp_path, max_followers=1, **QUICK) as server, following(server.base_url, "live") as events:
        next(events)
        refused = httpx.get(f"{server.base_url}/api/runs/live/follow")

    assert refused.status_code == 429
    assert "1 follow streams are open" in refused.json()["detail"]
