"""The rule-based controller: plant when the host has settled, keep what helps, remove what hurts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import F32
from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.alpha import ALPHA_TOLERANCE
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction, Topology
from diorama.worlds.morphogenesis.contracts.seeds import SeedStateReport
from diorama.worlds.morphogenesis.contracts.stages import COOLING_STAGES, SeedStage
from diorama.worlds.morphogenesis.controller.choices import WAIT, Action, compose
from diorama.worlds.morphogenesis.controller.deciding import Actions, stack
from diorama.worlds.morphogenesis.controller.masks import ActionMasks
from diorama.worlds.morphogenesis.controller.reports import EnvReport

ROTATIONS: Final[dict[Topology, tuple[BlueprintAction, ...]]] = {
    "cnn": (
        BlueprintAction.CONV_LIGHT,
        BlueprintAction.CONV_HEAVY,
        BlueprintAction.ATTENTION,
        BlueprintAction.NORM,
        BlueprintAction.DEPTHWISE,
    ),
    "transformer": (
        BlueprintAction.NORM,
        BlueprintAction.LORA,
        BlueprintAction.ATTENTION,
        BlueprintAction.MLP_SMALL,
    ),
}
"""Blueprints in the order they are tried."""

LIVE_STAGES: Final = frozenset({SeedStage.GERMINATED, SeedStage.TRAINING, SeedStage.BLENDING, SeedStage.HOLDING})
FAILING_EPOCHS: Final = 5
FAILING_PP: Final = -2.0
HOSTAGE_PP: Final = 0.1
USEFUL_PP: Final = 0.5
FIRST_PLANTING_EPOCH: Final = 5
PLATEAU_EPOCHS: Final = 3
EPOCHS_AFTER_PRUNE: Final = 5
PRUNE_PENALTY: Final = 2.0
PENALTY_DECAY: Final = 0.5
PENALTY_FLOOR: Final = 0.1
PENALTY_LIMIT: Final = 3.0


@dataclass(slots=True)
class BlueprintRotation:
    """Which blueprint is next; one that was pruned lately too often is passed over."""

    blueprints: tuple[BlueprintAction, ...]
    place: int = 0
    penalties: dict[BlueprintAction, float] = field(default_factory=dict)

    def punish(self, blueprint: BlueprintAction) -> None:
        """Count a prune against a blueprint."""
        self.penalties[blueprint] = self.penalties.get(blueprint, 0.0) + PRUNE_PENALTY

    def pass_epoch(self) -> None:
        """Let the penalties fade."""
        faded = {blueprint: penalty * PENALTY_DECAY for blueprint, penalty in self.penalties.items()}
        self.penalties = {blueprint: penalty for blueprint, penalty in faded.items() if penalty >= PENALTY_FLOOR}

    def take(self, valid: NDArray[np.bool_]) -> BlueprintAction:
        """Return the next blueprint among the valid ones and go on behind it.

        A run that allows nothing of the rotation gets its valid blueprints by index.
        """
        turned = (*self.blueprints[self.place :], *self.blueprints[: self.place])
        open_ones = [blueprint for blueprint in turned if valid[blueprint]]
        candidates = open_ones or [BlueprintAction(int(index)) for index in np.flatnonzero(valid)]
        fresh = [one for one in candidates if self.penalties.get(one, 0.0) < PENALTY_LIMIT]
        chosen = fresh[0] if fresh else min(candidates, key=lambda one: self.penalties.get(one, 0.0))
        if chosen in self.blueprints:
            self.place = (self.blueprints.index(chosen) + 1) % len(self.blueprints)
        return chosen


@dataclass(slots=True)
class _EnvMemory:
    rotation: BlueprintRotation
    last_prune_epoch: int | None = None
    seen_prunes: set[str] = field(default_factory=set)

    def note_prunes(self, report: EnvReport) -> None:
        for seed in report.seeds.values():
            if seed.stage in COOLING_STAGES and seed.seed_id not in self.seen_prunes:
                self.seen_prunes.add(seed.seed_id)
                self.last_prune_epoch = report.epoch - 1
                self.rotation.punish(BlueprintAction[seed.blueprint_id.upper()])
        self.rotation.pass_epoch()


class RuleController:
    """Decides each env by the same rules. Whoever removed a seed, the rules learn of it from the reports."""

    def __init__(self, topology: Topology, slot_ids: Sequence[str]) -> None:
        """Decide for hosts of this topology with these slots, in action index order."""
        self._topology: Topology = topology
        self._slot_ids = tuple(slot_ids)
        self._memories: dict[int, _EnvMemory] = {}

    def decide(self, obs: F32, masks: ActionMasks, reports: Sequence[EnvReport]) -> Actions:
        """Return the first action the rules yield for every env."""
        return stack([self._decide(masks, row, report) for row, report in enumerate(reports)])

    def _decide(self, masks: ActionMasks, row: int, report: EnvReport) -> Action:
        if report.epoch == 1 or report.env_id not in self._memories:
            self._memories[report.env_id] = _EnvMemory(BlueprintRotation(ROTATIONS[self._topology]))
        memory = self._memories[report.env_id]
        memory.note_prunes(report)
        by_op = masks.slot_by_op[row]
        if any(seed.stage in LIVE_STAGES for seed in report.seeds.values()):
            return next(self._tend(by_op, report), WAIT)
        if not self._may_plant(by_op, report, memory):
            return WAIT
        slot = int(np.flatnonzero(by_op[LifecycleOp.GERMINATE])[0])
        return compose(LifecycleOp.GERMINATE, slot, blueprint=memory.rotation.take(masks.blueprint[row]))

    def _tend(self, by_op: NDArray[np.bool_], report: EnvReport) -> Iterator[Action]:
        for slot, slot_id in enumerate(self._slot_ids):
            seed = report.seeds.get(slot_id)
            if seed is not None:
                for op in _wishes(seed, report.reference_improvement.get(slot_id)):
                    if by_op[op, slot]:
                        yield compose(op, slot)

    def _may_plant(self, by_op: NDArray[np.bool_], report: EnvReport, memory: _EnvMemory) -> bool:
        pruned = memory.last_prune_epoch
        return bool(
            by_op[LifecycleOp.GERMINATE].any()
            and report.epoch >= FIRST_PLANTING_EPOCH
            and report.is_stabilized
            and report.plateau_epochs >= PLATEAU_EPOCHS
            and (pruned is None or report.epoch - pruned >= EPOCHS_AFTER_PRUNE)
        )


def _wishes(seed: SeedStateReport, reference: float | None) -> Iterator[LifecycleOp]:
    match seed.stage:
        case SeedStage.GERMINATED:
            yield LifecycleOp.ADVANCE
        case SeedStage.TRAINING | SeedStage.BLENDING:
            if _is_failing(seed):
                yield LifecycleOp.PRUNE
            if seed.stage is SeedStage.TRAINING or seed.alpha >= 1.0 - ALPHA_TOLERANCE:
                yield LifecycleOp.ADVANCE
        case SeedStage.HOLDING:
            if seed.metrics.counterfactual_contribution is not None:
                yield _verdict(seed.metrics.counterfactual_contribution, reference)


def _is_failing(seed: SeedStateReport) -> bool:
    metrics = seed.metrics
    return metrics.epochs_in_current_stage >= FAILING_EPOCHS and metrics.improvement_since_stage_start < FAILING_PP


def _verdict(contribution: float, reference: float | None) -> LifecycleOp:
    if contribution > HOSTAGE_PP and reference is not None and reference < 0.0:
        return LifecycleOp.PRUNE
    return LifecycleOp.FOSSILIZE if contribution > USEFUL_PP else LifecycleOp.PRUNE
