"""Small policies in compiled code, on the weights torch holds: actions, values and gradients."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

import torch
from torch import nn

from diorama.learn import kernels
from diorama.learn.errors import TrainingDiverged
from diorama.learn.policies.distributions import score_actions
from diorama.learn.policies.heads import JointHeads, relevant_scores, settle_irrelevant
from diorama.learn.policies.layers import ACTIVATIONS
from diorama.learn.policies.mlp import MlpEncoder
from diorama.learn.policies.recurrent import MinGru, NoMemory
from diorama.learn.settings.execution import Precision
from diorama.native import load_native

if TYPE_CHECKING:
    from diorama import _native
    from diorama.learn.buffer import DecisionViews, StepViews
    from diorama.learn.experience import PolicyInputs
    from diorama.learn.loss import LossTerms
    from diorama.learn.optimizer import FlatParameters
    from diorama.learn.policies.distributions import Drawing, Scores
    from diorama.learn.policies.policy import Policy
    from diorama.learn.settings import TrainerSettings

_NAMES: Final = {kind: name for name, kind in ACTIVATIONS.items()}


@dataclass(frozen=True, slots=True)
class Layers:
    """The layers of a policy in the order in which compiled code takes them: encoder, gates, actor, critic.

    Attributes:
        linear: Where the weights are.
        kernel: What computes them.
    """

    linear: tuple[nn.Linear, ...]
    kernel: _native.PolicyKernel


def why_torch(policy: Policy, settings: TrainerSettings) -> str | None:
    """Return why torch computes a training's policy; None where compiled code does."""
    execution = settings.execution
    if not execution.native:
        return "execution.native is off"
    if not execution.is_on_cpu or execution.is_pipelined:
        return f"the policy is on {execution.device}" if not execution.is_on_cpu else "execution.pipeline is on"
    if execution.compile:
        return "execution.compile is on"
    if execution.precision is not Precision.FLOAT32:
        return f"execution.precision is {execution.precision.value}"
    return why_not_here() or _obstacle(policy)


def why_torch_learns(policy: Policy, settings: TrainerSettings) -> str | None:
    """Return why torch computes the updates of a policy, even if compiled code decides; None where it need not."""
    return why_torch(policy, settings) or ("auxiliary heads learn there" if settings.policy.auxiliary else None)


def why_not_here() -> str | None:
    """Return why compiled code computes no policy on this machine; None where it can."""
    if not kernels.is_compiled():
        return "the native core does not load"
    if not load_native().has_fused_multiply_add:
        return "the processor has no fused multiply-add"
    return None


def layers_of(policy: Policy) -> Layers:
    """Return the layers of a policy that compiled code can compute."""
    encoder, own, memory = policy.encoder, policy.critic_encoder, policy.memory
    assert isinstance(encoder, MlpEncoder)
    assert own is None or isinstance(own, MlpEncoder)
    activation = _NAMES[type(encoder.layers[1])]
    before_values = _linear(own.layers) if own is not None else []
    hidden = _linear(policy.value_layers)
    critic = [*((layer, activation) for layer in before_values), *((layer, "relu") for layer in hidden)]
    gates = [memory.gates] if isinstance(memory, MinGru) else []
    actor = cast("JointHeads", policy.heads).linear
    kernel = load_native().PolicyKernel(
        obs=encoder.input.width - len(encoder.input.low),
        bytes=(encoder.input.low.tolist(), encoder.input.scale.tolist()),
        encoder=[layer.out_features for layer in _linear(encoder.layers)],
        activation=activation,
        has_memory=bool(gates),
        options=actor.out_features,
        critic=[(layer.out_features, name) for layer, name in critic],
        critic_sees_input=own is not None,
    )
    linear = (*_linear(encoder.layers), *gates, actor, *(layer for layer, _ in critic), policy.value_head)
    return Layers(linear, kernel)


def _obstacle(policy: Policy) -> str | None:
    if not isinstance(policy.encoder, MlpEncoder) or not isinstance(policy.memory, NoMemory | MinGru):
        return f"{policy.arch} has layers of other kinds than mlp-... and mingru-..."
    if not isinstance(policy.heads, JointHeads):
        return "heads wait for one another"
    if any(not isinstance(layer, nn.Linear | nn.ReLU) for layer in policy.value_layers):
        return "layers of the critic are normalized"
    return None


def _linear(layers: nn.Sequential) -> list[nn.Linear]:
    return [layer for layer in layers if isinstance(layer, nn.Linear)]


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


class NativeActor:
    """Decides for the rows of one lane; see `diorama.learn.actors`."""

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


class NativeLearner:
    """Computes gradients on as many threads as ask for them; `refresh` comes before, whenever weights have changed."""

    def __init__(self, policy: Policy, parameters: FlatParameters, network: NativeNetwork) -> None:
        """Take the policy, whose weights have been laid out flat."""
        self._policy = policy
        self._parameters = parameters
        self._network = network
        places = {id(tensor): place for place, tensor in enumerate(parameters.tensors)}
        self._places = [(places[id(layer.weight)], places[id(layer.bias)]) for layer in network.linear]
        self._spare_tapes: list[_native.PolicyTape] = []

    def refresh(self) -> None:
        """Take over the weights as they stand."""
        self._network.load(for_learning=True)

    def gradient(
        self,
        inputs: PolicyInputs,
        exploration: tuple[float, ...],
        loss: Callable[[Scores, torch.Tensor], LossTerms],
    ) -> tuple[torch.Tensor, LossTerms]:
        """Return the gradient of a loss of scores and values, laid out like the weights, and the loss.

        Args:
            inputs: The decisions.
            exploration: Share of uniform choice among valid options, per head.
            loss: Made of what the policy now thinks of the decisions, and of their values.
        """
        tape = self._take_tape()
        seen = (
            array(inputs.obs),
            array(inputs.obs_u8),
            array(inputs.starts.view(inputs.length, -1)),
            array(inputs.memory) if self._network.remembers else None,
        )
        plan = self._policy.heads.plan
        logits = torch.empty(len(inputs.obs), plan.layout.options)
        values = torch.empty(len(inputs.obs))
        self._network.kernel.study(tape, *seen, logits.numpy(), values.numpy())
        logits.requires_grad_()
        values.requires_grad_()
        scores = score_actions(logits, inputs.masks, inputs.actions, plan.layout, exploration)
        terms = loss(relevant_scores(plan, scores, inputs.actions), values * self._policy.value_scale.unit)
        of_logits, of_values = torch.autograd.grad(terms.total, (logits, values))
        flat = torch.zeros_like(self._parameters.values)
        parts = self._parameters.parts(flat)
        into = [(parts[weight].numpy(), parts[bias].numpy()) for weight, bias in self._places]
        self._network.kernel.differentiate(tape, *seen, array(of_logits.contiguous()), array(of_values), into)
        self._spare_tapes.append(tape)
        return flat, terms

    def _take_tape(self) -> _native.PolicyTape:
        try:
            return self._spare_tapes.pop()
        except IndexError:
            tape: _native.PolicyTape = load_native().PolicyTape()
            return tape
