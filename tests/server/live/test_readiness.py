"""`/ready` and the figures of a live world: well, with a loop that hangs, and on a disk without room."""

from pathlib import Path
from threading import Event

from tests.server.live.stage import on_stage


def test_a_live_world_that_is_well_says_so(tmp_path: Path) -> None:
    with on_stage(tmp_path, speed="1x", world={"population": 1}) as stage:
        ready = stage.http.get(f"{stage.base_url}/ready")
        head = stage.http.head(f"{stage.base_url}/ready")
        figures = stage.http.get(f"{stage.base_url}/metrics").text

    assert ready.status_code == head.status_code == 200
    assert [(check["name"], check["ok"]) for check in ready.json()["checks"]] == [
        ("save", True),
        ("tick", True),
        ("keep_up", True),
    ]
    for name in ("save_age_seconds", "save_failures", "tick_lag_seconds", "tick_overruns", "queue_length"):
        assert f"\ndiorama_live_{name} " in figures


def test_a_loop_that_hangs_and_a_disk_without_room_are_told(tmp_path: Path) -> None:
    released = Event()
    limits = {"behind_seconds": 1, "least_free_bytes": 1 << 62}
    with on_stage(tmp_path, world={"population": 1}, limits=limits) as stage:
        stage.runtime._loop.call(lambda: released.wait(60))
        while stage.runtime.vitals().tick_lag_seconds <= 1.0:
            assert stage.runtime.join(timeout=0.1) is None, "the world has ended"
        ready = stage.http.get(f"{stage.base_url}/ready")
        released.set()

    assert ready.status_code == 503
    problems = {check["name"]: check["problem"] for check in ready.json()["checks"]}
    assert "more than 1 s" in problems["tick"]
    assert f"fewer than {1 << 62}" in problems["save"]
