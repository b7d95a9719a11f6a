"""Layers of many transformers at once. Features are (hosts, batch, positions, width)."""

import math

import torch
from torch import Tensor
from torch.nn.functional import layer_norm, scaled_dot_product_attention

from diorama.worlds.morphogenesis.engine.stacked.picking import Tensors
from diorama.worlds.morphogenesis.hosting.attention import CausalSelfAttention


def map_features(features: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Apply each host's linear layer to the last axis."""
    flat, across = features.flatten(1, -2), weight.transpose(1, 2)
    mapped = torch.bmm(flat, across) if bias is None else torch.baddbmm(bias[:, None], flat, across)
    return mapped.view(*features.shape[:-1], -1)


def normalize(features: Tensor, tensors: Tensors, name: str) -> Tensor:
    """Layer norm with each host's own weight and bias."""
    weight, bias = (tensors[f"{name}.{key}"][:, None, None] for key in ("weight", "bias"))
    return torch.addcmul(bias, layer_norm(features, features.shape[-1:]), weight)


def attend(module: CausalSelfAttention, features: Tensor, tensors: Tensors, name: str) -> Tensor:
    """Causal self-attention; only the structure of the module is read."""
    hosts, batch, positions, width = features.shape
    joined = map_features(features, tensors[f"{name}.qkv.weight"], tensors[f"{name}.qkv.bias"])
    split = joined.view(hosts * batch, positions, 3, module.heads, width // module.heads)
    queries, keys, values = split.permute(2, 0, 3, 1, 4)
    place = torch.arange(positions, device=features.device)
    age = place[:, None] - place[None, :]
    visible = (age >= 0) & (age < (positions if module.window is None else module.window))
    look = look_in_order if features.is_cuda else scaled_dot_product_attention
    seen = look(queries, keys, values, attn_mask=visible)
    mixed = seen.transpose(1, 2).reshape(features.shape)
    return map_features(mixed, tensors[f"{name}.out.weight"], tensors[f"{name}.out.bias"])


def look_in_order(queries: Tensor, keys: Tensor, values: Tensor, *, attn_mask: Tensor) -> Tensor:
    """Attention written out: what a graphics card does faster adds up gradients in an order that changes every time."""
    scores = torch.matmul(queries, keys.transpose(-2, -1)) / math.sqrt(queries.shape[-1])
    return torch.matmul(scores.masked_fill(~attn_mask, -torch.inf).softmax(dim=-1), values)
