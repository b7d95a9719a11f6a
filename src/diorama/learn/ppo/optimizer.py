"""Adam over one flat row of weights."""

import torch

from diorama.learn.ppo.parameters import FlatParameters
from diorama.learn.settings.trainer import OptimizerSettings


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
