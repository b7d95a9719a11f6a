"""One training epoch of all rows at once."""

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor

from diorama.contracts.work import checkpoint
from diorama.worlds.morphogenesis.contracts.stages import CONTRIBUTING_STAGES, SeedStage
from diorama.worlds.morphogenesis.engine.feeding import Minibatch
from diorama.worlds.morphogenesis.engine.protocol import EngineSetup
from diorama.worlds.morphogenesis.engine.stacked.clipping import Clipper
from diorama.worlds.morphogenesis.engine.stacked.host_statistics import HostStatistics, row_hits, row_losses
from diorama.worlds.morphogenesis.engine.stacked.lanes import Lane, PassPlan
from diorama.worlds.morphogenesis.engine.stacked.membership import Membership, enroll
from diorama.worlds.morphogenesis.engine.stacked.passes import run_hosts
from diorama.worlds.morphogenesis.engine.stacked.planning import Planner
from diorama.worlds.morphogenesis.engine.stacked.playback import Playback
from diorama.worlds.morphogenesis.engine.stacked.readings import GradientMeasures, measure_gradients
from diorama.worlds.morphogenesis.engine.stacked.stepping import Stepper
from diorama.worlds.morphogenesis.hosting.blending import PlantedSeed
from diorama.worlds.morphogenesis.hosting.epochs import Score, TrainedEpoch
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost
from diorama.worlds.morphogenesis.hosting.hosts import CnnHost

SHARED_STACK_SEEDS: Final = 5
"""Seeds of a stack, on average, from which it is cheaper to run shadows by themselves."""


class StackedTraining:
    """Hosts and seeds of the rows that train, as one network that works on the same tensors in every epoch.

    It fits as long as the structure stays: nothing is planted within an epoch, and mostly nothing between two.
    """

    def __init__(
        self,
        setup: EngineSetup,
        growing: Sequence[GrowingHost],
        rows: Sequence[int],
        sample: Minibatch,
        playback: Playback,
    ) -> None:
        """Stack the rows and plan their passes.

        Args:
            setup: Of the engine.
            growing: All rows.
            rows: Those that train.
            sample: Minibatch of the shape that all have.
            playback: How work is asked for.
        """
        self._host = growing[rows[0]].host
        self._growing, self._rows = growing, rows
        self._statistics = HostStatistics([growing[row] for row in rows])
        membership = enroll(growing, rows, _learns)
        self._parameters = membership.parameters
        planner = Planner.of(setup, growing, rows, membership)
        main, learners = [Lane(row=row) for row in rows], planner.learners()
        self._goes_along = bool(learners) and isinstance(self._host, CnnHost) and _are_mixed(membership)
        self._main = planner.plan([*main, *learners] if self._goes_along else main, learns=True)
        self._shadow = planner.plan(learners, learns=True) if learners and not self._goes_along else None
        self._stepper = Stepper(self._parameters)
        self._clipper = Clipper(self._parameters, max_norm=setup.max_grad_norm)
        self._inputs, self._targets = (torch.empty_like(values) for values in sample)
        self._losses = torch.zeros(len(rows), dtype=torch.float64, device=self._inputs.device)
        self._hits = torch.zeros_like(self._losses)
        self._gradient: Tensor
        self._descent = playback.of(self._descend)
        self._advance = playback.of(self._step)

    def train(self, minibatches: Sequence[Minibatch], *, reads_gradients: bool) -> list[TrainedEpoch]:
        """Train on minibatches whose inputs and targets have the rows in front, or one entry that all share."""
        self._take_up()
        for place, (inputs, targets) in enumerate(minibatches, start=1):
            checkpoint()
            self._inputs.copy_(inputs)
            self._targets.copy_(targets)
            self._descent.run()
            if place == len(minibatches):
                measured = measure_gradients(self._parameters, self._gradient)
            self._advance.run()
        self._stepper.lay_back()
        self._statistics.lay_back()
        numbers: list[float] = torch.cat([self._losses, self._hits, measured]).tolist()
        rows = len(self._rows)
        measures = GradientMeasures.of(self._parameters, numbers[2 * rows :])
        samples = self._targets[0].numel() * len(minibatches)
        return [
            TrainedEpoch(
                score=Score(loss=loss / samples, accuracy_pct=100.0 * hits / samples),
                host_gradient_norm=measures.host_norm(row),
                readings=measures.read_row(row, self._growing[row]) if reads_gradients else {},
            )
            for row, loss, hits in zip(self._rows, numbers[:rows], numbers[rows : 2 * rows], strict=True)
        ]

    def close(self) -> None:
        """Let go of all recordings."""
        del self._descent, self._advance

    def _take_up(self) -> None:
        self._stepper.take_up()
        self._statistics.take_up()
        self._main.refresh()
        if self._shadow is not None:
            self._shadow.refresh()
        self._losses.zero_()
        self._hits.zero_()

    def _descend(self) -> None:
        inputs, targets = self._inputs, self._targets
        if self._goes_along and len(inputs) > 1 and self._main.hosts is not None:
            inputs, targets = (values.index_select(0, self._main.hosts) for values in (inputs, targets))
        logits = self._run(inputs, self._main, is_training=True)
        self._statistics.count_batch()
        losses = row_losses(logits, targets)
        total = losses.mean(dim=1).sum()
        if self._shadow is not None:
            seen, wanted = self._of_learners(inputs), self._of_learners(targets)
            total = total + row_losses(self._run(seen, self._shadow, is_training=False), wanted).mean(dim=1).sum()
        (self._gradient,) = torch.autograd.grad(total, [self._parameters.values])
        rows = len(self._rows)
        self._losses += losses.detach()[:rows].sum(dim=1)
        self._hits += row_hits(logits.detach()[:rows], self._targets)

    def _step(self) -> None:
        self._stepper.step(self._clipper.clip(self._gradient))

    def _run(self, inputs: Tensor, plan: PassPlan, *, is_training: bool) -> Tensor:
        return run_hosts(
            self._host,
            inputs,
            plan.picking.pick(self._parameters.values),
            self._statistics.of(plan),
            plan,
            is_training=is_training,
        )

    def _of_learners(self, values: Tensor) -> Tensor:
        chosen = None if self._shadow is None else self._shadow.hosts
        return values if len(values) == 1 or chosen is None else values.index_select(0, chosen)


def _are_mixed(membership: Membership) -> bool:
    """Say whether shadows should go along with their hosts in one pass.

    That halves the number of operations, which is what small stacks cost, and computes gradients that nobody needs,
    which is what large ones would.
    """
    structures = [(owner[1], membership.structures[place]) for (_, owner), place in membership.places.items()]
    return len(structures) < SHARED_STACK_SEEDS * len(set(structures))


def _learns(seed: PlantedSeed) -> bool:
    """Say whether a training pass gives a seed gradients."""
    return seed.stage is SeedStage.TRAINING or (seed.stage in CONTRIBUTING_STAGES and seed.alpha != 0.0)
