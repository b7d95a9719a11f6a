"""`Policy`: encoder, memory, action heads and critic, chosen by name."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import nn

from diorama.contracts.errors import ConfigError
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import JsonObject, canonical_json
from diorama.learn.keyed_random import subseed
from diorama.learn.normalization import ObservationNormalizer, ValueScale
from diorama.learn.policies.cnn import BranchEncoder, PictureEncoder
from diorama.learn.policies.entities import EntityEncoder, entity_tables, pooled
from diorama.learn.policies.head_plan import plan_heads
from diorama.learn.policies.heads import AuxiliaryHead, build_heads
from diorama.learn.policies.layers import hidden_layers, orthogonal_linear
from diorama.learn.policies.mlp import MlpEncoder, NormalizedEncoder
from diorama.learn.policies.names import PolicyName, parse_name
from diorama.learn.policies.recurrent import Lstm, MinGru, NoMemory, ResidualLstm
from diorama.learn.settings import ExecutionSettings, NormalizationSettings, PolicySettings, TrainerSettings
from diorama.learn.settings.execution import Precision
from diorama.learn.streams import WEIGHTS

_AUXILIARY_GAIN: Final = 0.1
_PICTURE_FEATURES: Final = 512
_SMALL_PICTURE_FEATURES: Final = 128


@dataclass(frozen=True, slots=True)
class Features:
    """Inputs of action heads and critic, rows × width each."""

    actor: torch.Tensor
    critic: torch.Tensor


class Policy(nn.Module):
    """Actor-critic network: encoder, optional memory, action heads, critic and auxiliary heads.

    Attributes:
        arch: Name of the architecture.
        entities: Embeds the rows of tables inside the observation; None without.
        heads: The action heads.
        components: Terms of the reward that the critic predicts one by one; empty if it predicts their sum.
        component_weights: Weights of their sum, by the schedules of the settings; only with components.
    """

    component_weights: torch.Tensor

    def __init__(
        self,
        spec: WorldSpec,
        settings: PolicySettings,
        normalization: NormalizationSettings,
        *,
        seed: int,
    ) -> None:
        """Create a policy; its initial weights depend on the seed alone."""
        super().__init__()
        name = parse_name(settings.arch)
        generator = torch.Generator().manual_seed(subseed(seed, WEIGHTS, 0, 0))
        self.arch = name.text
        self._uses_bfloat16 = False
        self.normalizer = _observation_normalizer(spec, normalization)
        self.entities = _entities(spec, name, settings, generator)
        self.encoder = _encoder(spec, name, settings.embeddings, self.entities, generator)
        self.memory = _memory(name, self.encoder.width, generator)
        self.critic_encoder = (
            _encoder(spec, name, settings.embeddings, self.entities, generator) if name.is_separate else None
        )
        width = self.memory.width
        pointed = self.entities.pointed if self.entities is not None else ()
        plan = plan_heads(spec, settings.heads)
        self.heads = build_heads(plan, width, pointed, gain=settings.actor_gain, generator=generator)
        hidden, normalized = settings.critic_hidden, settings.critic_normalized_layers
        self.value_layers = nn.Sequential(*hidden_layers(width, hidden, normalized=normalized, generator=generator))
        self.value_head = orthogonal_linear(
            hidden[-1] if hidden else width,
            len(settings.value_components) or 1,
            gain=settings.critic_gain,
            generator=generator,
        )
        # Sorted, because a stored mapping may come back in another order.
        self.components = tuple(sorted(settings.value_components))
        if self.components:
            self.register_buffer("component_weights", torch.tensor(settings.component_weights(0)))
        self.value_scale = ValueScale(normalization.momentum)
        self.auxiliary = nn.ModuleDict(
            {
                key: AuxiliaryHead(width, item.width_in(spec), item, gain=_AUXILIARY_GAIN, generator=generator)
                for key, item in settings.auxiliary.items()
            }
        )

    def run_on(self, execution: ExecutionSettings) -> "Policy":
        """Move to the device and precision of the settings; memory, heads and critic stay in float32."""
        self._uses_bfloat16 = execution.precision is Precision.BFLOAT16
        if execution.compile:
            for encoder in (self.encoder, self.critic_encoder):
                if encoder is not None:
                    encoder.compile()
        return self.to(execution.device)

    @property
    def memory_width(self) -> int:
        """Width of the recurrent state; 0 without memory."""
        return self.memory.state_width

    @property
    def critic_parameters(self) -> list[nn.Parameter]:
        """Parameters of the value function that actions do not depend on."""
        layers = [self.critic_encoder, self.value_layers, self.value_head]
        return [parameter for layer in layers if layer is not None for parameter in layer.parameters()]

    def features(
        self, obs: torch.Tensor, obs_u8: torch.Tensor, memory: torch.Tensor, starts: torch.Tensor
    ) -> tuple[Features, torch.Tensor]:
        """Encode a sequence of observations.

        Args:
            obs: (Steps · rows) × width, time-major.
            obs_u8: Likewise.
            memory: Recurrent state before the first step, rows × memory width.
            starts: Steps × rows, non-zero where the observation is the first of an episode.

        Returns:
            Features of every step and row, and the recurrent state after the last step.
        """
        if self.normalizer is not None:
            obs = self.normalizer(obs)
        with torch.autocast(obs.device.type, torch.bfloat16, enabled=self._uses_bfloat16):
            embedded = [] if self.entities is None else self.entities(obs)
            further = (pooled(embedded),) if embedded else ()
            encoded = self.encoder(obs, obs_u8, *further)
            critic = encoded if self.critic_encoder is None else self.critic_encoder(obs, obs_u8, *further)
        encoded, critic = encoded.float(), critic.float()
        if self.memory_width:
            sequence, memory = self.memory(encoded.view(*starts.shape, -1), memory, starts)
            encoded = sequence.flatten(0, 1)
            critic = encoded if self.critic_encoder is None else critic
        actor = encoded if self.entities is None else torch.cat([encoded, *self.entities.pointed_at(embedded)], dim=1)
        return Features(actor=actor, critic=critic), memory

    def values(self, features: Features) -> torch.Tensor:
        """Return the value of each row, in units of the scaled rewards."""
        return self.total_values(self.value_outputs(features))

    def total_values(self, outputs: torch.Tensor) -> torch.Tensor:
        """Return one value per row from what the critic predicts."""
        return outputs @ self.component_weights if self.components else outputs

    @property
    def value_shape(self) -> tuple[int, ...]:
        """Shape of what the critic predicts for a row."""
        return (len(self.components),) if self.components else ()

    def weigh_components(self, weights: Sequence[float]) -> None:
        """Set the weights of the components, in their order; does nothing without components."""
        if self.components:
            self.component_weights.copy_(torch.tensor(weights))

    def value_outputs(self, features: Features) -> torch.Tensor:
        """Return the values that the critic learns: one per row, or rows × components."""
        values: torch.Tensor = self.value_head(self.value_layers(features.critic)).float()
        return (values if self.components else values.squeeze(1)) * self.value_scale.unit

    def predict(
        self, name: str, features: Features, *, detached: bool, dropout_mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Return the prediction of an auxiliary head, rows × its width."""
        inputs = features.actor.detach() if detached else features.actor
        predicted: torch.Tensor = self.auxiliary[name](inputs, dropout_mask)
        return predicted


def build_policy(spec: WorldSpec, settings: TrainerSettings, *, seed: int) -> Policy:
    """Return the policy of a training, on its device."""
    return Policy(spec, settings.policy, settings.normalization, seed=seed).run_on(settings.execution)


def _observation_normalizer(spec: WorldSpec, settings: NormalizationSettings) -> ObservationNormalizer | None:
    if not settings.observations:
        return None
    return ObservationNormalizer(
        spec,
        passthrough=settings.observation_passthrough,
        clip=settings.observation_clip,
        momentum=settings.momentum,
    )


def _entities(
    spec: WorldSpec, name: PolicyName, settings: PolicySettings, generator: torch.Generator
) -> EntityEncoder | None:
    if not settings.entities:
        return None
    if name.has_convolutions or name.branches or name.residual_layers:
        raise ConfigError(
            f"policy.entities: {name.text} has no layers over a flat observation; use mlp-... or mingru-...",
            code="entities_unsupported",
            arch=name.text,
        )
    if settings.auxiliary:
        raise ConfigError(
            "policy.entities cannot be combined with policy.auxiliary", code="entities_with_auxiliary_heads"
        )
    return EntityEncoder(entity_tables(spec, settings.entities), spec.obs_width, generator=generator)


def _encoder(
    spec: WorldSpec,
    name: PolicyName,
    embeddings: Mapping[str, int],
    entities: EntityEncoder | None,
    generator: torch.Generator,
) -> MlpEncoder | PictureEncoder | BranchEncoder | NormalizedEncoder:
    if name.residual_layers:
        return NormalizedEncoder(spec, name.memory_size, embeddings, generator=generator)
    if embeddings:
        raise ConfigError(
            f"policy.embeddings: {name.text} has no embeddings; use residual-lstm-...",
            code="embeddings_unsupported",
            arch=name.text,
        )
    if name.branches:
        return BranchEncoder(spec, name.branches, has_memory=name.memory is not None, generator=generator)
    if name.has_convolutions:
        features = _SMALL_PICTURE_FEATURES if name.is_small else _PICTURE_FEATURES
        return PictureEncoder(spec, name.memory_size or features, is_small=name.is_small, generator=generator)
    further = 0 if entities is None else entities.pooled_width
    widths = name.widths or (name.memory_size,)
    return MlpEncoder(spec, widths, name.activation, further=further, generator=generator)


def _memory(name: PolicyName, width: int, generator: torch.Generator) -> NoMemory | MinGru | Lstm | ResidualLstm:
    if name.residual_layers:
        return ResidualLstm(width, name.residual_layers, generator=generator)
    if name.memory == "mingru":
        return MinGru(width, generator=generator)
    if name.memory == "lstm":
        return Lstm(width, generator=generator)
    return NoMemory(width)


def policy_hash(policy: Policy, spec: WorldSpec) -> str:
    """Return the SHA-256 of a policy's interface and weights.

    Interface version, observation layout and head sizes come first; then each tensor, sorted by name: name, shape,
    and its numbers as little-endian float32.
    """
    layout: JsonObject = {
        "interface_version": spec.interface_version,
        "observation": [[item.name, *item.shape] for item in spec.observation],
        "heads": [len(head.options) for head in spec.heads],
        "arch": policy.arch,
    }
    digest = hashlib.sha256(canonical_json(layout).encode())
    for name, tensor in sorted(policy.state_dict().items()):
        digest.update(f"\n{name} {list(tensor.shape)}\n".encode())
        digest.update(tensor.detach().cpu().to(torch.float32).numpy().astype("<f4").tobytes())
    return digest.hexdigest()
