"""What seeds of one blueprint in many convolutional hosts add, and how far their gates are open."""

import torch
from torch import Tensor, nn

from diorama.worlds.morphogenesis.engine.stacked.convolution import convolve, convolve_depthwise
from diorama.worlds.morphogenesis.engine.stacked.layers import map_columns, means, normalize_groups, per_channel
from diorama.worlds.morphogenesis.engine.stacked.stack import Tensors
from diorama.worlds.morphogenesis.hosting.blueprints.cnn import BranchSeed, ChannelGate, NormSeed


def residual(module: nn.Module, features: Tensor, tensors: Tensors) -> Tensor:
    """Return what each seed adds to the features that reach it.

    Args:
        module: Any seed of the blueprint; only its structure is read.
        features: Images, one entry per seed.
        tensors: Parameters of the seeds by name, one entry per seed.
    """
    match module:
        case BranchSeed():
            return per_channel(tensors["gain"]) * _run(module.branch, "branch", features, tensors)
        case NormSeed():
            normalized = _run(module.norm, "norm", features, tensors)
            return torch.tanh(tensors["scale"])[:, None, None, None, None] * (normalized - features)
    raise TypeError(f"a seed of type {type(module).__name__} cannot be stacked")


def gate(features: Tensor, tensors: Tensors) -> Tensor:
    """Return one value in (0, 1) per seed and sample, shaped to multiply the features."""
    hidden = map_columns(means(features), tensors["hidden.weight"], tensors["hidden.bias"])
    out = map_columns(torch.relu(hidden), tensors["out.weight"], tensors["out.bias"])
    return torch.sigmoid(out)[:, :, None, None, :]


def _run(module: nn.Module, name: str, features: Tensor, tensors: Tensors) -> Tensor:
    match module:
        case nn.Sequential():
            for key, layer in module.named_children():
                features = _run(layer, f"{name}.{key}", features, tensors)
            return features
        case nn.Conv2d():
            convolution = convolve if module.groups == 1 else convolve_depthwise
            return convolution(features, tensors[f"{name}.weight"])
        case nn.GroupNorm():
            return normalize_groups(features, module.num_groups, tensors[f"{name}.weight"], tensors[f"{name}.bias"])
        case nn.ReLU():
            return torch.relu(features)
        case ChannelGate():
            squeezed = torch.relu(map_columns(means(features), tensors[f"{name}.squeeze.weight"]))
            excited = map_columns(squeezed, tensors[f"{name}.excite.weight"], tensors[f"{name}.excite.bias"])
            return features * torch.tanh(excited)[:, :, None, None, :]
    raise TypeError(f"a layer of type {type(module).__name__} cannot be stacked")
