"""The state of an env outside its tensors, as plain values that can be stored and taken up again."""

from dataclasses import dataclass
from typing import Final

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.alpha import AlphaMode
from diorama.worlds.morphogenesis.contracts.governor import GovernorReport
from diorama.worlds.morphogenesis.contracts.stages import ATTACHED_STAGES, SeedStage
from diorama.worlds.morphogenesis.contributions.coalitions import CoalitionTable
from diorama.worlds.morphogenesis.contributions.ledger import InteractionLedger
from diorama.worlds.morphogenesis.controller.planting import PlantingMemory
from diorama.worlds.morphogenesis.controller.signals import SignalTracker
from diorama.worlds.morphogenesis.engine.env import AlphaInForce, Env, EpisodeCounts, EpochReading
from diorama.worlds.morphogenesis.hosting.seed_bed import SeedBed
from diorama.worlds.morphogenesis.hosting.seed_state import SeedState
from diorama.worlds.morphogenesis.rewards.hindsight import Boost
from diorama.worlds.morphogenesis.rewards.suspicion import Pattern, SuspicionWatch
from diorama.worlds.morphogenesis.rewards.types import FossilizedSeedDripState

_GROWN: Final = (SeedStage.GERMINATED, SeedStage.TRAINING, SeedStage.BLENDING, SeedStage.HOLDING, SeedStage.FOSSILIZED)


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvMemo:
    """Everything an env remembers; lists of tuples stand for maps with keys that are no text."""

    seeds: list[SeedState]
    births: list[int]
    seeds_created: int
    snapshot_requested: bool
    loss_window: list[float]
    consecutive_panics: int
    panic: GovernorReport | None
    rollbacks: int
    tracker: SignalTracker
    planting: PlantingMemory
    counts: EpisodeCounts
    readings: list[EpochReading]
    raw_rewards: list[float]
    segment_steps: int
    episode_reward: float
    previous_succeeded: bool
    previous_op: LifecycleOp
    alphas: AlphaInForce
    alphas_before: AlphaInForce
    escrow: dict[str, float]
    drips: list[FossilizedSeedDripState]
    pending: dict[str, float]
    contributing: list[str]
    ledger: list[tuple[str, str, float, int]]
    suspicions: list[tuple[str, Pattern, int]]
    table_slots: list[str] | None
    table_permanent: list[str]
    table_rows: list[tuple[list[str], float]]


def note_env(env: Env) -> EnvMemo:
    """Return what an env remembers; the parts are the env's own, so write them down before it goes on."""
    memory, table, growth = env.memory, env.table, env.growth
    return EnvMemo(
        seeds=list(growth.states()),
        births=[slot.births for slot in growth.slots],
        seeds_created=growth.seeds_created,
        snapshot_requested=growth.snapshot_requested,
        loss_window=list(env.governor.vital_signs.losses),
        consecutive_panics=env.governor.vital_signs.consecutive_panics,
        panic=env.governor.report,
        rollbacks=env.governor.rollbacks,
        tracker=env.tracker,
        planting=env.planting,
        counts=env.counts,
        readings=env.readings,
        raw_rewards=env.raw_rewards,
        segment_steps=env.segment_steps,
        episode_reward=env.episode_reward,
        previous_succeeded=env.previous_succeeded,
        previous_op=env.previous_op,
        alphas=env.alphas,
        alphas_before=env.alphas_before,
        escrow=memory.escrow,
        drips=list(memory.drips),
        pending=memory.pending,
        contributing=sorted(memory.contributing),
        ledger=[(source, target, *boost) for (source, target), boost in sorted(memory.ledger.entries.items())],
        suspicions=[(*key, epoch) for key, epoch in sorted(memory.watch.last_told.items())],
        table_slots=None if table is None else list(table.slot_ids),
        table_permanent=[] if table is None else sorted(table.permanent),
        table_rows=[]
        if table is None
        else [(sorted(coalition), accuracy) for coalition, accuracy in table.accuracies.items()],
    )


def take_up(env: Env, memo: EnvMemo, bed: SeedBed) -> None:
    """Put an env into the state of a memo and plant its seeds anew; their tensors are still to be read."""
    for slot in env.growth.slots:
        if slot.state is not None and slot.state.stage in ATTACHED_STAGES:
            bed.detach(slot.slot_id)
    growth, memory = env.growth, env.memory
    for slot, births in zip(growth.slots, memo.births, strict=True):
        slot.state, slot.births = None, births
    for state in memo.seeds:
        growth.slot(state.slot_id).state = state
        if state.stage in ATTACHED_STAGES:
            _plant(bed, state, growth.slot(state.slot_id).births - 1)
    growth.seeds_created, growth.snapshot_requested = memo.seeds_created, memo.snapshot_requested
    signs = env.governor.vital_signs
    signs.reset()
    signs.losses.extend(memo.loss_window)
    signs.consecutive_panics = memo.consecutive_panics
    env.governor.report, env.governor.rollbacks = memo.panic, memo.rollbacks
    env.tracker = memo.tracker
    env.planting = memo.planting
    env.counts, env.readings, env.raw_rewards = memo.counts, memo.readings, memo.raw_rewards
    env.segment_steps, env.record.env_total_reward = memo.segment_steps, memo.episode_reward
    env.previous_succeeded, env.previous_op = memo.previous_succeeded, memo.previous_op
    env.alphas, env.alphas_before = memo.alphas, memo.alphas_before
    memory.escrow, memory.drips, memory.pending = memo.escrow, tuple(memo.drips), memo.pending
    memory.contributing = set(memo.contributing)
    memory.ledger = InteractionLedger({(source, to): Boost(boost, epoch) for source, to, boost, epoch in memo.ledger})
    memory.watch = SuspicionWatch({(seed_id, pattern): epoch for seed_id, pattern, epoch in memo.suspicions})
    env.table = _table_of(memo)


def _plant(bed: SeedBed, state: SeedState, birth: int) -> None:
    bed.plant(state.slot_id, state.blueprint, state.style.traits.operator, birth)
    # Every stage on the way is told: one of them creates the gate, the last one changes the optimizer.
    for stage in _GROWN[: _GROWN.index(state.stage) + 1]:
        bed.set_stage(state.slot_id, stage)
    bed.set_alpha(state.slot_id, state.alpha.alpha, frozen=state.alpha.alpha_mode is AlphaMode.DOWN)


def _table_of(memo: EnvMemo) -> CoalitionTable | None:
    if memo.table_slots is None:
        return None
    return CoalitionTable(
        slot_ids=tuple(memo.table_slots),
        permanent=frozenset(memo.table_permanent),
        accuracies={frozenset(slots): accuracy for slots, accuracy in memo.table_rows},
    )
