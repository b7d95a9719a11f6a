"""The end of a round: the tail of its events in their fixed order, and its line in the history."""

from dataclasses import dataclass
from statistics import fmean
from typing import Final

from diorama.worlds.morphogenesis.audit.memory import allocator_stats, read_memory
from diorama.worlds.morphogenesis.contracts.errors import WorldStateError
from diorama.worlds.morphogenesis.contracts.events import TelemetryEventType
from diorama.worlds.morphogenesis.contracts.outcomes import TopologyManifest
from diorama.worlds.morphogenesis.contracts.payloads.analysis import BatchStatsSnapshot
from diorama.worlds.morphogenesis.contracts.payloads.health import AnomalyDetectedPayload
from diorama.worlds.morphogenesis.contracts.payloads.policy import PPOMetrics
from diorama.worlds.morphogenesis.contracts.payloads.training import BatchEpochCompletedPayload
from diorama.worlds.morphogenesis.engine.round_end import RoundEnd
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.rounds.history import RoundHistory
from diorama.worlds.morphogenesis.rounds.tally import ActionTally
from diorama.worlds.morphogenesis.vectorized_types import BatchSummary, EpisodeRecord

SHORTEST_S: Final = 1e-9
Anomaly = tuple[TelemetryEventType, AnomalyDetectedPayload]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFacts:
    """What the end of a round is told from, beside the envs themselves.

    Attributes:
        batch: Round, counted from 1.
        tally: What was decided.
        wall_s: Time the epochs of the round took.
        requested_episodes: Env-episodes the whole run will have.
        ppo: What the policy's update says; None where nothing was updated.
        anomalies: What looked wrong in it.
        manifests: Topologies to keep with the round.
    """

    batch: int
    tally: ActionTally
    wall_s: float
    requested_episodes: int
    ppo: PPOMetrics | None = None
    anomalies: tuple[Anomaly, ...] = ()
    manifests: tuple[TopologyManifest, ...] = ()


def close_round(world: MorphogenesisWorld, history: RoundHistory, facts: RoundFacts) -> BatchSummary:
    """Tell the tail of the last round in its order, and append it to the history.

    What the next round has told already waits until that round is stepped: at the end of a run it never is.

    Raises:
        WorldStateError: No round has ended yet.
    """
    ended, emit = world.last_round, world.nursery.events.emit
    if ended is None:
        raise WorldStateError("no round has ended yet; there is nothing to close")
    average, episodes = ended.mean_accuracy, history.episodes + len(ended.episodes)
    rolling = history.rolling_with(average)
    _tell_health(world, history, facts, ended)
    for kind, anomaly in facts.anomalies:
        emit(kind, anomaly, severity="warning")
    if facts.ppo is not None:
        emit(TelemetryEventType.PPO_UPDATE_COMPLETED, facts.ppo)
    emit(TelemetryEventType.ANALYTICS_SNAPSHOT, _batch_stats(world, ended, facts, episodes))
    trend = history.trend(rolling, batch=facts.batch, episodes=episodes)
    if trend is not None:
        emit(*trend)
    emit(
        TelemetryEventType.BATCH_EPOCH_COMPLETED,
        BatchEpochCompletedPayload(
            episodes_completed=episodes,
            batch_idx=facts.batch,
            avg_accuracy=average,
            avg_reward=fmean(episode.episode_reward for episode in ended.episodes),
            total_episodes=facts.requested_episodes,
            n_envs=len(ended.episodes),
            requested_episodes=facts.requested_episodes,
            rolling_accuracy=rolling,
            env_accuracies=tuple(episode.final_accuracy for episode in ended.episodes),
        ),
    )
    emit(TelemetryEventType.ANALYTICS_SNAPSHOT, facts.tally.snapshot(facts.batch))
    summary = BatchSummary(
        batch=facts.batch,
        episodes=episodes,
        avg_accuracy=average,
        rolling_avg_accuracy=rolling,
        ppo_metrics=facts.ppo,
        reward_summary=[episode.reward_summary for episode in ended.episodes],
        episode_history=[
            EpisodeRecord(
                env_id=episode.env_id, episode_reward=episode.episode_reward, final_accuracy=episode.final_accuracy
            )
            for episode in ended.episodes
        ],
        topology_manifests=list(facts.manifests),
    )
    history.append(summary)
    return summary


def _tell_health(world: MorphogenesisWorld, history: RoundHistory, facts: RoundFacts, ended: RoundEnd) -> None:
    nursery, emit = world.nursery, world.nursery.events.emit
    memory = read_memory(nursery.device)
    if memory is not None:
        if nursery.config.allocator_stats:
            emit(TelemetryEventType.ALLOCATOR_STATS, allocator_stats(memory, facts.batch))
        warning = history.memory.look(memory)
        if warning is not None:
            emit(TelemetryEventType.MEMORY_WARNING, warning, severity="warning")
    rounds = facts.requested_episodes // max(1, len(ended.episodes))
    for decline in history.declines.look(ended, batch=facts.batch, rounds=rounds):
        emit(TelemetryEventType.PERFORMANCE_DEGRADATION, decline, severity="warning")


def _batch_stats(world: MorphogenesisWorld, ended: RoundEnd, facts: RoundFacts, episodes: int) -> BatchStatsSnapshot:
    nursery, ppo = world.nursery, facts.ppo
    seconds = max(facts.wall_s, SHORTEST_S)
    planted = sum(episode.planted for episode in ended.episodes)
    permanent = sum(episode.fossilized for episode in ended.episodes)
    return BatchStatsSnapshot(
        batch=facts.batch,
        episodes_completed=episodes,
        inner_epoch=ended.epochs,
        accuracy=ended.mean_accuracy,
        host_accuracy=ended.mean_control,
        entropy=None if ppo is None else ppo.entropy,
        kl_divergence=None if ppo is None else ppo.kl_divergence,
        explained_variance=None if ppo is None else ppo.explained_variance,
        value_estimate=None if ppo is None else ppo.value_mean,
        seeds_created=planted,
        seeds_fossilized=permanent,
        skipped_update=ppo is not None and ppo.update_skipped,
        rollback_attempt_count=sum(episode.rollbacks for episode in ended.episodes),
        rollback_unattributed_count=sum(episode.unattributed_rollbacks for episode in ended.episodes),
        fps=nursery.samples_per_epoch * nursery.layout.rows * ended.epochs / seconds,
        step_time_ms=1000.0 * seconds / max(ended.epochs, 1),
        dataloader_wait_ms=0.0,
        summary=f"round {facts.batch}: {ended.mean_accuracy:.1f}%, {planted} planted, {permanent} permanent",
    )
