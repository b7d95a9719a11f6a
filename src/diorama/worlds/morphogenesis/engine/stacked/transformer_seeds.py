"""What seeds of one blueprint in many transformers add, and how far their gates are open."""

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu

from diorama.worlds.morphogenesis.engine.stacked.lanes import Bank, Residuals, SeedMath
from diorama.worlds.morphogenesis.engine.stacked.picking import Picked, Picker, Tensors, named
from diorama.worlds.morphogenesis.engine.stacked.transformer_layers import attend, map_features, normalize
from diorama.worlds.morphogenesis.hosting.blueprints.transformer import AttentionSeed, LoraSeed, MlpSeed, NormSeed


def compile_seeds(banks: Sequence[Bank], picker: Picker) -> Residuals:
    """Return what seeds of several blueprints add to the features that reach them, blueprint by blueprint."""
    sizes = [len(bank.parts) for bank in banks]
    wishes = [picker.wish_all(bank.parts) for bank in banks]

    def residuals(entry: Tensor, picked: Picked) -> Tensor:
        grown = [
            residual(bank.module, features, named(picked, wished))
            for bank, features, wished in zip(banks, entry.split(sizes), wishes, strict=True)
        ]
        return grown[0] if len(grown) == 1 else torch.cat(grown)

    return residuals


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


TRANSFORMER_SEEDS: Final = SeedMath(arrange=lambda module: (type(module).__name__,), compile=compile_seeds, gate=gate)
