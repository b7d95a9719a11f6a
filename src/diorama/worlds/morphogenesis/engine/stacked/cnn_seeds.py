"""What seeds in many convolutional hosts add, and how far their gates are open."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

import torch
from torch import Tensor, nn

from diorama.worlds.morphogenesis.engine.stacked.convolution import convolve, convolve_depthwise
from diorama.worlds.morphogenesis.engine.stacked.lanes import Bank, Residuals, SeedMath
from diorama.worlds.morphogenesis.engine.stacked.layers import map_columns, means, normalize_groups, per_channel
from diorama.worlds.morphogenesis.engine.stacked.picking import Picked, Picker, Tensors
from diorama.worlds.morphogenesis.engine.stacked.programs import Layer, Program, Track
from diorama.worlds.morphogenesis.hosting.blueprints.cnn import BranchSeed, ChannelGate, NormSeed


def compile_seeds(banks: Sequence[Bank], picker: Picker) -> Residuals:
    """Return what seeds of several blueprints add to the features that reach them."""
    program = Program([Track(_timed(bank.module), bank.parts) for bank in banks], picker)
    branches = [part for bank in banks if isinstance(bank.module, BranchSeed) for part in bank.parts]
    norms = [part for bank in banks if isinstance(bank.module, NormSeed) for part in bank.parts]
    gains = picker.wish([(part, "gain") for part in branches]) if branches else None
    scales = picker.wish([(part, "scale") for part in norms]) if norms else None

    def residuals(entry: Tensor, picked: Picked) -> Tensor:
        grown, own = program(entry, picked).split([len(branches), len(norms)]), []
        if gains is not None:
            own.append(per_channel(picked[gains]) * grown[0])
        if scales is not None:
            share = torch.tanh(picked[scales])[:, None, None, None, None]
            own.append(share * (grown[1] - entry[len(branches) :]))
        return own[0] if len(own) == 1 else torch.cat(own)

    return residuals


def arrange(module: nn.Module) -> tuple[str, ...]:
    """Return what modules are ordered by, so that those that end alike are neighbors; norms come last."""
    timed = _timed(module)
    after = [str(timed[time].kind) for time in sorted(timed) if time > 0]
    before = [str(timed[time].kind) for time in sorted(timed, reverse=True) if time < 0]
    return (str(isinstance(module, NormSeed)), " ".join(after), *before)


def gate(features: Tensor, tensors: Tensors) -> Tensor:
    """Return one value in (0, 1) per seed and sample, shaped to multiply the features."""
    hidden = map_columns(means(features), tensors["hidden.weight"], tensors["hidden.bias"])
    out = map_columns(torch.relu(hidden), tensors["out.weight"], tensors["out.bias"])
    return torch.sigmoid(out)[:, :, None, None, :]


def _timed(module: nn.Module) -> Mapping[int, Layer]:
    match module:
        case NormSeed():
            return {0: _norm(module.norm, "norm.")}
        case BranchSeed(branch=ChannelGate() as branch):
            return {0: _channel_gate(branch, "branch.")}
        case BranchSeed(branch=nn.Sequential() as branch):
            layers = list(_sequence(branch))
            last = max(place for place, layer in enumerate(layers) if layer.kind[0] == "norm")
            return {place - last: layer for place, layer in enumerate(layers)}
    raise TypeError(f"a seed of type {type(module).__name__} cannot be stacked")


def _sequence(branch: nn.Sequential) -> Iterator[Layer]:
    channels = 0
    for key, layer in branch.named_children():
        match layer:
            case nn.Conv2d():
                channels = layer.out_channels
                kind = "conv" if layer.groups == 1 else "depthwise"
                names = {"weight": f"branch.{key}.weight"}
                yield Layer((kind, *layer.weight.shape), _CONVOLUTIONS[kind], names)
            case nn.GroupNorm():
                yield _norm(layer, f"branch.{key}.")
            case nn.ReLU():
                yield Layer(("relu", channels), lambda features, _: torch.relu(features), {})
            case _:
                raise TypeError(f"a layer of type {type(layer).__name__} cannot be stacked")


def _norm(layer: nn.GroupNorm, prefix: str) -> Layer:
    kind = ("norm", layer.num_groups, layer.num_channels)
    return Layer(kind, partial(_normalize, layer.num_groups), {key: prefix + key for key in ("weight", "bias")})


def _normalize(groups: int, features: Tensor, tensors: Tensors) -> Tensor:
    return normalize_groups(features, groups, tensors["weight"], tensors["bias"])


def _channel_gate(layer: ChannelGate, prefix: str) -> Layer:
    names = ("squeeze.weight", "excite.weight", "excite.bias")
    return Layer(("gate", *layer.excite.weight.shape), _open_channels, {name: prefix + name for name in names})


def _open_channels(features: Tensor, tensors: Tensors) -> Tensor:
    squeezed = torch.relu(map_columns(means(features), tensors["squeeze.weight"]))
    excited = map_columns(squeezed, tensors["excite.weight"], tensors["excite.bias"])
    return features * torch.tanh(excited)[:, :, None, None, :]


_CONVOLUTIONS: Final[Mapping[str, Callable[[Tensor, Tensors], Tensor]]] = {
    "conv": lambda features, tensors: convolve(features, tensors["weight"]),
    "depthwise": lambda features, tensors: convolve_depthwise(features, tensors["weight"]),
}

CNN_SEEDS: Final = SeedMath(arrange=arrange, compile=compile_seeds, gate=gate)
