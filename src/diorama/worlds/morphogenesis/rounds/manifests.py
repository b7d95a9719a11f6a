"""What a host has grown into, written down, and hosts that begin with it."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Final

from diorama.contracts.values import canonical_json
from diorama.worlds.morphogenesis.contracts.actions import GerminationStyle
from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.outcomes import TopologyManifest, TopologySlot
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.engine.nursery import Nursery
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.hosting.slot import SeedOrder

STYLES: Final[dict[AlphaAlgorithm, GerminationStyle]] = {
    AlphaAlgorithm.ADD: GerminationStyle.LINEAR_ADD,
    AlphaAlgorithm.MULTIPLY: GerminationStyle.LINEAR_MULTIPLY,
    AlphaAlgorithm.GATE: GerminationStyle.GATED_GATE,
}
"""A style for each operator: the ramps of a style do not matter to a seed that is permanent."""


def manifest_of(nursery: Nursery, env: Env) -> TopologyManifest:
    """Write down the permanent seeds of an env."""
    return TopologyManifest(
        task=nursery.task.name,
        host_topology=nursery.task.topology,
        slot_config_hash=sha256(canonical_json(list(nursery.slots.slot_ids)).encode()).hexdigest(),
        slots=tuple(
            TopologySlot(
                slot_id=state.slot_id,
                blueprint_id=state.blueprint.blueprint_id,
                operator=int(state.style.traits.operator),
                gate_present=state.style.traits.operator is AlphaAlgorithm.GATE,
                alpha=state.alpha.alpha,
                stage=int(state.stage),
                parameters=state.metrics.seed_param_count,
            )
            for state in env.growth.states()
            if state.stage is SeedStage.FOSSILIZED
        ),
    )


def begin_with(manifests: Mapping[tuple[int, int], TopologyManifest]) -> Callable[[MorphogenesisWorld], None]:
    """Return what gives each env the seeds of its manifest, by round and env, with fresh weights and permanent."""

    def prepare(world: MorphogenesisWorld) -> None:
        for env in world.envs:
            for place, slot in enumerate(manifests[world.nursery.round_index, env.env_id].slots):
                order = SeedOrder(
                    blueprint=BlueprintAction[slot.blueprint_id.upper()],
                    style=STYLES[AlphaAlgorithm(slot.operator)],
                    tempo_epochs=0,
                )
                seed_id = f"r{world.nursery.round_index}_env{env.env_id}_seed{place}"
                env.growth.slot(slot.slot_id).begin_permanent(order, seed_id)
            # The snapshot of the round's start was taken of a host without them.
            world.nursery.engine.snapshot(env.row)

    return prepare
