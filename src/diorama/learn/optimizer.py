"""Adam on one flat tensor that holds all parameters of a policy."""

from collections.abc import Sequence
from typing import Final

import torch
from torch import nn

from diorama.learn.settings.trainer import OptimizerSettings

_ALIGNMENT: Final = 16  # float32 numbers, 64 bytes: matrix products then round alike in every process


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

    def flatten(self, gradients: Sequence[torch.Tensor | None]) -> torch.Tensor:
        """Return gradients laid out like `values`; None becomes zeros."""
        flat = torch.zeros_like(self.values)
        for gradient, offset in zip(gradients, self._offsets, strict=True):
            if gradient is not None:
                flat[offset : offset + gradient.numel()] = gradient.reshape(-1)
        return flat


class FlatAdam:
    """AdamW with gradient clipping, without synchronizing with the device.

    Calls the kernel of `torch.optim.AdamW(fused=True)` directly, because creating that class imports torch's compiler,
    which takes longer than a short training.
    """

    def __init__(self, parameters: FlatParameters, settings: OptimizerSettings) -> None:
        """Start with zero moments."""
        self._weights = parameters.values
        self._settings = settings
        device = parameters.values.device
        # A CUDA graph may record the step, so the learning rate must be a tensor on the GPU.
        self._lr: float | torch.Tensor = torch.zeros((), device=device) if device.type == "cuda" else 0.0
        self._step = torch.zeros((), device=device)
        self._exp_avg = torch.zeros_like(parameters.values)
        self._exp_avg_sq = torch.zeros_like(parameters.values)

    def set_lr(self, learning_rate: float) -> None:
        """Set the learning rate of the following steps."""
        if isinstance(self._lr, torch.Tensor):
            self._lr.fill_(learning_rate)
        else:
            self._lr = learning_rate

    @torch.no_grad()
    def step(self, gradient: torch.Tensor, learning_rate: float | None = None) -> torch.Tensor:
        """Clip the gradient in place, take a step and return the gradient's norm before clipping."""
        if learning_rate is not None:
            self.set_lr(learning_rate)
        norm: torch.Tensor = torch.linalg.vector_norm(gradient)
        gradient.mul_((self._settings.max_grad_norm / (norm + 1e-6)).clamp(max=1.0))
        self._step.add_(1)
        torch._fused_adamw_(
            [self._weights],
            [gradient],
            [self._exp_avg],
            [self._exp_avg_sq],
            [],
            [self._step],
            lr=self._lr,
            beta1=self._settings.beta1,
            beta2=self._settings.beta2,
            weight_decay=self._settings.weight_decay,
            eps=self._settings.eps,
            amsgrad=False,
            maximize=False,
        )
        return norm

    def state_dict(self) -> dict[str, torch.Tensor]:
        """Return copies of the step count and the moments, on the CPU."""
        return {name: tensor.cpu().clone() for name, tensor in self._tensors().items()}

    def load_state_dict(self, state: dict[str, torch.Tensor]) -> None:
        """Continue from a saved step count and moments."""
        for name, tensor in self._tensors().items():
            tensor.copy_(state[name])

    def _tensors(self) -> dict[str, torch.Tensor]:
        return {"step": self._step, "exp_avg": self._exp_avg, "exp_avg_sq": self._exp_avg_sq}
