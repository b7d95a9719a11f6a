"""Adam over one flat row of weights."""

import torch

from diorama.learn.parameters import FlatParameters
from diorama.learn.settings.trainer import OptimizerSettings


class FlatAdam:
    """Clips the gradient and takes a step, each in one call and without asking the device anything."""

    def __init__(self, parameters: FlatParameters, settings: OptimizerSettings) -> None:
        """Start with no momentum."""
        self._weights = torch.nn.Parameter(parameters.values)
        self._max_grad_norm = settings.max_grad_norm
        self._adam = torch.optim.AdamW(
            [self._weights],
            betas=(settings.beta1, settings.beta2),
            eps=settings.eps,
            weight_decay=settings.weight_decay,
            fused=True,
        )
        # The state is made at once, so that it can be saved and loaded before the first step.
        self._adam.state[self._weights] = {
            "step": torch.zeros((), device=parameters.values.device),
            "exp_avg": torch.zeros_like(parameters.values),
            "exp_avg_sq": torch.zeros_like(parameters.values),
        }

    def step(self, gradient: torch.Tensor, learning_rate: float) -> torch.Tensor:
        """Take a step and return the norm the gradient had."""
        norm: torch.Tensor = torch.linalg.vector_norm(gradient)
        gradient.mul_((self._max_grad_norm / (norm + 1e-6)).clamp(max=1.0))
        self._weights.grad = gradient
        for group in self._adam.param_groups:
            group["lr"] = learning_rate
        self._adam.step()
        return norm

    def state(self) -> dict[str, torch.Tensor]:
        """Return copies of step count and momenta."""
        return {name: tensor.detach().cpu().clone() for name, tensor in self._adam.state[self._weights].items()}

    def load_state(self, state: dict[str, torch.Tensor]) -> None:
        """Continue from saved step count and momenta."""
        for name, tensor in self._adam.state[self._weights].items():
            tensor.copy_(state[name])
