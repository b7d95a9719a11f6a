"""One epoch of one host: a pass over the training stream, and a validation."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from diorama.contracts.work import checkpoint
from diorama.worlds.morphogenesis.hosting.gradients import GradientReading
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost
from diorama.worlds.morphogenesis.hosting.loss import mean_loss

VALIDATION_BATCH: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Mean loss in nats and accuracy in percent, per sample or per token."""

    loss: float
    accuracy_pct: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedEpoch:
    """What a training pass showed; gradients are those of its last minibatch, before clipping."""

    score: Score
    host_gradient_norm: float
    readings: dict[str, GradientReading]


def train_epoch(
    growing: GrowingHost, batches: Iterable[tuple[Tensor, Tensor]], *, reads_gradients: bool = True
) -> TrainedEpoch:
    """Train a host and its seeds on minibatches of inputs and targets, in the order they come."""
    growing.train()
    tally = _Tally()
    readings: dict[str, GradientReading] = {}
    host_norm = 0.0
    minibatches = tuple(batches)
    for place, (inputs, targets) in enumerate(minibatches, start=1):
        checkpoint()
        growing.optimizers.zero_grad()
        logits = growing.forward(inputs)
        torch.autograd.backward(mean_loss(logits, targets))
        growing.incubate(inputs, targets)
        if place == len(minibatches):
            host_norm = growing.host_gradient_norm()
            readings = growing.gradient_readings() if reads_gradients else {}
        growing.step()
        tally.add(logits.detach(), targets)
    return TrainedEpoch(score=tally.score(), host_gradient_norm=host_norm, readings=readings)


def validate(
    growing: GrowingHost, inputs: Tensor, targets: Tensor, overrides: Mapping[str, float] | None = None
) -> Score:
    """Measure a host on the whole validation set; overrides are amplitudes by slot id."""
    growing.train(False)
    tally = _Tally()
    with torch.inference_mode():
        for start in range(0, len(inputs), VALIDATION_BATCH):
            part = slice(start, start + VALIDATION_BATCH)
            tally.add(growing.forward(inputs[part], overrides), targets[part])
    return tally.score()


class _Tally:
    def __init__(self) -> None:
        self.loss, self.correct, self.count = 0.0, 0, 0

    def add(self, logits: Tensor, targets: Tensor) -> None:
        flat, wanted = logits.flatten(0, -2), targets.flatten()
        self.loss += float(cross_entropy(flat, wanted, reduction="sum"))
        self.correct += int((flat.argmax(dim=-1) == wanted).sum())
        self.count += len(wanted)

    def score(self) -> Score:
        return Score(loss=self.loss / self.count, accuracy_pct=100.0 * self.correct / self.count)
