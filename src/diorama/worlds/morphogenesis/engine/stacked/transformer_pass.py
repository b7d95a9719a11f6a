"""Transformers of a pass, from the tokens to the logits."""

import torch
from torch import Tensor
from torch.nn.functional import embedding, gelu

from diorama.worlds.morphogenesis.contracts.errors import WorldStateError
from diorama.worlds.morphogenesis.contracts.slots import format_slot_id
from diorama.worlds.morphogenesis.engine.stacked.grafting import graft
from diorama.worlds.morphogenesis.engine.stacked.lanes import PassPlan
from diorama.worlds.morphogenesis.engine.stacked.picking import Picked, Tensors, named
from diorama.worlds.morphogenesis.engine.stacked.transformer_layers import attend, map_features, normalize
from diorama.worlds.morphogenesis.engine.stacked.transformer_seeds import TRANSFORMER_SEEDS
from diorama.worlds.morphogenesis.hosting.dropout import StreamDropout
from diorama.worlds.morphogenesis.hosting.hosts import TransformerHost
from diorama.worlds.morphogenesis.hosting.hosts.transformer import TransformerBlock


def run_transformer(
    host: TransformerHost, inputs: Tensor, picked: Picked, plan: PassPlan, *, is_training: bool
) -> Tensor:
    """Return the logits of every lane, (lanes, batch, positions, classes).

    Args:
        host: Any of the hosts; only its structure is read, and its dropout's stream.
        inputs: Tokens of (lanes, batch, positions); one entry is shared by all lanes.
        picked: What the plan wishes for.
        plan: The lanes.
        is_training: Whether values are dropped.
    """
    tensors = named(picked, plan.wishes)
    known = tensors["tokens.weight"]
    first_row = torch.arange(plan.lanes, device=inputs.device).view(-1, 1, 1) * known.shape[1]
    tokens = _look_up(inputs + first_row, known.reshape(-1, known.shape[2]))
    places = tensors["positions.weight"][:, None, : inputs.shape[2]]
    features = _drop(host.dropout, tokens + places, is_training=is_training)
    layers = len(host.blocks) // host.num_segments
    for index, block in enumerate(host.blocks):
        assert isinstance(block, TransformerBlock)
        features = _run_block(block, features, tensors, f"blocks.{index}", is_training=is_training)
        if (index + 1) % layers == 0:
            features = graft(TRANSFORMER_SEEDS, features, plan.slots.get(format_slot_id(0, index // layers)), picked)
    return map_features(normalize(features, tensors, "norm"), known)


def _look_up(rows: Tensor, table: Tensor) -> Tensor:
    """Return rows of a table; on a graphics card in the way whose gradient is added up in the same order every time."""
    return table[rows] if table.is_cuda else embedding(rows, table)


def _run_block(block: TransformerBlock, features: Tensor, tensors: Tensors, name: str, *, is_training: bool) -> Tensor:
    seen = attend(block.attention, normalize(features, tensors, f"{name}.attention_norm"), tensors, f"{name}.attention")
    features = features + _drop(block.dropout, seen, is_training=is_training)
    normalized = normalize(features, tensors, f"{name}.mlp_norm")
    wide = gelu(map_features(normalized, tensors[f"{name}.wide.weight"], tensors[f"{name}.wide.bias"]))
    narrow = map_features(wide, tensors[f"{name}.narrow.weight"], tensors[f"{name}.narrow.bias"])
    return features + _drop(block.dropout, narrow, is_training=is_training)


def _drop(dropout: StreamDropout, features: Tensor, *, is_training: bool) -> Tensor:
    """Drop the same values in every host, as their equal streams would."""
    if not is_training or dropout.share == 0.0:
        return features
    if dropout.draws is None:
        raise WorldStateError("dropout has no stream; set `draws` before an epoch is trained")
    keeps = torch.from_numpy(dropout.draws.random(tuple(features.shape[1:])) >= dropout.share)
    return features * keeps.to(features.device, features.dtype) / (1.0 - dropout.share)
