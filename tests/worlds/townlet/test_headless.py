import statistics

import pytest

from diorama.contracts.live.kpis import Band
from diorama.worlds.townlet.affordance_timings import AffordanceTimings
from diorama.worlds.townlet.config import TownletConfig
from diorama.worlds.townlet.headless import run_headless
from diorama.worlds.townlet.kpi_targets import KPI_TARGETS
from diorama.worlds.townlet.reference.state.kpis import RewardBreakdown
from diorama.worlds.townlet.reward_statistics import RewardStatistics
from diorama.worlds.townlet.scenarios.model import TimelineEntry
from tests.worlds.townlet.towns import config_of, put_at, tables_of, tick, town_of

QUIET = {"perturbations": {"enabled": False}, "affordances": {"instrumentation": "timings"}}


def test_a_town_that_lives_on_its_own_is_reported() -> None:
    config = config_of(QUIET)
    told: list[None] = []

    report = run_headless(
        config,
        tables_of(config),
        ticks=120,
        seed=4,
        commands=[
            TimelineEntry(tick=10, name="price", args=["meal_cost", 0.3]),
            TimelineEntry(tick=11, name="kill", args=["nobody"]),
        ],
        advance=lambda: told.append(None),
    )

    assert len(told) == report.ticks == 120
    assert (report.seed, len(report.citizens), len(report.days)) == (4, 8, 1)
    assert report.effective_id == tables_of(config).effective_id
    assert report.events["economy_price_update"] == 1
    assert len(report.surprises) == 1
    assert report.rewards.count == 8 * 120
    assert sum(citizen.episode_reward for citizen in report.citizens) == pytest.approx(report.rewards.mean * 960)
    assert report.timings is not None
    slept = report.timings.by_id["rest_sleep"]
    assert slept.starts == slept.finishes == 8
    assert slept.busy == 8 * 60
    again = run_headless(TownletConfig.model_validate(QUIET), tables_of(config), ticks=120, seed=4)
    assert again.state_hash != report.state_hash  # nobody changed the price of a meal
    assert again.to_json()["ticks"] == 120


def test_timings_are_kept_only_where_they_are_asked_for() -> None:
    config = config_of({"perturbations": {"enabled": False}})

    assert run_headless(config, tables_of(config), ticks=1).timings is None


def test_waits_and_failures_are_timed() -> None:
    town = town_of(population=2, seed=3)
    timings = AffordanceTimings()
    first, second = town.living()
    put_at(town, first, "shower_1")
    put_at(town, second, "shower_1")
    for citizen in (first, second):
        citizen.is_possessed = True
    for number in range(40):
        first.possessed_primitive = 5 if number == 0 else 0
        second.possessed_primitive = 5 if number in (1, 31) else (9 if number == 35 else 0)
        timings.note(town, tick(town))

    shower = timings.by_id["use_shower"]
    assert (shower.starts, shower.finishes, shower.failures) == (2, 1, 1)
    assert (shower.waited, shower.busy) == (28, 30 + 5)
    assert shower.mean_wait == 14.0


def test_running_statistics_are_those_of_all_rewards() -> None:
    totals = [0.01, -0.2, 0.003, 0.003, -1.2, 0.05]
    rewards = [RewardBreakdown(total=total) for total in totals]
    rewards[1].clipped = True
    rewards[4].clipped = rewards[4].guardrail_active = True
    counted = RewardStatistics()

    counted.note(rewards[:2])
    counted.note(rewards[2:])

    assert counted.mean == pytest.approx(statistics.fmean(totals))
    assert counted.variance == pytest.approx(statistics.pvariance(totals))
    assert (counted.count, counted.reward_clip_events, counted.death_window_events) == (6, 2, 1)
    assert RewardStatistics().variance == 0.0


@pytest.mark.parametrize(
    ("key", "value", "band"),
    [
        ("self_sufficiency", 0.7, Band.GOOD),
        ("self_sufficiency", 0.69, Band.AMBER),
        ("self_sufficiency", 0.49, Band.RED),
        ("starvation_incidents", 0.0, Band.GOOD),
        ("starvation_incidents", 1.0, Band.AMBER),
        ("starvation_incidents", 2.0, Band.RED),
        ("lateness", 0.15, Band.GOOD),
        ("lateness", 0.31, Band.RED),
        ("exits_per_day", 1.0, Band.GOOD),
        ("exits_per_day", 2.0, Band.AMBER),
        ("exits_per_day", 3.0, Band.RED),
    ],
)
def test_numbers_are_judged_by_their_bounds(key: str, value: float, band: Band) -> None:
    (target,) = [target for target in KPI_TARGETS if target.key == key]

    assert target.band(value) is band
