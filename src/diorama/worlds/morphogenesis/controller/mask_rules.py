"""Which operation is allowed on which slot: one table, read by masks, decoder and whoever asks for a reason."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.alpha import AlphaMode
from diorama.worlds.morphogenesis.contracts.blueprints import (
    TOPOLOGIES,
    TOPOLOGY_BLUEPRINTS,
    BlueprintAction,
    Topology,
)
from diorama.worlds.morphogenesis.contracts.errors import ConfigError
from diorama.worlds.morphogenesis.contracts.gates import GateLevel
from diorama.worlds.morphogenesis.contracts.slots import parse_slot_id
from diorama.worlds.morphogenesis.contracts.stages import ATTACHED_STAGES, COOLING_STAGES, SeedStage
from diorama.worlds.morphogenesis.controller.situations import SlotSituation

ADVANCE_GATES: Final[dict[SeedStage, GateLevel]] = {
    SeedStage.GERMINATED: GateLevel.G1,
    SeedStage.TRAINING: GateLevel.G2,
    SeedStage.BLENDING: GateLevel.G3,
}
"""The stages ADVANCE leads out of, each with the gate it has to pass."""

ADVANCE_STAGES: Final = frozenset(ADVANCE_GATES)
FOSSILIZE_STAGES: Final = frozenset({SeedStage.HOLDING})
RETARGET_STAGES: Final = frozenset({SeedStage.BLENDING, SeedStage.HOLDING})
PRUNE_STAGES: Final = ATTACHED_STAGES - {SeedStage.FOSSILIZED}
EMPTY: Final = "the slot is empty"
INCUBATING_STAGES: Final = COOLING_STAGES | {SeedStage.GERMINATED, SeedStage.TRAINING}
"""While a slot is in one of these, sequential development plants nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskRules:
    """What a run allows. `max_seeds` 0 is no cap; `blueprints` is derived: what can be planted, by index."""

    topology: Topology
    slot_ids: tuple[str, ...]
    min_prune_age: int
    max_seeds: int = 0
    sequential_development: bool = True
    mask_failing_gates: bool = True
    auto_forward: frozenset[GateLevel] = frozenset()
    allowed_blueprints: frozenset[BlueprintAction] | None = None
    blueprints: tuple[BlueprintAction, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Refuse rules under which nothing could ever be decided."""
        if self.topology not in TOPOLOGIES:
            raise ValueError(f"topology {self.topology!r} is unknown; there are: {', '.join(TOPOLOGIES)}")
        if not self.slot_ids:
            raise ValueError("no slot is enabled; enable at least one")
        if len({parse_slot_id(slot_id) for slot_id in self.slot_ids}) != len(self.slot_ids):
            raise ValueError(f"slots {', '.join(self.slot_ids)}: each may be enabled once")
        native = TOPOLOGY_BLUEPRINTS[self.topology]
        allowed = native if self.allowed_blueprints is None else self.allowed_blueprints
        blueprints = tuple(sorted(set(native) & set(allowed)))
        if not blueprints:
            known = ", ".join(blueprint.blueprint_id for blueprint in native)
            raise ConfigError(f"allowed_blueprints leaves nothing to plant in a {self.topology} host; allow: {known}")
        object.__setattr__(self, "blueprints", blueprints)


def check_situations(rules: MaskRules, situations: Mapping[str, SlotSituation | None]) -> None:
    """Refuse a map that lacks an enabled slot, with a `ValueError`."""
    missing = [slot_id for slot_id in rules.slot_ids if slot_id not in situations]
    if missing:
        raise ValueError(f"no state is given for the enabled slots {', '.join(missing)}")


def planting_refusal(rules: MaskRules, situations: Mapping[str, SlotSituation | None]) -> str:
    """Say why no seed can be planted anywhere now; empty where one can."""
    stages = [here.stage for slot_id in rules.slot_ids if (here := situations[slot_id]) is not None]
    attached = sum(stage in ATTACHED_STAGES for stage in stages)
    if rules.max_seeds and attached >= rules.max_seeds:
        return f"{attached} seeds are attached, the cap is {rules.max_seeds}"
    if rules.sequential_development:
        for slot_id in rules.slot_ids:
            here = situations[slot_id]
            if here is not None and here.stage in INCUBATING_STAGES:
                return f"slot {slot_id} is {here.stage.name}, and seeds develop one at a time"
    return ""


def op_refusal(rules: MaskRules, op: LifecycleOp, here: SlotSituation | None, no_planting: str) -> str:
    """Say why an operation is not allowed on a slot; empty where it is.

    Args:
        rules: What the run allows.
        op: The operation.
        here: The slot, none where it is empty.
        no_planting: What `planting_refusal` says of the whole env.
    """
    if op is LifecycleOp.WAIT:
        return ""
    if op is LifecycleOp.GERMINATE:
        return no_planting if here is None else f"the slot is {here.stage.name}, not empty"
    if here is None:
        return EMPTY
    match op:
        case LifecycleOp.SET_ALPHA_TARGET:
            return _stage_refusal(here.stage, RETARGET_STAGES) or _ramp_refusal(here)
        case LifecycleOp.PRUNE:
            return _stage_refusal(here.stage, PRUNE_STAGES) or _age_refusal(rules, here) or _ramp_refusal(here)
        case LifecycleOp.FOSSILIZE:
            return _stage_refusal(here.stage, FOSSILIZE_STAGES) or here.gate_refusal
        case LifecycleOp.ADVANCE:
            return _stage_refusal(here.stage, ADVANCE_STAGES) or _advance_refusal(rules, here)


# Asked for every slot and op of every step, of which there are few.
@cache
def _stage_refusal(stage: SeedStage, stages: frozenset[SeedStage]) -> str:
    if stage in stages:
        return ""
    return f"the seed is {stage.name}, not {' or '.join(allowed.name for allowed in sorted(stages))}"


def _ramp_refusal(here: SlotSituation) -> str:
    return "" if here.alpha_mode is AlphaMode.HOLD else f"alpha still moves {here.alpha_mode.name}"


def _age_refusal(rules: MaskRules, here: SlotSituation) -> str:
    if here.epochs_total >= rules.min_prune_age:
        return ""
    return f"the seed is {here.epochs_total} epochs old, it can be pruned from {rules.min_prune_age} on"


def _advance_refusal(rules: MaskRules, here: SlotSituation) -> str:
    gate = ADVANCE_GATES[here.stage]
    if gate in rules.auto_forward:
        return f"gate {gate.name} opens by itself"
    return here.gate_refusal if rules.mask_failing_gates else ""
