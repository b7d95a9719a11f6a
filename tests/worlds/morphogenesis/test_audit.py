"""Telemetry that is asked for: the causal log, the profile of phases, memory, and envs that decline."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest

from diorama.worlds.morphogenesis.audit.memory import DeviceMemory, MemoryWatch, allocator_stats, read_memory
from diorama.worlds.morphogenesis.audit.opening import open_audit
from diorama.worlds.morphogenesis.audit.phase_clock import PHASES
from diorama.worlds.morphogenesis.contracts.events import TelemetryEvent
from diorama.worlds.morphogenesis.contracts.payloads.health import (
    GovernorRollbackPayload,
    MorphologyCausalLogPayload,
)
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import (
    Lineage,
    SeedGerminatedPayload,
    SeedStageChangedPayload,
)
from diorama.worlds.morphogenesis.contracts.profiling import PhaseProfileReport
from diorama.worlds.morphogenesis.controller.action_text import parse_action
from diorama.worlds.morphogenesis.controller.choices import WAIT, Action
from diorama.worlds.morphogenesis.engine.round_end import EpisodeEnd, RoundEnd
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.rounds.controllers import controller_named
from diorama.worlds.morphogenesis.rounds.declines import DeclineWatch
from diorama.worlds.morphogenesis.rounds.running import play_rounds
from diorama.worlds.morphogenesis.rounds.steering import Steering
from diorama.worlds.morphogenesis.vectorized_types import RewardSummaryAccumulator
from tests.worlds.morphogenesis.event_order import kind_of
from tests.worlds.morphogenesis.small_worlds import rows, small_world

SLOTS = ("r0c0", "r0c1", "r0c2")
AUDITED = {"causal_log": True, "min_prune_age": 1, "max_epochs": 5}


def action(words: str) -> Action:
    return parse_action(words.split(), SLOTS)


PRUNED_EARLY = (
    action("GERMINATE r0c1 blueprint=conv_light"),
    action("ADVANCE r0c1"),
    action("PRUNE r0c1 speed=instant"),
)


def audited(settings: Mapping[str, object], log: list[TelemetryEvent], *, envs: int = 1) -> MorphogenesisWorld:
    world = small_world(settings, envs=envs, log=log)
    open_audit(world)
    return world


def played(settings: Mapping[str, object], script: Iterable[Action], *, damage_after: int = 0) -> list[TelemetryEvent]:
    log: list[TelemetryEvent] = []
    world = audited(settings, log)
    world.reset(0)
    actions = iter(script)
    for epoch in range(1, 100):
        if not world.is_open:
            break
        if epoch == damage_after:
            Steering(world).obey("inject", [0, "nan"], {})
        world.step(rows(next(actions, WAIT)))
    return log


def links(log: Iterable[TelemetryEvent]) -> list[MorphologyCausalLogPayload]:
    return [event.data for event in log if isinstance(event.data, MorphologyCausalLogPayload)]


def test_every_change_is_told_with_the_decision_it_came_from() -> None:
    log = played(AUDITED, PRUNED_EARLY)

    told = [(link.action_id[-2:], link.phase, link.operation) for link in links(log)]
    assert told == [
        ("t1", "proposal", "GERMINATE"),
        ("t1", "verdict", "GERMINATE"),
        ("t1", "dispatch", "GERMINATE"),
        ("t1", "mutation", "GERMINATE"),
        ("t1", "commit", "GERMINATE"),
        ("t2", "proposal", "ADVANCE"),
        ("t2", "verdict", "ADVANCE"),
        ("t2", "dispatch", "ADVANCE"),
        ("t2", "mutation", "ADVANCE"),
        ("t2", "commit", "ADVANCE"),
        ("t3", "proposal", "PRUNE"),
        ("t3", "verdict", "PRUNE"),
        ("t3", "dispatch", "PRUNE"),
        ("t3", "mutation", "PRUNE"),
        ("t3", "cooldown", "MECHANICAL"),
        ("t3", "commit", "PRUNE"),
    ]
    verdicts = [link for link in links(log) if link.phase == "verdict"]
    assert {(link.governor_approved, link.governor_reason) for link in verdicts} == {(True, "approved")}
    assert len({link.observation_hash for link in links(log)}) == 3


def test_links_name_the_events_they_belong_to_and_events_name_their_chain() -> None:
    log = played(AUDITED, PRUNED_EARLY)
    by_id = {event.event_id: event for event in log}
    wanted = {
        "mutation": ("SEED_GERMINATED", "SEED_STAGE_CHANGED"),
        "cooldown": ("SEED_STAGE_CHANGED",),
        "commit": ("last_action",),
    }

    for place, event in enumerate(log):
        if isinstance(event.data, MorphologyCausalLogPayload) and event.data.linked_event_id is not None:
            linked = by_id[event.data.linked_event_id]
            assert kind_of(linked) in wanted[event.data.phase]
            assert log.index(linked) < place
            if isinstance(linked.data, Lineage):
                assert linked.data.morphology_mutation_id == event.data.mutation_id
    planted = next(event.data for event in log if isinstance(event.data, SeedGerminatedPayload))
    assert planted.morphology_proposal_id == "r0_env0_t1.proposal"
    assert planted.rng_stream == "seed_init"
    assert planted.rng_seed == small_world().nursery.streams.key("seed_init", 0, 0, 1, 0)


def test_a_refused_decision_ends_with_an_audit_and_touches_nothing() -> None:
    log = played(AUDITED, (action("FOSSILIZE r0c2"),))

    told = links(log)
    assert [link.phase for link in told] == ["proposal", "verdict", "audit"]
    assert (told[1].governor_approved, told[1].governor_blocked_factor) == (False, "mask")
    assert "FOSSILIZE on r0c2" in (told[1].governor_reason or "")


def test_a_rollback_is_told_with_the_losses_that_led_to_it() -> None:
    log = played(AUDITED, PRUNED_EARLY[:2], damage_after=3)

    ends = [link for link in links(log) if link.phase == "rollback"]
    assert [(link.slot_id, link.operation) for link in ends] == [("r0c1", "ROLLBACK"), ("", "ROLLBACK")]
    panic = next(event.data for event in log if isinstance(event.data, GovernorRollbackPayload))
    assert panic.triggering_action_id == "r0_env0_t3"
    assert panic.watch_window_evidence == ends[1].watch_window_evidence
    assert len(panic.watch_window_evidence or ()) == 3
    assert panic.rollback_severity == "critical"


def test_the_log_changes_nothing_else() -> None:
    def plain(log: list[TelemetryEvent]) -> list[object]:
        empty = dict.fromkeys(
            ("morphology_proposal_id", "morphology_verdict_id", "morphology_mutation_id", "rng_stream", "rng_seed")
        )
        return [
            replace(event.data, **empty) if isinstance(event.data, Lineage) else event.data
            for event in log
            if not isinstance(event.data, MorphologyCausalLogPayload)
        ]

    silent = played({**AUDITED, "causal_log": False}, PRUNED_EARLY)
    told = played(AUDITED, PRUNED_EARLY)

    assert not links(silent)
    assert plain(told) == plain(silent)
    assert [event.event_id[-12:] for event in told] == [f"{place:012d}" for place in range(1, len(told) + 1)]


def test_every_epoch_is_profiled_between_its_decisions_and_the_next_epoch() -> None:
    log: list[TelemetryEvent] = []
    world = small_world({"phase_profile": True, "max_epochs": 3}, envs=2, log=log)
    play_rounds(world, controller_named("wait", world.nursery), name="wait", rounds=2)

    kinds = [kind_of(event) for event in log]
    reports = [event.data for event in log if isinstance(event.data, PhaseProfileReport)]
    assert [(report.batch_idx, report.epoch) for report in reports] == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]
    assert all(tuple(report.phases) == PHASES for report in reports)
    assert all(phase.wall_ms >= 0.0 for report in reports for phase in report.phases.values())
    assert reports[0].phases["train"].wall_ms > 0.0
    for place, kind in enumerate(kinds):
        if kind == "PHASE_PROFILE_COMPLETED":
            assert kinds[place - 1] in ("last_action", "EPISODE_OUTCOME")
            assert kinds[place + 1] in ("EPOCH_COMPLETED", "ANALYTICS_SNAPSHOT")
    assert not any(kind == "PHASE_PROFILE_COMPLETED" for kind in kinds[kinds.index("BATCH_EPOCH_COMPLETED") :][:2])


def test_a_mechanical_change_is_told_as_such() -> None:
    log = played({**AUDITED, "max_epochs": 6, "auto_forward_g1": True}, PRUNED_EARLY[:1])

    changes = [event.data for event in log if isinstance(event.data, SeedStageChangedPayload)]
    assert [(change.to_stage, change.morphology_mutation_id) for change in changes] == [
        ("TRAINING", "r0_env0_t1_r0c1.mutation")
    ]
    assert [link.operation for link in links(log) if link.phase == "mutation"] == ["GERMINATE", "MECHANICAL"]


COUNTERS = {
    "allocated_bytes.all.current": 600,
    "reserved_bytes.all.current": 1000,
    "num_alloc_retries": 2,
    "num_ooms": 1,
}


def test_the_allocator_is_told_in_bytes_and_the_processor_has_none() -> None:
    memory = DeviceMemory(device="cuda:0", counters=COUNTERS, free_bytes=10, total_bytes=2000)

    stats = allocator_stats(memory, 3)

    assert (stats.batch_idx, stats.fragmentation_bytes, stats.num_alloc_retries, stats.num_ooms) == (3, 400, 2, 1)
    assert read_memory("cpu") is None


def test_short_memory_is_warned_of_once_a_minute() -> None:
    now = 0.0
    watch = MemoryWatch(clock=lambda: now)
    full = DeviceMemory(device="cuda:0", counters=COUNTERS, free_bytes=100, total_bytes=1000)

    first, second = watch.look(full), watch.look(full)
    now = 60.0
    third = watch.look(full)

    assert first is not None
    assert first.gpu_utilization == pytest.approx(0.9)
    assert second is None
    assert third is not None
    assert watch.look(replace(full, free_bytes=150)) is None


def ended(round_index: int, *accuracies: float) -> RoundEnd:
    return RoundEnd(
        round_index=round_index,
        epochs=1,
        episodes=tuple(
            EpisodeEnd(
                env_id=env_id,
                final_accuracy=accuracy,
                control_accuracy=None,
                episode_reward=0.0,
                planted=0,
                fossilized=0,
                rollbacks=0,
                unattributed_rollbacks=0,
                reward_summary=RewardSummaryAccumulator(),
            )
            for env_id, accuracy in enumerate(accuracies)
        ),
    )


def test_an_env_that_falls_a_tenth_below_its_average_is_told_after_a_tenth_of_the_run() -> None:
    watch = DeclineWatch()

    early = [watch.look(ended(place, 80.0, 50.0), batch=place + 1, rounds=20) for place in range(2)]
    found = watch.look(ended(2, 72.0, 45.1), batch=3, rounds=20)

    assert early == [(), ()]
    assert [(one.env_id, one.rolling_avg_acc, one.drop_percent) for one in found] == [(0, 80.0, 10.0)]
