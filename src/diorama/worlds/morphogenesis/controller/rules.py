"""The rule-based controller: plant when the host has settled, keep what helps, remove what hurts."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import F32
from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.alpha import ALPHA_TOLERANCE
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction, Topology
from diorama.worlds.morphogenesis.contracts.seeds import SeedStateReport
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.controller.choices import WAIT, Action, compose
from diorama.worlds.morphogenesis.controller.deciding import Actions, stack
from diorama.worlds.morphogenesis.controller.masks import ActionMasks
from diorama.worlds.morphogenesis.controller.planting import next_blueprint
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
VERDICT_EPOCHS: Final = 3
"""Epochs at full strength before a seed is judged: one alone says more about chance than about the seed."""
EPOCHS_AFTER_PRUNE: Final = 5


class RuleController:
    """Decides each env by the same rules, from its report alone: two moments that show the same are decided alike."""

    def __init__(self, topology: Topology, slot_ids: Sequence[str]) -> None:
        """Decide for hosts of this topology with these slots, in action index order."""
        self._topology: Topology = topology
        self._slot_ids = tuple(slot_ids)

    def decide(self, obs: F32, masks: ActionMasks, reports: Sequence[EnvReport]) -> Actions:
        """Return the first action the rules yield for every env."""
        return stack([self._decide(masks, row, report) for row, report in enumerate(reports)])

    def _decide(self, masks: ActionMasks, row: int, report: EnvReport) -> Action:
        by_op = masks.slot_by_op[row]
        if any(seed.stage in LIVE_STAGES for seed in report.seeds.values()):
            return next(self._tend(by_op, report), WAIT)
        if not _may_plant(by_op, report):
            return WAIT
        slot = int(np.flatnonzero(by_op[LifecycleOp.GERMINATE])[0])
        blueprint = next_blueprint(report.planting, ROTATIONS[self._topology], masks.blueprint[row])
        return compose(LifecycleOp.GERMINATE, slot, blueprint=blueprint)

    def _tend(self, by_op: NDArray[np.bool_], report: EnvReport) -> Iterator[Action]:
        for slot, slot_id in enumerate(self._slot_ids):
            seed = report.seeds.get(slot_id)
            if seed is not None:
                for op in _wishes(seed, report.reference_improvement.get(slot_id)):
                    if by_op[op, slot]:
                        yield compose(op, slot)


def _may_plant(by_op: NDArray[np.bool_], report: EnvReport) -> bool:
    pruned = report.planting.last_prune_epoch
    return bool(
        by_op[LifecycleOp.GERMINATE].any()
        and report.epoch >= FIRST_PLANTING_EPOCH
        and report.is_stabilized
        and (report.is_flat or report.plateau_epochs >= PLATEAU_EPOCHS)
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
            contribution = seed.metrics.counterfactual_contribution
            if contribution is not None and seed.metrics.epochs_in_current_stage >= VERDICT_EPOCHS:
                yield _verdict(contribution, reference)


def _is_failing(seed: SeedStateReport) -> bool:
    metrics = seed.metrics
    return metrics.epochs_in_current_stage >= FAILING_EPOCHS and metrics.improvement_since_stage_start < FAILING_PP


def _verdict(contribution: float, reference: float | None) -> LifecycleOp:
    if contribution > HOSTAGE_PP and reference is not None and reference < 0.0:
        return LifecycleOp.PRUNE
    return LifecycleOp.FOSSILIZE if contribution > USEFUL_PP else LifecycleOp.PRUNE
