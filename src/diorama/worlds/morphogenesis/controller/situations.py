"""What a mask needs to know of a slot at decision time, and nothing else."""

from dataclasses import dataclass

from diorama.worlds.morphogenesis.contracts.actions import GerminationStyle
from diorama.worlds.morphogenesis.contracts.alpha import AlphaMode
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.hosting.gates import GATE_OF_STAGE
from diorama.worlds.morphogenesis.hosting.growth import Growth
from diorama.worlds.morphogenesis.hosting.slot import SeedSlot


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotSituation:
    """A slot that is not empty, after the clock has ticked.

    `gate_refusal` is what the gate out of this stage would say now; empty where it would let the seed pass.
    """

    stage: SeedStage
    epochs_total: int = 0
    alpha_mode: AlphaMode = AlphaMode.HOLD
    style: GerminationStyle = GerminationStyle.LINEAR_ADD
    gate_refusal: str = ""


def situation_of(slot: SeedSlot) -> SlotSituation | None:
    """Return the situation of a slot, none where it is empty; the gate is asked without a word to anyone."""
    state = slot.state
    if state is None:
        return None
    gate = GATE_OF_STAGE.get(state.stage)
    return SlotSituation(
        stage=state.stage,
        epochs_total=state.metrics.epochs_total,
        alpha_mode=state.alpha.alpha_mode,
        style=state.style,
        gate_refusal="" if gate is None else slot.check(gate).message,
    )


def situations_of(growth: Growth) -> dict[str, SlotSituation | None]:
    """Return the situation of every enabled slot by its id."""
    return {slot.slot_id: situation_of(slot) for slot in growth.slots}
