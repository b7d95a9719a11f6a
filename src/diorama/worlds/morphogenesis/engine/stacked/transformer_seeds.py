"""What seeds of one blueprint in many transformers add, and how far their gates are open."""

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu

from diorama.worlds.morphogenesis.engine.stacked.stack import Tensors
from diorama.worlds.morphogenesis.engine.stacked.transformer_layers import attend, map_features, normalize
from diorama.worlds.morphogenesis.hosting.blueprints.transformer import AttentionSeed, LoraSeed, MlpSeed, NormSeed


def residual(module: nn.Module, features: Tensor, tensors: Tensors) -> Tensor:
    """Return what each seed adds to the features that reach it; only the structure of the module is read."""
    match module:
        case NormSeed():
            share = torch.tanh(tensors["scale"])[:, None, None, None]
            return share * (normalize(features, tensors, "norm") - features)
        case LoraSeed():
            return map_features(map_features(features, tensors["down.weight"]), tensors["up.weight"])
        case MlpSeed():
            wide = gelu(map_features(features, tensors["wide.weight"], tensors["wide.bias"]))
            return map_features(wide, tensors["narrow.weight"], tensors["narrow.bias"])
        case AttentionSeed():
            return attend(module.attention, features, tensors, "attention")
    raise TypeError(f"a seed of type {type(module).__name__} cannot be stacked")


def gate(features: Tensor, tensors: Tensors) -> Tensor:
    """Return one value in (0, 1) per seed and sample, shaped to multiply the features."""
    means = features.mean(dim=2, keepdim=True)
    hidden = torch.relu(map_features(means, tensors["hidden.weight"], tensors["hidden.bias"]))
    return torch.sigmoid(map_features(hidden, tensors["out.weight"], tensors["out.bias"]))
