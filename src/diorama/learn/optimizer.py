"""Adam over all weights of a policy in one flat tensor."""

from collections.abc import Sequence
from typing import Final

import torch
from torch import nn

from diorama.learn.settings.trainer import OptimizerSettings

_ALIGNMENT: Final = 16  # float32 entries, 64 bytes: products run at full speed and round alike wherever memory lies


class FlatParameters:
    """The weights as views of one tensor.

    Attributes:
        tensors: The weights, in the module's order.
        values: One long leaf tensor they are views of.
    """

    def __init__(self, module: nn.Module) -> None:
        """Move the module's weights; everyone who holds them keeps seeing them."""
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

    def parts(self, flat: torch.Tensor) -> list[torch.Tensor]:
        """Return what belongs to each weight in something laid out like the weights."""
        return [
            flat[offset : offset + tensor.numel()] for tensor, offset in zip(self.tensors, self._offsets, strict=True)
        ]

    def flatten(self, gradients: Sequence[torch.Tensor | None]) -> torch.Tensor:
        """Return gradients of the weights laid out like the weights; a weight without one has zeros."""
        flat = torch.zeros_like(self.values)
        for gradient, offset in zip(gradients, self._offsets, strict=True):
            if gradient is not None:
                flat[offset : offset + gradient.numel()] = gradient.reshape(-1)
        return flat


class FlatAdam:
    """Clips the gradient and takes a step, each in one call and without asking the device anything.

    The step is the kernel of `torch.optim.AdamW(fused=True)`, called without that class: making one loads torch's
    compiler, which takes longer than many a run.
    """

    def __init__(self, parameters: FlatParameters, settings: OptimizerSettings) -> None:
        """Start with no momentum."""
        self._weights = parameters.values
        self._settings = settings
        device = parameters.values.device
        # On a GPU the step may be recorded, and what changes between steps must lie there.
        self._rate: float | torch.Tensor = torch.zeros((), device=device) if device.type == "cuda" else 0.0
        self._steps = torch.zeros((), device=device)
        self._mean = torch.zeros_like(parameters.values)
        self._mean_square = torch.zeros_like(parameters.values)

    def aim(self, learning_rate: float) -> None:
        """Set the step size of the steps to come."""
        if isinstance(self._rate, torch.Tensor):
            self._rate.fill_(learning_rate)
        else:
            self._rate = learning_rate

    @torch.no_grad()
    def step(self, gradient: torch.Tensor, learning_rate: float | None = None) -> torch.Tensor:
        """Take a step, of the size that was aimed at unless another is given, and return the norm the gradient had."""
        if learning_rate is not None:
            self.aim(learning_rate)
        norm: torch.Tensor = torch.linalg.vector_norm(gradient)
        gradient.mul_((self._settings.max_grad_norm / (norm + 1e-6)).clamp(max=1.0))
        self._steps.add_(1)
        torch._fused_adamw_(
            [self._weights],
            [gradient],
            [self._mean],
            [self._mean_square],
            [],
            [self._steps],
            lr=self._rate,
            beta1=self._settings.beta1,
            beta2=self._settings.beta2,
            weight_decay=self._settings.weight_decay,
            eps=self._settings.eps,
            amsgrad=False,
            maximize=False,
        )
        return norm

    def state(self) -> dict[str, torch.Tensor]:
        """Return copies of step count and momenta."""
        return {name: tensor.cpu().clone() for name, tensor in self._parts().items()}

    def load_state(self, state: dict[str, torch.Tensor]) -> None:
        """Continue from saved step count and momenta."""
        for name, tensor in self._parts().items():
            tensor.copy_(state[name])

    def _parts(self) -> dict[str, torch.Tensor]:
        return {"step": self._steps, "exp_avg": self._mean, "exp_avg_sq": self._mean_square}
