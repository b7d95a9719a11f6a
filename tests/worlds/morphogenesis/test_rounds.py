"""Whole rounds under controllers: the tail of events, the history, the cohorts, and what growth is worth."""

from statistics import mean

import numpy as np
import pytest

from diorama.contracts.buffers import Buffers
from diorama.contracts.errors import UnknownName
from diorama.worlds.morphogenesis.comparison.bootstrap import bootstrap_interval
from diorama.worlds.morphogenesis.comparison.groups import Cohort
from diorama.worlds.morphogenesis.comparison.verdict import VerdictState
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contract import describe
from diorama.worlds.morphogenesis.contracts.actions import PLACEHOLDERS
from diorama.worlds.morphogenesis.contracts.events import TelemetryEvent, TelemetryEventType
from diorama.worlds.morphogenesis.contracts.payloads.analysis import (
    ActionDistributionSnapshot,
    BatchStatsSnapshot,
    EpisodeOutcomePayload,
    HeuristicEpisodeSnapshot,
)
from diorama.worlds.morphogenesis.contracts.payloads.health import AnomalyDetectedPayload
from diorama.worlds.morphogenesis.contracts.payloads.policy import PPOMetrics
from diorama.worlds.morphogenesis.engine.reference import ReferenceEngine
from diorama.worlds.morphogenesis.engine.shared_run import RunParts, SharedRun
from diorama.worlds.morphogenesis.engine.stacked import StackedEngine
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.rounds.closing import RoundFacts, close_round
from diorama.worlds.morphogenesis.rounds.cohorts import CohortPlan, run_cohorts
from diorama.worlds.morphogenesis.rounds.controllers import CONTROLLER_NAMES, controller_named
from diorama.worlds.morphogenesis.rounds.history import RoundHistory
from diorama.worlds.morphogenesis.rounds.running import play_rounds
from diorama.worlds.morphogenesis.rounds.tally import ActionTally
from diorama.worlds.morphogenesis.streams import generator
from tests.worlds.morphogenesis.small_worlds import SMALL, small_world

ROUND_TAIL = ["batch_stats", "BATCH_EPOCH_COMPLETED", "action_distribution"]


def snapshot_kind(event: TelemetryEvent) -> str:
    if isinstance(event.data, BatchStatsSnapshot | ActionDistributionSnapshot | HeuristicEpisodeSnapshot):
        return event.data.kind
    return event.event_type.name


def test_a_round_ends_with_its_tail_in_order_and_a_line_in_the_history() -> None:
    log: list[TelemetryEvent] = []
    world = small_world({"max_epochs": 3}, envs=2, log=log)

    run = play_rounds(world, controller_named("random", world.nursery), name="random", rounds=2)

    kinds = [snapshot_kind(event) for event in log]
    assert kinds[0] == "TRAINING_STARTED"
    assert kinds.count("TRAINING_STARTED") == 1
    tail = [kind for kind in kinds[kinds.index("heuristic_episode") :] if kind in ROUND_TAIL]
    assert tail == [*ROUND_TAIL, *ROUND_TAIL]
    assert kinds[-2:] == ["BATCH_EPOCH_COMPLETED", "action_distribution"]
    assert [line["batch"] for line in run.history.lines] == [1, 2]
    assert run.history.lines[1]["episodes"] == 4
    assert sum(run.tally.action_counts.values()) == 2 * 2 * 3
    done = {op: run.tally.successes[op] + run.tally.failures[op] for op in run.tally.action_counts}
    assert done == run.tally.action_counts


UPDATE = PPOMetrics(
    policy_loss=0.0,
    value_loss=0.0,
    entropy=1.0,
    entropy_loss=0.0,
    grad_norm=0.0,
    pre_clip_grad_norm=0.0,
    kl_divergence=0.0,
    clip_fraction=0.0,
    clip_fraction_positive=0.0,
    clip_fraction_negative=0.0,
    lr=3e-4,
    entropy_coef=0.05,
    aux_loss=0.0,
    explained_variance=-1.0,
)
COLLAPSE = AnomalyDetectedPayload(
    anomaly_type="value_collapse", episode=1, batch=1, inner_epoch=2, total_episodes=1, detail="explained_variance"
)


def test_the_next_round_is_told_only_once_it_is_played() -> None:
    log: list[TelemetryEvent] = []
    parts = RunParts(
        config=MorphogenesisConfig.model_validate({**SMALL, "max_epochs": 2}),
        make_engine=ReferenceEngine,
        sinks=(log.append,),
    )
    run = SharedRun(parts, copies=1, root_key=5)
    buffers = Buffers.allocate(describe(parts.config), 1)
    run.open_round(buffers)
    for _ in range(2):
        run.step(np.array([PLACEHOLDERS], np.int32), buffers)
    facts = RoundFacts(
        batch=1,
        tally=ActionTally(),
        wall_s=1.0,
        requested_episodes=1,
        ppo=UPDATE,
        anomalies=((TelemetryEventType.VALUE_COLLAPSE_DETECTED, COLLAPSE),),
    )

    summary = close_round(run.world, RoundHistory(), facts)

    # The next round stands open, and nothing of it is told: at the end of a run nobody plays it.
    closed = len(log)
    assert [snapshot_kind(event) for event in log[-6:]] == [
        "EPISODE_OUTCOME",
        "VALUE_COLLAPSE_DETECTED",
        "PPO_UPDATE_COMPLETED",
        "batch_stats",
        "BATCH_EPOCH_COMPLETED",
        "action_distribution",
    ]
    outcome = log[-6].data
    run.step(np.array([PLACEHOLDERS], np.int32), buffers)
    assert snapshot_kind(log[closed]) == "EPOCH_COMPLETED"
    assert [event.event_id for event in log] == sorted(event.event_id for event in log)
    assert isinstance(outcome, EpisodeOutcomePayload)
    assert summary.avg_accuracy == outcome.final_accuracy


def test_every_controller_by_name_plays_a_round() -> None:
    for name in CONTROLLER_NAMES:
        world = small_world({"max_epochs": 2})
        assert play_rounds(world, controller_named(name, world.nursery), name=name, rounds=1).episodes
    with pytest.raises(UnknownName, match="rules"):
        controller_named("oracle", small_world({"max_epochs": 1}).nursery)


def test_hosts_with_slots_that_wait_equal_hosts_without_and_topologies_are_replayed() -> None:
    config = MorphogenesisConfig.model_validate({**SMALL, "max_epochs": 12})
    told: list[TelemetryEvent] = []
    plan = CohortPlan(config=config, make_engine=ReferenceEngine, envs=2, root_key=3, rounds=1, sinks=(told.append,))

    report = run_cohorts(plan)

    off, initial = (report.cohorts[cohort] for cohort in (Cohort.OFF_SWITCH, Cohort.STATIC_INITIAL))
    assert [episode.final_accuracy for episode in off] == [episode.final_accuracy for episode in initial]
    assert report.manifests_match
    assert all(episode.num_fossilized == 1 for episode in report.cohorts[Cohort.STATIC_FINAL])
    assert report.verdict.state is VerdictState.INCONCLUSIVE
    assert sum(event.event_type.name == "TOPOLOGY_MANIFEST_RECORDED" for event in told) == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("controller", "task", "envs", "least_pp"),
    [
        pytest.param("rules", "digits", 8, 15.0, id="rules"),
        pytest.param("grow_three", "digits", 8, 40.0, id="grow-three"),
        pytest.param("rules", "shapes", 5, 5.0, id="rules-on-shapes"),
    ],
)
def test_growth_beats_the_control_twin(controller: str, task: str, envs: int, least_pp: float) -> None:
    config = MorphogenesisConfig.model_validate({"task": task, "init_groups": envs})
    world = MorphogenesisWorld.build(config, StackedEngine, envs=envs, root_key=42)

    run = play_rounds(world, controller_named(controller, world.nursery), name=controller, rounds=1)

    gains = [episode.late_gain for episode in run.episodes if episode.late_gain is not None]
    interval = bootstrap_interval(gains, generator(0))
    assert len(gains) == envs
    assert mean(gains) >= least_pp, f"{controller}: {gains}"
    assert interval.low > 0.0, f"{controller}: {gains}"
