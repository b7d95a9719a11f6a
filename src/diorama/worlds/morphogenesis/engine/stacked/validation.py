"""The validation of all rows at once: every coalition that differs from a row's main one is a lane of its own."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from diorama.worlds.morphogenesis.contracts.stages import CONTRIBUTING_STAGES
from diorama.worlds.morphogenesis.engine.feeding import Feed
from diorama.worlds.morphogenesis.engine.protocol import EngineSetup, Overrides, RowScores, given_overrides
from diorama.worlds.morphogenesis.engine.stacked.host_statistics import HostStatistics, row_hits, row_losses
from diorama.worlds.morphogenesis.engine.stacked.lanes import Lane
from diorama.worlds.morphogenesis.engine.stacked.membership import enroll
from diorama.worlds.morphogenesis.engine.stacked.passes import SEED_MATH, run_hosts
from diorama.worlds.morphogenesis.engine.stacked.planning import Planner
from diorama.worlds.morphogenesis.hosting.blending import PlantedSeed
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost

LANES_AT_ONCE: Final = 32
SAMPLES_AT_ONCE: Final = 128


@torch.inference_mode()
def validate_rows(setup: EngineSetup, feed: Feed, growing: Sequence[GrowingHost], overrides: Overrides) -> RowScores:
    """Measure every row once a pass; a pass that overrides nothing repeats the first."""
    rows = range(len(growing))
    hosts, membership = HostStatistics(growing), enroll(growing, rows, _contributes)
    planner = Planner(
        growing=growing,
        rows=rows,
        membership=membership,
        math=SEED_MATH[setup.task.topology],
        topology=setup.task.topology,
        incubation=setup.incubation,
        device=setup.device,
    )
    lanes, lane_of = _lanes(overrides, setup.slots.slot_ids)
    losses = torch.zeros(len(lanes), dtype=torch.float64, device=setup.device)
    hits = torch.zeros(len(lanes), dtype=torch.int64, device=setup.device)
    inputs, targets = feed.val_inputs[None], feed.val_targets[None]
    for first in range(0, len(lanes), LANES_AT_ONCE):
        part = slice(first, first + LANES_AT_ONCE)
        plan = planner.plan(lanes[part], learns=False)
        picked, statistics = plan.picking.pick(membership.parameters.values), hosts.of(plan)
        for start in range(0, inputs.shape[1], SAMPLES_AT_ONCE):
            samples = slice(start, start + SAMPLES_AT_ONCE)
            logits = run_hosts(growing[0].host, inputs[:, samples], picked, statistics, plan, is_training=False)
            losses[part] += row_losses(logits, targets[:, samples]).sum(dim=1)
            hits[part] += row_hits(logits, targets[:, samples])
    count = targets.numel()
    return RowScores(
        loss=(losses / count).cpu().numpy()[lane_of],
        accuracy_pct=100.0 * hits.cpu().numpy()[lane_of] / count,
    )


def _lanes(overrides: Overrides, slot_ids: tuple[str, ...]) -> tuple[list[Lane], NDArray[np.int64]]:
    passes, rows = overrides.shape[:2]
    lanes = [Lane(row=row, overrides=given_overrides(slot_ids, overrides[0, row].tolist())) for row in range(rows)]
    lane_of = np.tile(np.arange(rows), (passes, 1))
    for number in range(1, passes):
        for row in range(rows):
            given = given_overrides(slot_ids, overrides[number, row].tolist())
            if given:
                lane_of[number, row] = len(lanes)
                lanes.append(Lane(row=row, overrides=given))
    return lanes, lane_of


def _contributes(seed: PlantedSeed) -> bool:
    return seed.stage in CONTRIBUTING_STAGES
