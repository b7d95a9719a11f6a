"""Adam on one flat tensor that holds all parameters of a policy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import nn

from diorama.learn.settings.trainer import OptimizerSettings

_ALIGNMENT: Final = 16  # float32 numbers, 64 bytes: matrix products then round alike in every process
_WARMUP_STEPS: Final = "warmup_steps"


class FlatParameters:
    """Parameters of a module as views of one flat tensor.

    Attributes:
        tensors: The parameters, in the module's order.
        values: The flat tensor.
    """

    def __init__(self, module: nn.Module) -> None:
        """Move the parameters into a flat tensor; the `nn.Parameter` objects stay the same."""
        self.tensors: list[nn.Parameter] = list(module.parameters())
        self._offsets: list[int] = []
        length = 0
        for tensor in self.tensors:
            self._offsets.append(length)
            length += -(-tensor.numel() // _ALIGNMENT) * _ALIGNMENT
        self.values = torch.zeros(length, device=self.tensors[0].device)
        for tensor, offset in zip(self.tensors, self._offsets, strict=True):
            view = self.values[offset : offset + tensor.numel()].view(tensor.shape)
            view.copy_(tensor.data)
            tensor.data = view

    def split(self, flat: torch.Tensor) -> list[torch.Tensor]:
        """Return one view per parameter of a tensor laid out like `values`."""
        return [
            flat[offset : offset + tensor.numel()] for tensor, offset in zip(self.tensors, self._offsets, strict=True)
        ]

    def ranges(self, chosen: Sequence[nn.Parameter]) -> tuple[list[slice], list[slice]]:
        """Return the ranges of the flat tensor that hold these parameters, and those that hold the others."""
        wanted = {id(tensor) for tensor in chosen}
        ranges: tuple[list[slice], list[slice]] = ([], [])
        ends = [*self._offsets[1:], len(self.values)]
        for tensor, start, end in zip(self.tensors, self._offsets, ends, strict=True):
            own = ranges[0 if id(tensor) in wanted else 1]
            if own and own[-1].stop == start:
                own[-1] = slice(own[-1].start, end)
            else:
                own.append(slice(start, end))
        return ranges

    def flatten(self, gradients: Sequence[torch.Tensor | None]) -> torch.Tensor:
        """Return gradients laid out like `values`; None becomes zeros."""
        flat = torch.zeros_like(self.values)
        for gradient, offset in zip(gradients, self._offsets, strict=True):
            if gradient is not None:
                flat[offset : offset + gradient.numel()] = gradient.reshape(-1)
        return flat


@dataclass(frozen=True, slots=True)
class _Group:
    """Ranges of the flat tensor that have taken the same number of steps."""

    ranges: list[slice]
    step: torch.Tensor

    def select(self, flat: torch.Tensor) -> list[torch.Tensor]:
        """Return views of these ranges."""
        return [flat[item] for item in self.ranges]


class FlatAdam:
    """AdamW with gradient clipping, without synchronizing with the device.

    Calls the kernel of `torch.optim.AdamW(fused=True)` directly, because creating that class imports torch's compiler,
    which takes longer than a short training.
    """

    def __init__(
        self, parameters: FlatParameters, settings: OptimizerSettings, *, warmed_up: Sequence[nn.Parameter] = ()
    ) -> None:
        """Start with zero moments.

        Args:
            parameters: All parameters.
            settings: Of Adam.
            warmed_up: The parameters that learn in steps of the warm-up.
        """
        self._weights = parameters.values
        self._warmed_up, self._resting = parameters.ranges(warmed_up)
        self._settings = settings
        device = parameters.values.device
        # A CUDA graph may record the step, so the learning rate must be a tensor on the GPU.
        self._lr: float | torch.Tensor = torch.zeros((), device=device) if device.type == "cuda" else 0.0
        self._step = torch.zeros((), device=device)
        self._exp_avg = torch.zeros_like(parameters.values)
        self._exp_avg_sq = torch.zeros_like(parameters.values)
        self._warmup_steps = torch.zeros((), device=device)
        self._had_warmup = False

    def set_lr(self, learning_rate: float) -> None:
        """Set the learning rate of the following steps."""
        if isinstance(self._lr, torch.Tensor):
            self._lr.fill_(learning_rate)
        else:
            self._lr = learning_rate

    @torch.no_grad()
    def step(
        self, gradient: torch.Tensor, learning_rate: float | None = None, *, is_warmup: bool = False
    ) -> torch.Tensor:
        """Clip the gradient in place, take a step and return the gradient's norm before clipping.

        Args:
            gradient: Laid out like the parameters; entries of parameters that rest are set to 0.
            learning_rate: The previous one unless given.
            is_warmup: Whether all parameters but those of the warm-up rest, and their moments.
        """
        if learning_rate is not None:
            self.set_lr(learning_rate)
        if is_warmup:
            for item in self._resting:
                gradient[item] = 0.0
            self._warmup_steps.add_(1)
            self._had_warmup = True
        norm: torch.Tensor = torch.linalg.vector_norm(gradient)
        gradient.mul_((self._settings.max_grad_norm / (norm + 1e-6)).clamp(max=1.0))
        self._step.add_(1)
        for group in self._groups(is_warmup):
            torch._fused_adamw_(
                group.select(self._weights),
                group.select(gradient),
                group.select(self._exp_avg),
                group.select(self._exp_avg_sq),
                [],
                [group.step] * len(group.ranges),
                lr=self._lr,
                beta1=self._settings.beta1,
                beta2=self._settings.beta2,
                weight_decay=self._settings.weight_decay,
                eps=self._settings.eps,
                amsgrad=False,
                maximize=False,
            )
        return norm

    def _groups(self, is_warmup: bool) -> list[_Group]:
        if is_warmup:
            return [_Group(self._warmed_up, self._step)]
        if not self._had_warmup:
            return [_Group([slice(None)], self._step)]
        # Parameters that rested have fewer steps behind them: their first moments need the correction of first steps.
        return [_Group(self._warmed_up, self._step), _Group(self._resting, self._step - self._warmup_steps)]

    def state_dict(self) -> dict[str, torch.Tensor]:
        """Return copies of the step count and the moments, on the CPU."""
        return {name: tensor.cpu().clone() for name, tensor in self._tensors().items()}

    def load_state_dict(self, state: dict[str, torch.Tensor]) -> None:
        """Continue from a saved step count and moments."""
        self._had_warmup = _WARMUP_STEPS in state
        self._warmup_steps.zero_()
        for name, tensor in self._tensors().items():
            tensor.copy_(state[name])

    def _tensors(self) -> dict[str, torch.Tensor]:
        tensors = {"step": self._step, "exp_avg": self._exp_avg, "exp_avg_sq": self._exp_avg_sq}
        # Trainings without a warm-up store no count of it.
        return {**tensors, _WARMUP_STEPS: self._warmup_steps} if self._had_warmup else tensors
