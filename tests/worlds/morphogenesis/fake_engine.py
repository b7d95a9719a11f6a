"""Hosts that learn nothing: a known seed in a known slot is worth ten points as far as it is blended in."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from diorama.contracts.world import World
from diorama.worlds.morphogenesis import WORLD
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.stages import CONTRIBUTING_STAGES, SeedStage
from diorama.worlds.morphogenesis.engine.core import build_core
from diorama.worlds.morphogenesis.engine.protocol import (
    EngineSetup,
    Fault,
    GradientStats,
    Overrides,
    RowScores,
    RowState,
)
from tests.worlds.morphogenesis.beds import HEALTHY, BareBed

HOST_PCT: Final = 50.0
WORTH_PCT: Final = 10.0
WORTHY_SLOT: Final = "r0c1"
WORTHY: Final = BlueprintAction.CONV_LIGHT
_LOSS: Final = 1.5


class PricedBed(BareBed):
    """Remembers what was planted."""

    def __init__(self) -> None:
        super().__init__()
        self.blueprints: dict[str, BlueprintAction] = {}

    def plant(self, slot_id: str, blueprint: BlueprintAction, operator: AlphaAlgorithm, birth: int) -> int:
        self.blueprints[slot_id] = blueprint
        self.alphas[slot_id] = 0.0
        return super().plant(slot_id, blueprint, operator, birth)

    def worth(self, overrides: Mapping[str, float]) -> float:
        """Return the points above the host."""
        if self.stages.get(WORTHY_SLOT) not in CONTRIBUTING_STAGES or self.blueprints[WORTHY_SLOT] is not WORTHY:
            return 0.0
        return WORTH_PCT * overrides.get(WORTHY_SLOT, self.alphas[WORTHY_SLOT])


class FakeEngine:
    """Rows that are only counted; implements `HostEngine`."""

    host_params = 160

    def __init__(self, setup: EngineSetup) -> None:
        self._slot_ids = setup.slots.slot_ids
        self._beds = [PricedBed() for _ in range(setup.layout.rows)]

    @property
    def execution_order(self) -> tuple[str, ...]:
        return self._slot_ids

    def reset(self, round_index: int) -> None:
        for bed in self._beds:
            bed.stages.clear()
            bed.alphas.clear()

    def bed(self, row: int) -> PricedBed:
        return self._beds[row]

    def train_epoch(self, epoch: int) -> RowScores:
        rows = len(self._beds)
        return RowScores(loss=np.full(rows, _LOSS), accuracy_pct=np.full(rows, HOST_PCT))

    def gradient_stats(self) -> GradientStats:
        readings = tuple(dict.fromkeys(bed.stages, HEALTHY) for bed in self._beds)
        return GradientStats(host_norm=np.ones(len(self._beds)), readings=readings)

    def validate(self, overrides: Overrides) -> RowScores:
        accuracy = np.array(
            [
                [
                    HOST_PCT + bed.worth(self._by_slot(amplitudes))
                    for bed, amplitudes in zip(self._beds, row, strict=True)
                ]
                for row in overrides.tolist()
            ]
        )
        return RowScores(loss=np.full(accuracy.shape, _LOSS), accuracy_pct=accuracy)

    def freeze(self, row: int) -> None:
        raise AssertionError("a twin of this engine never fails")

    def snapshot(self, row: int) -> None:
        pass

    def snapshot_slots(self, row: int) -> frozenset[str]:
        stages = self._beds[row].stages
        return frozenset(slot_id for slot_id, stage in stages.items() if stage is SeedStage.FOSSILIZED)

    def restore(self, row: int) -> None:
        pass

    def inject(self, row: int, fault: Fault) -> None:
        raise AssertionError("nothing here can be damaged")

    def write_row(self, row: int) -> RowState:
        return {}

    def read_row(self, row: int, state: RowState) -> None:
        pass

    def _by_slot(self, amplitudes: list[float]) -> dict[str, float]:
        given = zip(self._slot_ids, amplitudes, strict=True)
        return {slot_id: amplitude for slot_id, amplitude in given if amplitude == amplitude}


TOY_WORLD: Final[World[MorphogenesisConfig]] = replace(
    WORLD, accelerate=lambda config, request: build_core(config, request, FakeEngine)
)
"""The world on hosts that are only counted."""
