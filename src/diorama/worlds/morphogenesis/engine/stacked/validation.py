"""The validation of all rows at once: every coalition that differs from a row's main one is a lane of its own."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from diorama.worlds.morphogenesis.contracts.stages import CONTRIBUTING_STAGES
from diorama.worlds.morphogenesis.engine.feeding import Feed
from diorama.worlds.morphogenesis.engine.protocol import EngineSetup, Overrides, RowScores, given_overrides
from diorama.worlds.morphogenesis.engine.stacked.host_statistics import HostStatistics, row_hits, row_losses
from diorama.worlds.morphogenesis.engine.stacked.lanes import Lane, PassPlan
from diorama.worlds.morphogenesis.engine.stacked.membership import enroll
from diorama.worlds.morphogenesis.engine.stacked.parameters import Parameters
from diorama.worlds.morphogenesis.engine.stacked.passes import run_hosts
from diorama.worlds.morphogenesis.engine.stacked.picking import Picked
from diorama.worlds.morphogenesis.engine.stacked.planning import Planner
from diorama.worlds.morphogenesis.engine.stacked.playback import Playback
from diorama.worlds.morphogenesis.hosting.blending import PlantedSeed
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost
from diorama.worlds.morphogenesis.hosting.hosts import Host

CACHED_PORTION: Final = (32, 128)
"""Lanes and samples that a processor takes at a time: as many as stay in its caches."""
DEVICE_PORTION: Final = (64, 512)
"""Lanes and samples that a graphics card takes at a time: few calls, in some gigabytes for the largest images."""


class Lanes:
    """Which lanes a validation has, and which of them a pass of a row is."""

    def __init__(self, overrides: Overrides, slot_ids: tuple[str, ...]) -> None:
        """Give a lane to every row, and to every further pass of one that overrides something."""
        passes, rows = overrides.shape[:2]
        self.lanes = [
            Lane(row=row, overrides=given_overrides(slot_ids, overrides[0, row].tolist())) for row in range(rows)
        ]
        self.lane_of = np.tile(np.arange(rows), (passes, 1))
        for number in range(1, passes):
            for row in range(rows):
                given = given_overrides(slot_ids, overrides[number, row].tolist())
                if given:
                    self.lane_of[number, row] = len(self.lanes)
                    self.lanes.append(Lane(row=row, overrides=given))

    @property
    def key(self) -> Hashable:
        """What two validations have in common that can be done by one network."""
        return tuple((lane.row, tuple(lane.overrides.items())) for lane in self.lanes)


class StackedValidation:
    """Hosts and seeds of all rows, as one network that works on the same tensors in every epoch."""

    def __init__(
        self, setup: EngineSetup, feed: Feed, growing: Sequence[GrowingHost], lanes: Sequence[Lane], playback: Playback
    ) -> None:
        """Stack the rows and plan the passes of all lanes."""
        rows = range(len(growing))
        membership = enroll(growing, rows, _contributes)
        self._parameters, self._statistics = membership.parameters, HostStatistics(growing)
        planner = Planner.of(setup, growing, rows, membership)
        inputs, targets = feed.val_inputs[None], feed.val_targets[None]
        lanes_at_once, samples_at_once = CACHED_PORTION if inputs.is_cpu else DEVICE_PORTION
        self._samples = list(zip(inputs.split(samples_at_once, 1), targets.split(samples_at_once, 1), strict=True))
        self._portions = [
            _Portion(growing[0].host, planner.plan(part, learns=False), self._parameters, self._statistics, playback)
            for part in _portions(lanes, lanes_at_once)
        ]

    def measure(self, lane_of: NDArray[np.int64]) -> RowScores:
        """Measure every lane on the whole validation set, and return the results by pass and row."""
        self._parameters.take_up()
        self._statistics.take_up()
        for portion in self._portions:
            portion.measure(self._samples)
        losses, hits = torch.cat([portion.sums for portion in self._portions], dim=1).cpu().numpy()
        count = sum(targets.numel() for _, targets in self._samples)
        return RowScores(loss=(losses / count)[lane_of], accuracy_pct=(100.0 * hits / count)[lane_of])

    def close(self) -> None:
        """Let go of all recordings."""
        for portion in self._portions:
            portion.close()


class _Portion:
    """Lanes that are run together; `sums` are the losses and the hits of each."""

    def __init__(
        self, host: Host, plan: PassPlan, parameters: Parameters, statistics: HostStatistics, playback: Playback
    ) -> None:
        self._host, self._plan = host, plan
        self._parameters, self._statistics = parameters, statistics
        self._playback = playback
        self._picked: Picked
        self._own: dict[str, Tensor]
        self._picking = playback.of(self._pick)
        self._steps: dict[int, _Step] = {}
        self.sums = torch.zeros(2, plan.lanes, dtype=torch.float64, device=parameters.values.device)

    def measure(self, samples: Sequence[tuple[Tensor, Tensor]]) -> None:
        self._plan.refresh()
        self.sums.zero_()
        self._picking.run()
        for inputs, targets in samples:
            count = inputs.shape[1]
            if count not in self._steps:
                self._steps[count] = _Step(self, inputs, targets, self._playback)
            self._steps[count].run(inputs, targets)

    def close(self) -> None:
        del self._picking
        self._steps.clear()

    def add(self, inputs: Tensor, targets: Tensor) -> None:
        logits = run_hosts(self._host, inputs, self._picked, self._own, self._plan, is_training=False)
        self.sums[0].add_(row_losses(logits, targets).sum(dim=1))
        self.sums[1].add_(row_hits(logits, targets))

    def _pick(self) -> None:
        self._picked = self._plan.picking.pick(self._parameters.values)
        self._own = dict(self._statistics.of(self._plan))


class _Step:
    """Samples of one number, which always come by the same tensors."""

    def __init__(self, portion: _Portion, inputs: Tensor, targets: Tensor, playback: Playback) -> None:
        self._inputs, self._targets = torch.empty_like(inputs), torch.empty_like(targets)
        self._adding = playback.of(lambda: portion.add(self._inputs, self._targets))

    def run(self, inputs: Tensor, targets: Tensor) -> None:
        self._inputs.copy_(inputs)
        self._targets.copy_(targets)
        self._adding.run()


def _portions(lanes: Sequence[Lane], at_once: int) -> Iterator[Sequence[Lane]]:
    for first in range(0, len(lanes), at_once):
        yield lanes[first : first + at_once]


def _contributes(seed: PlantedSeed) -> bool:
    return seed.stage in CONTRIBUTING_STAGES
