"""The console against its table: every error that a command can have, in a live town, and that it changes nothing."""

from collections.abc import Iterator
from typing import Any

import pytest

from diorama.cli.townlet.rehearse_drills import TOWN_DRILLS
from diorama.operate.console.answers import HTTP_STATUS
from diorama.operate.rehearsals.drills import drills_of
from diorama.operate.rehearsals.theater import CALLERS, Theater, refusal_of
from diorama.worlds.townlet.live.town import LiveTown
from tests.operate.live.policies import untrained_policy
from tests.operate.live.runtimes import open_live_world

HUNGRY_TICKS = 6
ADA, BEA, CAT = "citizen_000", "citizen_001", "citizen_002"
CONFIG = {
    "telemetry": {"transport": {"type": "none"}},
    "world": {"population": 3},
    "perturbations": {"max_concurrent_events": 1},
    "stability": {"starvation": {"min_duration_ticks": HUNGRY_TICKS}},
}
REFUSALS: list[Any] = [
    (("debug_queues", "piano"), "not_found", "unknown_object"),
    (("queue_inspect", "piano"), "not_found", "unknown_object"),
    (("rivalry_dump", "nobody"), "not_found", "unknown_agent"),
    (("relationship_detail", "nobody"), "not_found", "unknown_agent"),
    (("social_events", 101), "invalid_args", "arguments"),
    (("telemetry_snapshot", ["moon"]), "invalid_args", "unknown_block"),
    (("spawn", "guest"), "conflict", "exists"),
    (("spawn", "other", [14, 16]), "invalid_args", "blocked_tile"),
    (("spawn", "other", None, "home_1"), "conflict", "no_bed"),
    (("teleport", "nobody", 1, 1), "not_found", "unknown_agent"),
    (("teleport", ADA, 14, 16), "invalid_args", "blocked_tile"),
    (("teleport", BEA, 10, 2), "conflict", "busy_target"),
    (("setneed", "nobody", "hunger", 1), "not_found", "unknown_agent"),
    (("setneed", ADA, "mood", 1), "invalid_args", "arguments"),
    (("price", "gold", 1), "not_found", "unknown_price"),
    (("price", "meal_cost", -1), "invalid_args", "arguments"),
    (("force_chat", "nobody", ADA), "not_found", "unknown_agent"),
    (("force_chat", ADA, ADA), "invalid_args", "same_agent"),
    (("force_chat", "guest", BEA), "conflict", "busy_target"),
    (("set_rel", "nobody", ADA, 1), "not_found", "unknown_agent"),
    (("set_rel", ADA, BEA), "usage", "nothing_given"),
    (("arrange_meet", [ADA, "nobody"]), "not_found", "unknown_agent"),
    (("arrange_meet", [ADA, CAT]), "conflict", "max_concurrent"),
    (("arrange_meet", [ADA]), "invalid_args", "arguments"),
    (("utility", "gas", "off"), "invalid_args", "arguments"),
    (("perturbation_trigger", "comet"), "not_found", "unknown_spec"),
    (("perturbation_trigger", "price_spike", -1), "invalid_args", "arguments"),
    (("perturbation_trigger", "price_spike"), "conflict", "max_concurrent"),
    (("perturbation_cancel", "evt_999"), "not_found", "unknown_event"),
    (("employment_exit", "approve", "nobody"), "not_found", "unknown_agent"),
    (("employment_exit", "approve", ADA), "not_found", "not_pending"),
    (("employment_exit", "defer"), "usage", "missing_agent"),
    (("kill", "nobody"), "not_found", "unknown_agent"),
    (("possess", "nobody", "acquire"), "not_found", "unknown_agent"),
    (("possess", "guest", "acquire"), "conflict", "already_possessed"),
    (("possess", BEA, "acquire"), "conflict", "busy_target"),
    (("possess", ADA, "release"), "conflict", "not_possessed"),
    (("possess_act", ADA, "Wait"), "conflict", "not_possessed"),
    (("possess_act", "guest", "Fly"), "invalid_args", "unknown_primitive"),
    (("toggle_mortality", "maybe"), "invalid_args", "arguments"),
    (("set_exit_cap", 51), "invalid_args", "arguments"),
    (("set_spawn_delay", 9, 3), "invalid_args", "arguments"),
    (("set_death_threshold", "energy", 0.1, 5), "invalid_args", "arguments"),
    (("promote_policy", "idle"), "conflict", "not_ready"),
    (("promote_policy", "nobody"), "not_found", "no_policy"),
    (("promote_policy", "idle", "0" * 64), "conflict", "hash_mismatch"),
    (("rollback_policy", "nowhere"), "not_found", "no_snapshot"),
    (("policy_swap", "nobody"), "not_found", "no_policy"),
    (("policy_swap", "novice"), "conflict", "policy_mismatch"),
    (("policy_swap", "idle", "0" * 64), "conflict", "hash_mismatch"),
    (("policy_shadow", "novice"), "conflict", "policy_mismatch"),
    (("promotion_ack",), "conflict", "nothing_recommended"),
    (("snapshot_save", "../x"), "invalid_args", "arguments"),
    (("snapshot_load", "none"), "not_found", "no_snapshot"),
    (("snapshot_load", "../outside"), "forbidden", "outside_root"),
    (("snapshot_inspect", "none"), "not_found", "no_snapshot"),
    (("snapshot_inspect", "/etc/passwd"), "forbidden", "outside_root"),
    (("snapshot_validate", "none"), "not_found", "no_snapshot"),
    (("snapshot_validate", "../outside"), "forbidden", "outside_root"),
    (("snapshot_migrate", "here", "here"), "conflict", "exists"),
    (("speed", "warp"), "invalid_args", "arguments"),
    (("step", 1), "conflict", "not_paused"),
    (("step", 1001), "invalid_args", "arguments"),
    (("announce_story", "x" * 281), "invalid_args", "arguments"),
    (("set_privacy", "on"), "conflict", "no_salt"),
    (("noop", 1), "usage", "too_many_arguments"),
    (("fly",), "unsupported", "unknown_command"),
]


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Theater]:
    """A small town: a guest is led, Bea sleeps, the power will go off, and something is saved."""
    root = tmp_path_factory.mktemp("refusing")
    untrained_policy(root / "runs", "prospector")
    runtime = open_live_world(root, "townlet", config=CONFIG, settings=None, seed=2, run_root=root / "runs")
    with Theater(runtime) as theater:
        for name, *args in (
            ("spawn", "guest"),
            ("possess", "guest", "acquire"),
            ("perturbation_trigger", "blackout", 400),
            ("snapshot_save", "here"),
        ):
            answer = theater.command(name, args)
            assert answer["status"] == "ok", answer
        assert isinstance(runtime.world, LiveTown)
        bea = runtime.world.town.living()[1]
        theater.command("setneed", [BEA, "energy", 0.01])
        while not bea.is_running:
            theater.run(1)
            assert theater.tick < 400, "she does not go to bed"
        yield theater


@pytest.mark.parametrize(("command", "code", "reason"), REFUSALS)
def test_a_command_is_refused_for_the_right_reason(
    town: Theater, command: tuple[Any, ...], code: str, reason: str
) -> None:
    runtime = town.runtime
    envelope = {"name": command[0], "args": list(command[1:]), "cmd_id": f"refused {command}"[:64]}
    before = runtime.world.state_hash(), runtime.status(), runtime.promotion.status()

    waiting = runtime.desk.submit(envelope, CALLERS["admin"])
    runtime.desk.drain()
    answer = waiting.result(timeout=0)

    assert refusal_of(answer) == (code, reason), answer
    assert code in HTTP_STATUS
    assert (runtime.world.state_hash(), runtime.status(), runtime.promotion.status()) == before


def test_whatever_changes_something_is_refused_without_an_id(town: Theater) -> None:
    desk, reasons = town.runtime.desk, {}
    for drill in drills_of(TOWN_DRILLS):
        if desk.catalogue.entries[drill.name].command.needs_id:
            envelope = {"name": drill.name, "args": list(drill.args), "kwargs": dict(drill.kwargs)}
            reasons[drill.name] = refusal_of(desk.submit(envelope, CALLERS["admin"]).result(timeout=0))

    assert set(reasons.values()) == {("usage", "cmd_id_missing")}
    assert set(reasons) == {name for name, entry in desk.catalogue.entries.items() if entry.command.needs_id}


def test_alerts_that_stand_are_told_with_the_conflicts(town: Theater) -> None:
    before: Any = town.command("conflict_status", role="viewer")
    town.command("setneed", ["guest", "hunger", 0.0])
    town.run(HUNGRY_TICKS)

    after: Any = town.command("conflict_status", role="viewer")

    assert before["result"]["alerts"] == []
    assert after["result"]["alerts"] == ["starvation_spike"] == [*town.runtime.monitor.latest_stability_alerts()]
    assert {"queues", "history", "rivalry"} <= set(after["result"])
