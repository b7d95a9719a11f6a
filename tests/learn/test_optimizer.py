"""FlatAdam against the formulas of AdamW."""

import torch
from torch import nn

from diorama.learn.optimizer import FlatAdam, FlatParameters
from diorama.learn.settings.trainer import OptimizerSettings


def test_steps_are_those_of_adamw_with_a_clipped_gradient() -> None:
    settings = OptimizerSettings(max_grad_norm=0.7, weight_decay=0.02, beta2=0.99)
    torch.manual_seed(3)
    parameters = FlatParameters(nn.Linear(16, 3))
    adam = FlatAdam(parameters, settings)
    weights = parameters.values.double()
    mean, mean_square = torch.zeros_like(weights), torch.zeros_like(weights)

    for step in range(1, 6):
        gradient = torch.randn(len(weights)) * (step - 0.99)
        clipped = gradient.double() * min(1.0, 0.7 / (float(gradient.norm()) + 1e-6))
        mean = 0.9 * mean + 0.1 * clipped
        mean_square = 0.99 * mean_square + 0.01 * clipped.square()
        direction = mean / (1 - 0.9**step) / ((mean_square / (1 - 0.99**step)).sqrt() + settings.eps)
        weights = weights * (1 - 0.01 * 0.02) - 0.01 * direction
        adam.step(gradient, 0.01)

        torch.testing.assert_close(parameters.values.double(), weights, rtol=1e-5, atol=1e-6)


def test_a_saved_state_can_be_loaded() -> None:
    one = FlatAdam(FlatParameters(nn.Linear(4, 2)), OptimizerSettings())
    one.step(torch.arange(32.0), 0.01)
    other = FlatAdam(FlatParameters(nn.Linear(4, 2)), OptimizerSettings())
    other.load_state_dict(one.state_dict())

    assert float(other.state_dict()["step"]) == 1.0
    assert all(torch.equal(tensor, other.state_dict()[name]) for name, tensor in one.state_dict().items())
