"""The chain from an observation to a change of the network: its ids, and what it draws from."""

import hashlib
from dataclasses import dataclass
from typing import Final

import numpy as np

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.governor import LifecycleMutationCausalContext
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.controller.features import observation_width
from diorama.worlds.morphogenesis.controller.observation import write_observations
from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.engine.nursery import Nursery

HASH_DIGITS: Final = 16
NO_STREAM: Final = "none"
MECHANICAL: Final = "MECHANICAL"
"""The operation of a change that nobody ordered: a ramp that ended, a slot that cools down."""
ROLLBACK: Final = "ROLLBACK"
"""The operation of a change that the governor makes instead of a decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenBefore:
    """An env at the moment of decision: what the policy saw of it, and the losses its governor judged by."""

    observation_hash: str
    losses: tuple[float, ...]
    has_panicked: bool


def look(nursery: Nursery, env: Env) -> SeenBefore:
    """Look at an env before its decision."""
    slot_ids = nursery.slots.slot_ids
    seen = np.zeros((1, observation_width(len(slot_ids))), np.float32)
    report = env.report(round_index=nursery.round_index, epoch=nursery.epoch, max_epochs=nursery.max_epochs)
    write_observations(seen, (report,), slot_ids)
    return SeenBefore(
        observation_hash=hashlib.sha256(seen.tobytes()).hexdigest()[:HASH_DIGITS],
        losses=tuple(env.governor.vital_signs.losses),
        has_panicked=env.governor.report is not None,
    )


def action_id(nursery: Nursery, env: Env, *, epochs_ago: int = 0) -> str:
    """Return the name of a decision; it is the one the governor's pre-flight check uses, too."""
    return f"r{nursery.round_index}_env{env.env_id}_t{nursery.epoch - epochs_ago}"


def chain_of(
    nursery: Nursery, env: Env, seen: SeenBefore, *, slot_id: str, operation: str
) -> LifecycleMutationCausalContext:
    """Return the ids of a chain, which are the same whenever the run is run again."""
    name = action_id(nursery, env)
    own = f"{name}_{slot_id}" if slot_id and operation in (MECHANICAL, ROLLBACK) else name
    stream, key = _stream(nursery, env, slot_id, operation)
    return LifecycleMutationCausalContext(
        action_id=name,
        proposal_id=f"{own}.proposal",
        verdict_id=f"{own}.verdict",
        mutation_id=f"{own}.mutation",
        observation_hash=seen.observation_hash,
        rng_stream=stream,
        rng_seed=key,
        topology=nursery.task.topology,
        slot_id=slot_id,
        operation=operation,
    )


def _stream(nursery: Nursery, env: Env, slot_id: str, operation: str) -> tuple[str, int]:
    """Return the stream an operation takes its weights from; most take none."""
    if not slot_id:
        return NO_STREAM, 0
    slot = env.growth.slot(slot_id)
    place = nursery.slots.index_for_slot_id(slot_id)
    state = slot.state
    if operation == LifecycleOp.GERMINATE.name:
        birth = slot.births if state is None else slot.births - 1
        ids = (nursery.round_index, env.env_id, place, birth)
        return "seed_init", nursery.streams.key("seed_init", *ids)
    opens_gate = (
        state is not None
        and state.style.traits.operator is AlphaAlgorithm.GATE
        and state.stage is SeedStage.BLENDING
        and operation == LifecycleOp.ADVANCE.name
    )
    if opens_gate:
        ids = (nursery.round_index, env.env_id, place, slot.births - 1)
        return "gate_init", nursery.streams.key("gate_init", *ids)
    return NO_STREAM, 0
