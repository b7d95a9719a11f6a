"""`Learned`: everything that updates change, as tensors by name."""

from dataclasses import dataclass
from typing import Final

import torch

from diorama.learn.normalize import RewardScaler
from diorama.learn.policies.policy import Policy
from diorama.learn.ppo.optimizer import FlatAdam
from diorama.learn.state import prefixed, unprefixed

_POLICY: Final = "model_state_dict"
_OPTIMIZER: Final = "optimizer_state_dict"
_SCALER: Final = "normalizer_state_dict"
_OF_ROWS: Final = "returns"  # what a scaler knows of the rows of one process


@dataclass(frozen=True, slots=True)
class Learned:
    """Weights, momenta and statistics of a training; names begin as in a checkpoint."""

    policy: Policy
    adam: FlatAdam
    scaler: RewardScaler

    def tensors(self, *, of_rows: bool = True) -> dict[str, torch.Tensor]:
        """Return copies on the CPU; without `of_rows` only what is the same in every process of a team."""
        scaler = {name: tensor for name, tensor in self.scaler.state_dict().items() if of_rows or name != _OF_ROWS}
        return {
            **prefixed(_POLICY, self.policy.state_dict()),
            **prefixed(_OPTIMIZER, self.adam.state()),
            **prefixed(_SCALER, scaler),
        }

    def take(self, tensors: dict[str, torch.Tensor], *, of_rows: bool = True) -> None:
        """Go on with what `tensors` returned elsewhere; other names in it are passed over."""
        self.policy.load_state_dict(unprefixed(_POLICY, tensors))
        self.adam.load_state(unprefixed(_OPTIMIZER, tensors))
        self.scaler.load_state_dict(unprefixed(_SCALER, tensors), strict=of_rows)
