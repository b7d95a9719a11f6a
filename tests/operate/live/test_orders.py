"""What operators handed over stays handed over: in snapshots, and after a kill."""

import shutil
from pathlib import Path

import pytest

from diorama.operate.live.batch_world.orders import KeepsOrders
from diorama.operate.live.runtime import LiveRuntime
from tests.operate.live.runtimes import command, open_live_world


def _orders(runtime: LiveRuntime) -> object:
    desk = runtime.world.subject
    assert isinstance(desk, KeepsOrders)
    return desk.export_orders()


@pytest.mark.slow
def test_who_decides_for_a_host_is_part_of_snapshots_and_survives_a_kill(tmp_path: Path) -> None:
    runtime = open_live_world(tmp_path / "whole", "morphogenesis", policy="grow_three", autosave_ticks=100, seed=3)
    runtime.run_ticks(2)
    runtime.save("before")
    assert command(runtime, "control", 0, "wait", cmd_id="a")["status"] == "ok"
    runtime.save("after")
    handed_over = _orders(runtime)
    shutil.copytree(tmp_path / "whole", tmp_path / "killed")

    again = open_live_world(tmp_path / "killed", "morphogenesis", resume=True, autosave_ticks=100)
    assert _orders(again) == handed_over
    for world in (runtime, again):
        world.run_ticks(3)
    assert again.world.save() == runtime.world.save()

    runtime.load("before")
    assert _orders(runtime) != handed_over
    runtime.load("after")
    assert _orders(runtime) == handed_over
    for world in (runtime, again):
        world.close()
