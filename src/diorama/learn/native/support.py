"""Which policies compiled code can compute, and what their layers are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from torch import nn

from diorama.learn import kernels
from diorama.learn.heads.joint import JointHeads
from diorama.learn.policies.activations import ACTIVATIONS
from diorama.learn.policies.encoders import MlpEncoder
from diorama.learn.policies.memory import MinGru, NoMemory
from diorama.learn.settings.execution import Precision
from diorama.native import load_native

if TYPE_CHECKING:
    from diorama import _native
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
