from collections.abc import Callable, Mapping
from typing import Any

import pytest

from diorama.contracts.live.events import LiveEvent, Priority
from diorama.contracts.live.stability import Analyzer, TickRecord
from diorama.worlds.townlet.config.services.learning import Stability
from diorama.worlds.townlet.live.analyzers import CANARIES, town_analyzers
from tests.worlds.townlet.live.live_towns import LIVELY, quiet, watched

Facts = Mapping[str, Any]


def events(name: str, count: int, **fields: Any) -> tuple[LiveEvent, ...]:
    return (LiveEvent(name=name, tick=0, priority=Priority.P1, fields=fields),) * count


def record(
    tick: int,
    facts: Facts | None = None,
    told: tuple[LiveEvent, ...] = (),
    rewards: Mapping[int, float] | None = None,
) -> TickRecord:
    return TickRecord(tick=tick, rewards=rewards or {}, exits={}, events=told, facts=facts or {}, transport={})


def named(name: str, **rules: Any) -> Analyzer:
    return next(analyzer for analyzer in town_analyzers(Stability.model_validate(rules)) if analyzer.name == name)


BAD: Mapping[str, tuple[int, Callable[[int], TickRecord], int]] = {
    # name: ticks of trouble, the trouble, ticks of peace until it is over
    "starvation_spike": (30, lambda tick: record(tick, {"hunger": {"0": 0.01, "1": 0.8}}), 1000),
    "reward_variance_spike": (20, lambda tick: record(tick, rewards={0: 1.0 if tick % 2 else -1.0}), 1000),
    "option_thrash_detected": (10, lambda tick: record(tick, {"option_starts": 1, "premature_switches": 1}), 600),
    "lateness_spike": (4, lambda tick: record(tick, told=events("job_late", 1)), 1000),
    "affordance_failures_exceeded": (1, lambda tick: record(tick, told=events("affordance_fail", 6)), 1),
    "queue_fairness_pressure": (3, lambda tick: record(tick, {"ghost_steps": 1, "rotations": 1}), 50),
    "rivalry_spike": (
        5,
        lambda tick: record(tick, {"avoid_threshold": 0.7}, events("queue_conflict", 1, intensity=0.7)),
        50,
    ),
    "embedding_reuse_warning": (
        1,
        lambda tick: record(tick, {"embedding_reuse_rate": 0.06, "embedding_reuse_limit": 0.05}),
        1,
    ),
    "employment_exit_queue_overflow": (
        1,
        lambda tick: record(
            tick, {"exit_queue": 2, "exit_queue_limit": 2}, events("employment_exit_queue_overflow", 1)
        ),
        1,
    ),
    "employment_exit_backlog": (200, lambda tick: record(tick, {"exit_queue": 1}), 1),
    "perturbation_unfair": (1, lambda tick: record(tick, {"selections": [10, 0, 0, 0]}), 1),
}
PEACE: Facts = {"hunger": {"0": 0.8}, "exit_queue_limit": 2, "embedding_reuse_limit": 0.05}


def test_every_alert_of_the_town_is_known_here() -> None:
    assert {analyzer.name for analyzer in town_analyzers(Stability())} == set(BAD)
    assert set(BAD) > CANARIES


@pytest.mark.parametrize("name", BAD)
def test_an_alert_is_raised_by_the_last_drop_and_clears_again(name: str) -> None:
    analyzer, (ticks, trouble, peace) = named(name), BAD[name]
    alarms = []

    for tick in range(ticks + peace):
        analyzer.ingest(trouble(tick) if tick < ticks else record(tick, PEACE))
        alarms.append(analyzer.alert() is not None)

    assert not any(alarms[: ticks - 1])
    assert alarms[ticks - 1]
    assert not alarms[-1]


@pytest.mark.parametrize("name", BAD)
def test_an_alert_survives_a_snapshot(name: str) -> None:
    before, after, (ticks, trouble, _) = named(name), named(name), BAD[name]
    for tick in range(ticks):
        if tick == ticks // 2:
            after.load(before.export())
        before.ingest(trouble(tick))
        if tick >= ticks // 2:
            after.ingest(trouble(tick))

    assert after.alert() == before.alert()
    assert after.metrics() == before.metrics()
    with pytest.raises(ValueError, match=r".+"):
        after.load("something else")


def test_a_streak_of_hunger_counts_once() -> None:
    analyzer = named("starvation_spike")

    for tick in range(100):
        analyzer.ingest(record(tick, {"hunger": {"0": 0.01}}))

    assert analyzer.metrics()["value"] == 1.0


def test_a_milder_conflict_is_no_spike() -> None:
    analyzer = named("rivalry_spike")

    for tick in range(20):
        analyzer.ingest(record(tick, {"avoid_threshold": 0.7}, events("queue_conflict", 1, intensity=0.69)))

    assert analyzer.alert() is None


def test_thresholds_follow_what_a_tick_is_told_with() -> None:
    analyzer = named("affordance_failures_exceeded")
    strict = Stability(affordance_fail_threshold=0).model_dump(mode="json")

    analyzer.ingest(record(0, {}, events("affordance_fail", 1)))
    before = analyzer.alert()
    analyzer.ingest(record(1, {"stability": strict}, events("affordance_fail", 1)))

    assert before is None
    assert analyzer.alert() is not None


def test_a_starving_town_alarms_its_canary() -> None:
    live = quiet({"lifecycle": {"collapse": {"ticks": 100}}})
    for citizen in ("citizen_000", "citizen_001"):
        live.command("setneed", citizen, "hunger", 0.0)
        live.command("possess", citizen, "acquire")
    analyzer = named("starvation_spike")

    for told in live.run(35).records:
        analyzer.ingest(told)

    alert = analyzer.alert()
    assert alert is not None
    assert alert.value == 2.0


def test_an_ordinary_town_alarms_nobody() -> None:
    live = watched(LIVELY).run(200)
    analyzers = town_analyzers(Stability())

    for told in live.records:
        for analyzer in analyzers:
            analyzer.ingest(told)

    assert [analyzer.name for analyzer in analyzers if analyzer.alert() is not None] == []
