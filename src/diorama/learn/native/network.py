"""`NativeNetwork`: a policy's layers in compiled code, with the weights torch holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from diorama.learn import kernels
from diorama.learn.divergence import TrainingDiverged
from diorama.learn.heads.relevance import settle_irrelevant
from diorama.learn.native.support import layers_of
from diorama.native import load_native

if TYPE_CHECKING:
    from diorama import _native
    from diorama.learn.heads.sampling import Drawing
    from diorama.learn.policies.policy import Policy
    from diorama.learn.rollouts.views import DecisionViews, StepViews


class NativeNetwork:
    """Reads weights where torch keeps them and lays them out for products; call `load` whenever they have changed."""

    def __init__(self, policy: Policy) -> None:
        """Take a policy that compiled code can compute."""
        self._policy = policy
        layers = layers_of(policy)
        self.linear = layers.linear
        self.kernel = layers.kernel
        self.remembers = policy.memory_width > 0

    def load(self, *, for_learning: bool) -> None:
        """Take over the weights and the scales as they stand."""
        normalizer = self._policy.normalizer
        scaling = None
        if normalizer is not None:
            scaling = (array(normalizer.shift), array(normalizer.scale), array(normalizer.limit))
        self.kernel.load(
            [(array(layer.weight), array(layer.bias)) for layer in self.linear],
            scaling=scaling,
            value_unit=float(self._policy.value_scale.unit),
            both_ways=for_learning,
        )


class NativeDecider:
    """Decides for the rows of one lane; see `diorama.learn.rollouts.deciding`."""

    def __init__(self, policy: Policy, network: NativeNetwork) -> None:
        """Take the network that all lanes share."""
        self._plan = policy.heads.plan
        self._network = network
        self._tape: _native.PolicyTape = load_native().PolicyTape()

    def decide(
        self,
        shown: StepViews,
        masks: torch.Tensor | None,
        memory: torch.Tensor,
        drawing: Drawing,
        written: DecisionViews,
    ) -> None:
        """Write one option per head and row, its log-probability, the values, and what is remembered."""
        key = drawing.key
        broken = self._network.kernel.act(
            self._tape,
            kernels.head_kernel(self._plan.layout, drawing.exploration),
            shown.obs.numpy(),
            shown.obs_u8.numpy(),
            shown.starts[0].numpy(),
            memory.numpy() if self._network.remembers else None,
            None if masks is None else masks.numpy(),
            None if key is None else (key.seed, key.update, key.step, key.row, key.head),
            written.actions.numpy(),
            written.log_probs.numpy(),
            shown.values.numpy(),
        )
        if broken:
            raise TrainingDiverged(f"the policy's logits are not finite in {broken} of {len(shown.values)} rows")
        if self._plan.has_relevance:
            for head in range(len(self._plan.heads)):
                settle_irrelevant(self._plan, head, written.actions, written.log_probs)

    def likelihoods(
        self, shown: StepViews, masks: torch.Tensor | None, exploration: tuple[float, ...], written: DecisionViews
    ) -> torch.Tensor | None:
        """Return nothing: compiled code keeps no more of a decision than what was chosen."""
        return None

    def appraise(
        self, obs: torch.Tensor, obs_u8: torch.Tensor, memory: torch.Tensor, starts: torch.Tensor
    ) -> torch.Tensor:
        """Return the value of each row."""
        values = torch.empty(len(obs))
        self._network.kernel.appraise(
            self._tape,
            obs.numpy(),
            obs_u8.numpy(),
            starts[0].numpy(),
            memory.numpy() if self._network.remembers else None,
            values.numpy(),
        )
        return values


def array(tensor: torch.Tensor) -> Any:
    """Return a tensor's own memory for numpy."""
    return tensor.detach().numpy()
