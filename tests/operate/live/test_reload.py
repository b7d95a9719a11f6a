"""A configuration that is reloaded while its world runs, and what of it survives a restart."""

from pathlib import Path
from typing import Any

import yaml

from diorama.operate.live.runtime import LiveRuntime
from diorama.worlds.registry import load_world
from tests.operate.live.runtimes import command

CONFIG: dict[str, Any] = {
    "config_id": "reloaded",
    "features": {},
    "rewards": {},
    "telemetry": {"transport": {"type": "none"}},
    "snapshot": {"autosave_cadence_ticks": 100},
}


def _opened(path: Path, root: Path, **more: Any) -> LiveRuntime:
    world = load_world("townlet")
    config = world.config_type.model_validate(yaml.safe_load(path.read_text()))
    return LiveRuntime.open(world, config, path, root=root, speed="max", **more)


def test_a_reload_is_applied_with_the_next_tick_told_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "town.yaml"
    path.write_text(yaml.safe_dump(CONFIG))
    runtime = _opened(path, tmp_path / "live")
    told: list[str] = []
    runtime.publisher.register_event_subscriber(lambda events: told.extend(str(event["event"]) for event in events))
    runtime.run_ticks(3)
    changed = {"queue_fairness": {"cooldown_ticks": 30}, "console": {"max_pending": 9}}
    path.write_text(yaml.safe_dump({**CONFIG, **changed}))

    answer: Any = command(runtime, "config_reload", cmd_id="r")
    before = runtime.settings.console.max_pending
    runtime.run_ticks(1)

    assert sorted(answer["result"]["paths"]) == ["console.max_pending", "queue_fairness.cooldown_ticks"]
    assert (before, runtime.settings.console.max_pending) == (256, 9)
    assert "config_reloaded" in told
    left = runtime.world.state_hash(), runtime.world.save()
    runtime._lock.release()  # the process dies
    again = _opened(path, tmp_path / "live", resume=True)
    assert (again.world.state_hash(), again.world.save()) == left
    again.close()


def test_a_reload_that_needs_a_restart_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "town.yaml"
    path.write_text(yaml.safe_dump(CONFIG))
    runtime = _opened(path, tmp_path / "live")
    told: list[Any] = []
    runtime.publisher.register_event_subscriber(told.extend)
    before = runtime.settings
    path.write_text(yaml.safe_dump({**CONFIG, "console": {"max_pending": 9}, "world": {"population": 3}}))

    refused: Any = command(runtime, "config_reload", cmd_id="r")
    path.write_text("world: [")
    broken: Any = command(runtime, "config_reload", cmd_id="s")

    assert (refused["error"]["code"], refused["error"]["reason"]) == ("conflict", "restart_required")
    assert refused["error"]["details"] == {"paths": ["world.population"]}
    assert broken["error"]["code"] == "invalid_args"
    assert [event["reason"] for event in told if event["event"] == "config_reload_rejected"] == [
        "restart_required",
        "invalid",
    ]
    assert runtime.settings is before
    runtime.close()
