"""Small policies in compiled code: sampling, values and gradients, with the weights of the torch module."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import torch
from torch import nn

from diorama.learn import kernels
from diorama.learn.policies.distributions import refuse_non_finite_logits, score_actions
from diorama.learn.policies.heads import JointHeads, PointerHeads, fill_irrelevant, relevant_scores
from diorama.learn.policies.layers import ACTIVATIONS
from diorama.learn.policies.mlp import MlpEncoder
from diorama.learn.policies.recurrent import MinGru, NoMemory
from diorama.learn.settings.execution import Precision
from diorama.native import load_native

if TYPE_CHECKING:
    from diorama import _native
    from diorama.learn.buffer import DecisionViews, StepViews
    from diorama.learn.experience import PolicyInputs
    from diorama.learn.optimizer import FlatParameters
    from diorama.learn.policies.distributions import ActionSampling, Scores
    from diorama.learn.policies.entities import EntityTable
    from diorama.learn.policies.policy import Policy
    from diorama.learn.settings import TrainerSettings

Terms = TypeVar("Terms")

_NAMES: Final = {kind: name for name, kind in ACTIVATIONS.items()}


@dataclass(frozen=True, slots=True)
class Layers:
    """The layers of a policy in the order of the compiled code: encoder, gates, actor, critic, entities.

    Attributes:
        linear: The torch layers, which own the weights.
        kernel: The compiled policy.
    """

    linear: tuple[nn.Linear, ...]
    kernel: _native.PolicyKernel


def why_torch(policy: Policy, settings: TrainerSettings) -> str | None:
    """Return why a training runs its policy with torch; None if compiled code runs it."""
    execution = settings.execution
    if not execution.native:
        return "execution.native is off"
    if not execution.is_on_cpu or execution.is_pipelined:
        return f"the policy is on {execution.device}" if not execution.is_on_cpu else "execution.pipeline is on"
    if execution.compile:
        return "execution.compile is on"
    if execution.precision is not Precision.FLOAT32:
        return f"execution.precision is {execution.precision.value}"
    return why_unavailable() or _why_unsupported(policy)


def why_torch_learns(policy: Policy, settings: TrainerSettings) -> str | None:
    """Return why a training computes gradients with torch; None if compiled code does."""
    # Checkpoints store this text, too.
    return why_torch(policy, settings) or ("auxiliary heads learn there" if settings.policy.auxiliary else None)


def why_unavailable() -> str | None:
    """Return why compiled policies cannot run on this machine; None if they can."""
    if not kernels.is_compiled():
        return "the native core does not load"
    if not load_native().has_fused_multiply_add:
        return "the processor has no fused multiply-add"
    return None


def layers_of(policy: Policy) -> Layers:
    """Return the layers of a policy; `why_torch` must have returned None for it."""
    encoder, own, memory = policy.encoder, policy.critic_encoder, policy.memory
    assert isinstance(encoder, MlpEncoder)
    assert own is None or isinstance(own, MlpEncoder)
    activation = _NAMES[type(encoder.layers[1])]
    encoder_layers = _linear(own.layers) if own is not None else []
    hidden = _linear(policy.value_layers)
    critic = [*((layer, activation) for layer in encoder_layers), *((layer, "relu") for layer in hidden)]
    gates = [memory.gates] if isinstance(memory, MinGru) else []
    actor = cast("JointHeads", policy.heads).linear
    kernel = load_native().PolicyKernel(
        obs=encoder.input.width - len(encoder.input.low),
        bytes=(encoder.input.low.tolist(), encoder.input.scale.tolist()),
        entities=[
            (table.start, table.count, table.features, table.width, table.first_option) for table in _tables(policy)
        ],
        encoder=[layer.out_features for layer in _linear(encoder.layers)],
        activation=activation,
        has_memory=bool(gates),
        options=actor.out_features,
        critic=[(layer.out_features, name) for layer, name in critic],
        critic_sees_input=own is not None,
        values=policy.value_head.out_features,
    )
    critic_layers = [*(layer for layer, _ in critic), policy.value_head]
    linear = (*_linear(encoder.layers), *gates, actor, *critic_layers, *_entity_layers(policy))
    return Layers(linear, kernel)


def _why_unsupported(policy: Policy) -> str | None:
    # Checkpoints store these texts.
    if not isinstance(policy.encoder, MlpEncoder) or not isinstance(policy.memory, NoMemory | MinGru):
        return f"{policy.arch} has layers of other kinds than mlp-... and mingru-..."
    if policy.entities is not None and policy.critic_encoder is not None:
        return "entities are embedded for a critic of its own"
    if not isinstance(policy.heads, JointHeads):
        return "heads wait for one another"
    if any(not isinstance(layer, nn.Linear | nn.ReLU) for layer in policy.value_layers):
        return "layers of the critic are normalized"
    return None


def _tables(policy: Policy) -> tuple[EntityTable, ...]:
    return () if policy.entities is None else policy.entities.tables


def _entity_layers(policy: Policy) -> list[nn.Linear]:
    if policy.entities is None:
        return []
    heads = policy.heads
    queries = iter(heads.queries if isinstance(heads, PointerHeads) else ())
    layers: list[nn.Module] = []
    for index, table in enumerate(policy.entities.tables):
        layers += [part[index] for part in (policy.entities.own, policy.entities.context, policy.entities.embed)]
        layers += [] if table.first_option is None else [next(queries)]
    return cast("list[nn.Linear]", layers)


def _linear(layers: nn.Sequential) -> list[nn.Linear]:
    return [layer for layer in layers if isinstance(layer, nn.Linear)]


class NativeNetwork:
    """Compiled copy of a policy's weights; call `load` after the weights have changed."""

    def __init__(self, policy: Policy) -> None:
        """Wrap a policy for which `why_torch` returned None."""
        self._policy = policy
        layers = layers_of(policy)
        self.linear = layers.linear
        self.kernel = layers.kernel
        self.has_memory = policy.memory_width > 0

    def load(self, *, for_learning: bool) -> None:
        """Copy the current weights and scales; `for_learning` also prepares the backward pass."""
        normalizer = self._policy.normalizer
        scaling = None
        if normalizer is not None:
            scaling = (as_numpy(normalizer.shift), as_numpy(normalizer.scale), as_numpy(normalizer.limit))
        self.kernel.load(
            [(as_numpy(layer.weight), as_numpy(layer.bias)) for layer in self.linear],
            scaling=scaling,
            value_unit=float(self._policy.value_scale.unit),
            with_backward=for_learning,
        )


class NativeActor:
    """Runs the policy for one shard of environments; see `diorama.learn.actors.Actor`."""

    def __init__(self, policy: Policy, network: NativeNetwork) -> None:
        """Act with a network that all shards share."""
        self._policy = policy
        self._plan = policy.heads.plan
        self._network = network
        self._tape: _native.PolicyTape = load_native().PolicyTape()

    def act(
        self,
        step: StepViews,
        masks: torch.Tensor | None,
        memory: torch.Tensor,
        sampling: ActionSampling,
        out: DecisionViews,
    ) -> None:
        """Sample an action per row; write actions, log-probabilities, values and the next recurrent state."""
        key = sampling.key
        not_finite = self._network.kernel.act(
            self._tape,
            kernels.head_kernel(self._plan.layout, sampling.exploration),
            step.obs.numpy(),
            step.obs_u8.numpy(),
            step.starts[0].numpy(),
            memory.numpy() if self._network.has_memory else None,
            None if masks is None else masks.numpy(),
            None if key is None else (key.seed, key.update, key.step, key.row, key.head),
            out.actions.numpy(),
            out.log_probs.numpy(),
            step.values.view(-1).numpy(),
        )
        refuse_non_finite_logits(not_finite, len(step.values))
        if self._plan.has_relevance:
            for head in range(len(self._plan.heads)):
                fill_irrelevant(self._plan, head, out.actions, out.log_probs)

    def probabilities(
        self, step: StepViews, masks: torch.Tensor | None, exploration: tuple[float, ...], out: DecisionViews
    ) -> torch.Tensor | None:
        """Return None: compiled code does not store the probabilities."""
        return None

    def values(
        self, obs: torch.Tensor, obs_u8: torch.Tensor, memory: torch.Tensor, starts: torch.Tensor
    ) -> torch.Tensor:
        """Return the critic's outputs for each row."""
        values = torch.empty(len(obs), *self._policy.value_shape)
        self._network.kernel.values(
            self._tape,
            obs.numpy(),
            obs_u8.numpy(),
            starts[0].numpy(),
            memory.numpy() if self._network.has_memory else None,
            values.view(-1).numpy(),
        )
        return values

    def total_values(self, values: torch.Tensor) -> torch.Tensor:
        """Return one value per row from the critic's outputs."""
        return self._policy.total_values(values)


def as_numpy(tensor: torch.Tensor) -> Any:
    """Return a numpy view of a tensor's memory."""
    return tensor.detach().numpy()


class NativeLearner:
    """Computes gradients, on any number of threads; call `load_weights` after the weights have changed."""

    def __init__(self, policy: Policy, parameters: FlatParameters, network: NativeNetwork) -> None:
        """Compute gradients of a policy, laid out like its flat parameters."""
        self._policy = policy
        self._parameters = parameters
        self._network = network
        indices = {id(tensor): index for index, tensor in enumerate(parameters.tensors)}
        self._indices = [(indices[id(layer.weight)], indices[id(layer.bias)]) for layer in network.linear]
        self._spare_tapes: list[_native.PolicyTape] = []

    def load_weights(self) -> None:
        """Copy the current weights."""
        self._network.load(for_learning=True)

    def gradient(
        self,
        inputs: PolicyInputs,
        exploration: tuple[float, ...],
        loss: Callable[[Scores, torch.Tensor, torch.Tensor], tuple[torch.Tensor, Terms]],
    ) -> tuple[torch.Tensor, Terms]:
        """Return the flat gradient of a loss, and its terms.

        Args:
            inputs: Observations and actions.
            exploration: Share of uniform choice among valid options, per head.
            loss: Computes the loss and its terms from scores of the actions, values and logits.
        """
        tape = self._take_tape()
        arrays = (
            as_numpy(inputs.obs),
            as_numpy(inputs.obs_u8),
            as_numpy(inputs.starts.view(inputs.length, -1)),
            as_numpy(inputs.memory) if self._network.has_memory else None,
        )
        plan = self._policy.heads.plan
        logits = torch.empty(len(inputs.obs), plan.layout.options)
        values = torch.empty(len(inputs.obs), *self._policy.value_shape)
        self._network.kernel.forward(tape, *arrays, logits.numpy(), values.view(-1).numpy())
        logits.requires_grad_()
        values.requires_grad_()
        scores = score_actions(logits, inputs.masks, inputs.actions, plan.layout, exploration)
        scores = relevant_scores(plan, scores, inputs.actions)
        total, terms = loss(scores, values * self._policy.value_scale.unit, logits)
        grad_logits, grad_values = torch.autograd.grad(total, (logits, values))
        flat = torch.zeros_like(self._parameters.values)
        views = self._parameters.split(flat)
        gradients = [(views[weight].numpy(), views[bias].numpy()) for weight, bias in self._indices]
        self._network.kernel.backward(
            tape, *arrays, as_numpy(grad_logits.contiguous()), as_numpy(grad_values.flatten()), gradients
        )
        self._spare_tapes.append(tape)
        return flat, terms

    def _take_tape(self) -> _native.PolicyTape:
        try:
            return self._spare_tapes.pop()
        except IndexError:
            tape: _native.PolicyTape = load_native().PolicyTape()
            return tape
