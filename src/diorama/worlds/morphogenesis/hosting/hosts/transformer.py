"""The transformer host: pre-norm blocks in segments, and an output tied to the token embedding."""

from typing import Final

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu
from torch.nn.functional import linear as project

from diorama.worlds.morphogenesis.contracts.errors import ConfigError, ContractError
from diorama.worlds.morphogenesis.contracts.slots import InjectionSpec, SurfaceType, format_slot_id
from diorama.worlds.morphogenesis.hosting.attention import CausalSelfAttention
from diorama.worlds.morphogenesis.hosting.dropout import StreamDropout
from diorama.worlds.morphogenesis.hosting.hosts.base import Graft, Host, bare
from diorama.worlds.morphogenesis.hosting.initialization import embedding, linear

MLP_EXPANSION: Final = 4


class TransformerBlock(nn.Module):
    """Attention and a wider layer, each normalized first and added to what came in."""

    def __init__(self, width: int, heads: int, dropout: StreamDropout) -> None:
        """Build with weights still to be set."""
        super().__init__()
        self.attention_norm = nn.LayerNorm(width)
        self.attention = CausalSelfAttention(width, heads)
        self.mlp_norm = nn.LayerNorm(width)
        self.wide = linear(width, MLP_EXPANSION * width)
        self.narrow = linear(MLP_EXPANSION * width, width)
        self.dropout = dropout

    def forward(self, features: Tensor) -> Tensor:
        """Map (batch, positions, width)."""
        features = features + self.dropout(self.attention(self.attention_norm(features)))
        mapped: Tensor = features + self.dropout(self.narrow(gelu(self.wide(self.mlp_norm(features)))))
        return mapped


class TransformerHost(Host):
    """A small language model with a slot after each segment of its layers."""

    def __init__(
        self,
        *,
        vocab_size: int,
        n_embd: int,
        n_head: int,
        n_layer: int,
        block_size: int,
        dropout: float,
        num_segments: int,
    ) -> None:
        """Build with weights still to be set."""
        super().__init__()
        if num_segments < 1 or n_layer % num_segments or n_embd % n_head:
            raise ConfigError(
                f"{n_layer} layers in {num_segments} segments and width {n_embd} in {n_head} heads: "
                "both must divide evenly"
            )
        self.topology = "transformer"
        self.block_size = block_size
        self.num_segments = num_segments
        self.dropout = StreamDropout(dropout)
        self.tokens = embedding(vocab_size, n_embd)
        self.positions = embedding(block_size, n_embd)
        self.blocks = nn.ModuleList(TransformerBlock(n_embd, n_head, self.dropout) for _ in range(n_layer))
        self.norm = nn.LayerNorm(n_embd)

    def injection_specs(self) -> tuple[InjectionSpec, ...]:
        """Return one slot per segment."""
        layers = len(self.blocks) // self.num_segments
        return tuple(
            InjectionSpec(
                slot_id=format_slot_id(0, segment),
                channels=self.norm.normalized_shape[0],
                position=(segment + 1) / self.num_segments,
                layer_range=(segment * layers, (segment + 1) * layers - 1),
                surface=SurfaceType.BLOCK_END,
                order=segment,
                row=0,
                col=segment,
            )
            for segment in range(self.num_segments)
        )

    def execution_order(self) -> tuple[str, ...]:
        """Return the slots from the first segment to the last."""
        return tuple(format_slot_id(0, segment) for segment in range(self.num_segments))

    def forward(self, inputs: Tensor, graft: Graft = bare) -> Tensor:
        """Predict the next token at each position of (batch, positions)."""
        positions = inputs.shape[1]
        if positions > self.block_size:
            raise ContractError(f"a sequence of {positions} tokens is longer than the host's {self.block_size}")
        places = torch.arange(positions, device=inputs.device)
        features = self.dropout(self.tokens(inputs) + self.positions(places))
        layers = len(self.blocks) // self.num_segments
        for index, block in enumerate(self.blocks):
            features = block(features)
            if (index + 1) % layers == 0:
                features = graft(format_slot_id(0, index // layers), features)
        return project(self.norm(features), self.tokens.weight)
