"""Causal self-attention, as hosts and seeds use it."""

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from diorama.worlds.morphogenesis.hosting.initialization import linear


class CausalSelfAttention(nn.Module):
    """Attention of each position to itself and the positions before it, all of them or the last few."""

    def __init__(self, width: int, heads: int, *, window: int | None = None) -> None:
        """Build with fused queries, keys and values; `window` counts the keys a query sees."""
        super().__init__()
        if width % heads:
            raise ValueError(f"width {width} cannot be split into {heads} heads")
        self.heads = heads
        self.window = window
        self.qkv = linear(width, 3 * width)
        self.out = linear(width, width)

    def forward(self, features: Tensor) -> Tensor:
        """Attend over (batch, positions, width)."""
        batch, positions, width = features.shape
        split = self.qkv(features).view(batch, positions, 3, self.heads, width // self.heads)
        queries, keys, values = split.permute(2, 0, 3, 1, 4)
        seen = scaled_dot_product_attention(queries, keys, values, attn_mask=self._visible(positions, features.device))
        mixed: Tensor = self.out(seen.transpose(1, 2).reshape(batch, positions, width))
        return mixed

    def _visible(self, positions: int, device: torch.device) -> Tensor:
        place = torch.arange(positions, device=device)
        age = place[:, None] - place[None, :]
        reach = positions if self.window is None else self.window
        return (age >= 0) & (age < reach)
