"""The tasks by name: host, slots, episode length and settings."""

import math
from dataclasses import dataclass, replace
from typing import Final

from diorama.worlds.morphogenesis.contracts.blueprints import Topology
from diorama.worlds.morphogenesis.contracts.errors import ConfigError
from diorama.worlds.morphogenesis.contracts.timings import TimingPreset


@dataclass(frozen=True, slots=True, kw_only=True)
class CnnShape:
    """Dimensions of a convolutional host."""

    base_channels: int
    n_blocks: int = 3
    kernel_size: int = 3
    pool_layers: int = 3
    in_channels: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformerShape:
    """Dimensions of a transformer host."""

    n_embd: int
    n_head: int
    n_layer: int
    block_size: int
    num_segments: int
    dropout: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSpec:
    """One task. Losses are nats; `num_classes` is the vocabulary of a token task.

    `budget_ratio` times the host's parameters is the parameter budget, unless `param_budget` gives a number.
    """

    name: str
    family: str
    host: CnnShape | TransformerShape
    slots: tuple[str, ...]
    max_epochs: int
    timings: TimingPreset
    batch_size: int
    host_lr: float
    seed_lr: float
    train_batches_per_epoch: int | None
    num_classes: int
    baseline_loss: float
    target_loss: float
    typical_loss_delta_std: float
    governor_loss_threshold: float
    budget_ratio: int | None = None
    param_budget: int | None = None

    @property
    def topology(self) -> Topology:
        """Kind of the host."""
        return "cnn" if isinstance(self.host, CnnShape) else "transformer"

    def budget_for(self, host_params: int) -> int:
        """Return the parameter budget for a host of so many parameters."""
        return self.param_budget or (self.budget_ratio or 1) * host_params


def _row(row: int, count: int) -> tuple[str, ...]:
    return tuple(f"r{row}c{col}" for col in range(count))


_DIGITS: Final = TaskSpec(
    name="digits_baseline",
    family="digits",
    host=CnnShape(base_channels=4, pool_layers=2, in_channels=1),
    slots=_row(0, 3),
    max_epochs=40,
    timings="quick",
    batch_size=64,
    host_lr=0.02,
    seed_lr=0.02,
    train_batches_per_epoch=None,
    num_classes=10,
    baseline_loss=2.303,
    target_loss=0.1,
    typical_loss_delta_std=0.10,
    governor_loss_threshold=12.0,
    budget_ratio=20,
)
_SHAPES: Final = replace(
    _DIGITS,
    name="shapes_baseline",
    family="shapes",
    host=CnnShape(base_channels=8),
    batch_size=128,
    target_loss=0.6,
    typical_loss_delta_std=0.08,
)
_TOKENS: Final = replace(
    _DIGITS,
    name="tokens_copy",
    family="tokens",
    host=TransformerShape(n_embd=32, n_head=2, n_layer=2, block_size=64, num_segments=2),
    slots=_row(0, 2),
    host_lr=3e-4,
    seed_lr=1e-3,
    train_batches_per_epoch=16,
    num_classes=64,
    baseline_loss=math.log(64),
    target_loss=1.0,
    governor_loss_threshold=15.0,
    budget_ratio=2,
)
_CIFAR: Final = replace(
    _SHAPES,
    name="cifar_baseline",
    family="cifar",
    max_epochs=150,
    timings="standard",
    host_lr=0.01,
    seed_lr=0.01,
    train_batches_per_epoch=50,
    target_loss=0.3,
    typical_loss_delta_std=0.05,
    budget_ratio=None,
    param_budget=500_000,
)


def _cifar(name: str, host: CnnShape, slots: tuple[str, ...]) -> TaskSpec:
    return replace(_CIFAR, name=name, host=host, slots=slots)


_SCALE: Final = CnnShape(base_channels=8, n_blocks=5, pool_layers=5)

TASKS: Final[dict[str, TaskSpec]] = {
    task.name: task
    for task in (
        _DIGITS,
        replace(
            _DIGITS,
            name="digits_impaired",
            host=CnnShape(base_channels=2, kernel_size=1, pool_layers=2, in_channels=1),
        ),
        _SHAPES,
        replace(_SHAPES, name="shapes_impaired", host=CnnShape(base_channels=2, kernel_size=1)),
        _TOKENS,
        _CIFAR,
        _cifar("cifar_scale", _SCALE, _row(0, 5)),
        _cifar("cifar_impaired", CnnShape(base_channels=1, kernel_size=1), _row(0, 3)),
        _cifar("cifar_minimal", CnnShape(base_channels=2, kernel_size=1, pool_layers=0), _row(0, 3)),
        _cifar("cifar_multichannel", CnnShape(base_channels=8), (*_row(0, 3), *_row(1, 3))),
        _cifar("cifar_postpool", CnnShape(base_channels=16), _row(1, 3)),
        _cifar("cifar_highres", CnnShape(base_channels=16), _row(0, 3)),
        _cifar("cifar_deep_multichannel", _SCALE, (*_row(0, 5), *_row(1, 5))),
        _cifar(
            "cifar_deep_impaired",
            CnnShape(base_channels=2, n_blocks=5, kernel_size=1, pool_layers=5),
            (*_row(0, 5), *_row(1, 5)),
        ),
    )
}
"""Every task by name."""

FAMILIES: Final[dict[str, str]] = {
    "digits": "digits_impaired",
    "shapes": "shapes_impaired",
    "tokens": "tokens_copy",
    "cifar": "cifar_baseline",
}
"""The task a family name stands for."""


def task_named(name: str) -> TaskSpec:
    """Return a task by its name or the name of its family.

    Raises:
        ConfigError: There is no such task.
    """
    full = FAMILIES.get(name, name)
    if full not in TASKS:
        raise ConfigError(f"no task is called {name!r}; there are: {', '.join((*FAMILIES, *TASKS))}")
    return TASKS[full]
