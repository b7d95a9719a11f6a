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
        is_on_gpu = parameters.values.device.type == "cuda"
        # On a GPU the step may be recorded, and what changes between steps must lie there.
        self._rate = torch.zeros((), device=parameters.values.device) if is_on_gpu else None
        self._adam = torch.optim.AdamW(
            [self._weights],
            lr=1e-3 if self._rate is None else self._rate,
            capturable=is_on_gpu,
            betas=(settings.beta1, settings.beta2),
            eps=settings.eps,
            weight_decay=settings.weight_decay,
            fused=True,
        )
        # Steps are also taken without being recorded; that is no mistake to warn of.
        self._adam._warned_capturable_if_run_uncaptured = True
        # The state is made at once, so that it can be saved and loaded before the first step.
        self._adam.state[self._weights] = {
            "step": torch.zeros((), device=parameters.values.device),
            "exp_avg": torch.zeros_like(parameters.values),
            "exp_avg_sq": torch.zeros_like(parameters.values),
        }

    def aim(self, learning_rate: float) -> None:
        """Set the step size of the steps to come."""
        if self._rate is not None:
            self._rate.fill_(learning_rate)
            return
        for group in self._adam.param_groups:
            group["lr"] = learning_rate

    def step(self, gradient: torch.Tensor, learning_rate: float | None = None) -> torch.Tensor:
        """Take a step, of the size that was aimed at unless another is given, and return the norm the gradient had."""
        if learning_rate is not None:
            self.aim(learning_rate)
        norm: torch.Tensor = torch.linalg.vector_norm(gradient)
        gradient.mul_((self._max_grad_norm / (norm + 1e-6)).clamp(max=1.0))
        self._weights.grad = gradient
        self._adam.step()
        return norm

    def state(self) -> dict[str, torch.Tensor]:
        """Return copies of step count and momenta."""
        return {name: tensor.detach().cpu().clone() for name, tensor in self._adam.state[self._weights].items()}

    def load_state(self, state: dict[str, torch.Tensor]) -> None:
        """Continue from saved step count and momenta."""
        for name, tensor in self._adam.state[self._weights].items():
            tensor.copy_(state[name])
