"""Optimizers of one host and its seeds: separate settings, separate clipping, one step."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_
from torch.optim import SGD, AdamW, Optimizer

MOMENTUM: Final = 0.9
BETAS: Final = (0.9, 0.95)
HOST_MAX_GRAD_NORM: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimizerSettings:
    """One kind of optimizer. `matrices_only` leaves biases and norms without decay."""

    kind: Literal["sgd", "adamw"]
    lr: float
    weight_decay: float = 0.0
    matrices_only: bool = False

    def decay_of(self, parameter: nn.Parameter) -> float:
        """Return the decay of one parameter tensor."""
        return self.weight_decay if parameter.dim() >= 2 or not self.matrices_only else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimizerPlan:
    """Settings of the host, which permanent seeds take over, and of seeds before that."""

    host: OptimizerSettings
    seed: OptimizerSettings
    max_grad_norm: float = HOST_MAX_GRAD_NORM


def cnn_plan(host_lr: float, seed_lr: float) -> OptimizerPlan:
    """Return the plan of a convolutional host."""
    return OptimizerPlan(
        host=OptimizerSettings(kind="sgd", lr=host_lr, weight_decay=5e-4),
        seed=OptimizerSettings(kind="sgd", lr=seed_lr),
    )


TRANSFORMER_PLAN: Final = OptimizerPlan(
    host=OptimizerSettings(kind="adamw", lr=3e-4, weight_decay=0.1, matrices_only=True),
    seed=OptimizerSettings(kind="adamw", lr=1e-3),
)


class HostOptimizers:
    """The optimizer of a host and one for each of its seeds; a gate belongs to its seed."""

    def __init__(self, host: nn.Module, plan: OptimizerPlan) -> None:
        """Start with the host alone."""
        self._plan = plan
        self._host = _optimizer(host.parameters(), plan.host)
        self._seeds: dict[str, Optimizer] = {}

    def of(self, slot_id: str | None) -> Optimizer:
        """Return the optimizer of a seed, or the host's for None."""
        return self._host if slot_id is None else self._seeds[slot_id]

    def add(self, slot_id: str, module: nn.Module) -> None:
        """Train a seed, or the gate of one that is trained already."""
        if slot_id not in self._seeds:
            self._seeds[slot_id] = _optimizer(module.parameters(), self._plan.seed)
            return
        for group in _groups(module.parameters(), self._plan.seed):
            self._seeds[slot_id].add_param_group(group)

    def adopt(self, slot_id: str) -> None:
        """Go on with the host's settings; the momentum stays."""
        settings = self._plan.host
        for group in self._seeds[slot_id].param_groups:
            group["lr"] = settings.lr
            group["weight_decay"] = settings.decay_of(group["params"][0])

    def release(self, slot_id: str) -> None:
        """Forget a seed."""
        del self._seeds[slot_id]

    def forget_momentum(self) -> None:
        """Zero the state of the host's and every seed's optimizer."""
        for optimizer in (self._host, *self._seeds.values()):
            optimizer.state.clear()

    def zero_grad(self) -> None:
        """Drop all gradients."""
        for optimizer in (self._host, *self._seeds.values()):
            optimizer.zero_grad(set_to_none=True)

    def step(self, *, frozen: frozenset[str] = frozenset()) -> None:
        """Clip the host and each seed on its own, and move all but the frozen seeds."""
        moving = (seed for slot_id, seed in self._seeds.items() if slot_id not in frozen)
        for optimizer in (self._host, *moving):
            parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
            clip_grad_norm_(parameters, self._plan.max_grad_norm, foreach=False)
            optimizer.step()


def gradient_norms(modules: Iterable[nn.Module]) -> list[float]:
    """Return the norm of each parameter tensor that has a gradient, computed in float64."""
    return [
        float(torch.linalg.vector_norm(parameter.grad, dtype=torch.float64))
        for module in modules
        for parameter in module.parameters()
        if parameter.grad is not None
    ]


def _groups(parameters: Iterable[nn.Parameter], settings: OptimizerSettings) -> list[dict[str, object]]:
    # One group per tensor, because decay may differ from tensor to tensor once a seed becomes permanent.
    return [{"params": [parameter], "weight_decay": settings.decay_of(parameter)} for parameter in parameters]


def _optimizer(parameters: Iterable[nn.Parameter], settings: OptimizerSettings) -> Optimizer:
    groups = _groups(parameters, settings)
    if settings.kind == "sgd":
        return SGD(groups, lr=settings.lr, momentum=MOMENTUM, foreach=False)
    return AdamW(groups, lr=settings.lr, betas=BETAS, foreach=False)
