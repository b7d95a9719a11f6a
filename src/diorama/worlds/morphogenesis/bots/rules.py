"""The rule-based controller as a baseline that sees one row: it reads from the observation what the rules ask for.

An observation does not show the control twin. What the rules measure against it is the host's own accuracy here, so the
bot plays a little worse than `Batch.expert_actions`, which knows both.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.worlds.morphogenesis.contracts.actions import NUM_OPS, LifecycleOp
from diorama.worlds.morphogenesis.contracts.blueprints import (
    NULL_BLUEPRINT_INDEX,
    TOPOLOGY_BLUEPRINTS,
    BlueprintAction,
    Topology,
)
from diorama.worlds.morphogenesis.contracts.seeds import SeedMetrics, SeedStateReport
from diorama.worlds.morphogenesis.contracts.stages import COOLING_STAGES, SeedStage
from diorama.worlds.morphogenesis.controller.features import (
    HOST_FEATURES,
    HOST_WIDTH,
    SLOT_FEATURES,
    SLOT_WIDTH,
)
from diorama.worlds.morphogenesis.controller.masks import ActionMasks
from diorama.worlds.morphogenesis.controller.observation import CONTRIBUTION_SCALE_PP, SYMLOG_SCALE, UNKNOWN
from diorama.worlds.morphogenesis.controller.planting import PlantingMemory
from diorama.worlds.morphogenesis.controller.reports import EnvReport
from diorama.worlds.morphogenesis.controller.rules import LIVE_STAGES, RuleController
from diorama.worlds.morphogenesis.controller.signals import TREND_EPOCHS, SignalTracker

_HOST: Final = {name: column for column, name in enumerate(HOST_FEATURES)}
_SLOT: Final = {name: column for column, name in enumerate(SLOT_FEATURES)}
_STAGES: Final = tuple(SeedStage)
_OP_STAGES: Final = {
    LifecycleOp.PRUNE: LIVE_STAGES,
    LifecycleOp.FOSSILIZE: frozenset({SeedStage.HOLDING}),
    LifecycleOp.ADVANCE: frozenset({SeedStage.GERMINATED, SeedStage.TRAINING, SeedStage.BLENDING}),
}


@dataclass(slots=True)
class SlotMemory:
    """A slot as it was seen last: its stage, what sits in it, and accuracies in percent when that began."""

    stage: SeedStage = SeedStage.DORMANT
    blueprint: int = NULL_BLUEPRINT_INDEX
    accuracy_planted: float = 0.0
    accuracy_at_stage: float = 0.0


@dataclass(slots=True)
class RuleMemory:
    """What the rules go by beside the row they see."""

    epoch: int = 0
    tracker: SignalTracker = field(default_factory=SignalTracker)
    planting: PlantingMemory = field(default_factory=PlantingMemory)
    slots: list[SlotMemory] = field(default_factory=list)


class Rules:
    """Plants when the host has settled, keeps what helps, removes what hurts."""

    def __init__(self) -> None:
        """Start at the first epoch."""
        self.memory = RuleMemory()

    def reset(self, episode_seed: int) -> None:
        """Start at the first epoch."""
        self.memory = RuleMemory()

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Do what the rules yield for what is seen."""
        slots = len(obs_u8)
        self._remember(obs, obs_u8)
        seen = ActionMasks.over(mask[None].copy(), np.zeros((1, NUM_OPS, slots), np.uint8))
        for op in LifecycleOp:
            seen.slot_by_op[0, op] = seen.op[0, op] & seen.slot[0] & self._fits(op)
        names = tuple(str(slot) for slot in range(slots))
        controller = RuleController(_topology(seen), names)
        (action,) = controller.decide(obs[None], seen, [self._report(obs, names)])
        return tuple(int(index) for index in action)

    def _remember(self, obs: F32, obs_u8: U8) -> None:
        memory, slots = self.memory, len(obs_u8)
        memory.epoch += 1
        if not memory.slots:
            memory.slots = [SlotMemory() for _ in range(slots)]
        before = memory.tracker.accuracies[-1] if memory.tracker.accuracies else 0.0
        for slot, known in enumerate(memory.slots):
            _note_slot(known, _stage(obs, slot), int(obs_u8[slot]), before, memory)
        memory.planting.pass_epoch()
        loss = float(np.expm1(obs[_HOST["val_loss"]] * SYMLOG_SCALE))
        memory.tracker.update(loss, _accuracy(obs))

    def _fits(self, op: LifecycleOp) -> list[bool]:
        if op is LifecycleOp.GERMINATE:
            return [known.stage is SeedStage.DORMANT for known in self.memory.slots]
        return [known.stage in _OP_STAGES.get(op, ()) for known in self.memory.slots]

    def _report(self, obs: F32, names: tuple[str, ...]) -> EnvReport:
        memory, accuracy = self.memory, _accuracy(obs)
        epochs = memory.epoch / float(obs[_HOST["epoch"]])
        recent = memory.tracker.accuracies[-TREND_EPOCHS:]
        steady, planted = sum(recent) / len(recent), dict(self._planted(names))
        return EnvReport(
            env_id=0,
            round_index=0,
            epoch=memory.epoch,
            max_epochs=round(epochs),
            val_loss=memory.tracker.losses[-1],
            val_acc=accuracy,
            recent_losses=(),
            recent_accuracies=(),
            seeds={name: _seed(obs, int(name), known, epochs) for name, known in planted.items()},
            reference_improvement={name: steady - known.accuracy_planted for name, known in planted.items()},
            plateau_epochs=memory.tracker.plateau_epochs,
            is_flat=memory.tracker.is_flat,
            is_stabilized=memory.tracker.is_stabilized,
            planting=memory.planting,
        )

    def _planted(self, names: tuple[str, ...]) -> Iterator[tuple[str, SlotMemory]]:
        for name, known in zip(names, self.memory.slots, strict=True):
            if known.stage is not SeedStage.DORMANT:
                yield name, known


def _note_slot(known: SlotMemory, stage: SeedStage, blueprint: int, accuracy_before: float, memory: RuleMemory) -> None:
    if stage is known.stage:
        return
    if known.stage is SeedStage.DORMANT and blueprint != NULL_BLUEPRINT_INDEX:
        known.blueprint, known.accuracy_planted = blueprint, accuracy_before
        memory.planting.note_planting(BlueprintAction(blueprint))
    if stage in COOLING_STAGES and known.stage in LIVE_STAGES:
        memory.planting.note_prune(BlueprintAction(known.blueprint), memory.epoch - 1)
    # What was decided after the last epoch began with that epoch's accuracy.
    known.stage, known.accuracy_at_stage = stage, accuracy_before


def _seed(obs: F32, slot: int, known: SlotMemory, epochs: float) -> SeedStateReport:
    row = obs[HOST_WIDTH + SLOT_WIDTH * slot :]
    is_measured = row[_SLOT["contribution_freshness"]] != UNKNOWN
    return SeedStateReport(
        seed_id=str(slot),
        slot_id=str(slot),
        blueprint_id="",
        stage=known.stage,
        alpha=float(row[_SLOT["alpha"]]),
        metrics=SeedMetrics(
            epochs_in_current_stage=round(float(row[_SLOT["epochs_in_stage"]]) * epochs),
            improvement_since_stage_start=_accuracy(obs) - known.accuracy_at_stage,
            counterfactual_contribution=float(row[_SLOT["contribution"]]) * CONTRIBUTION_SCALE_PP
            if is_measured
            else None,
        ),
    )


def _accuracy(obs: F32) -> float:
    return float(obs[_HOST["val_acc"]]) * 100.0


def _stage(obs: F32, slot: int) -> SeedStage:
    start = HOST_WIDTH + SLOT_WIDTH * slot
    first = start + _SLOT["stage_unknown"]
    shown = obs[first : first + len(_STAGES)]
    return _STAGES[int(shown.argmax())] if obs[start + _SLOT["has_state"]] else SeedStage.DORMANT


def _topology(masks: ActionMasks) -> Topology:
    own = [blueprint for blueprint in TOPOLOGY_BLUEPRINTS["cnn"] if masks.blueprint[0, blueprint]]
    other = [blueprint for blueprint in TOPOLOGY_BLUEPRINTS["transformer"] if masks.blueprint[0, blueprint]]
    return "cnn" if len(own) >= len(other) else "transformer"
