"""The tensors of one row by name: what a snapshot of it holds."""

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from diorama.contracts.errors import SnapshotError
from diorama.worlds.morphogenesis.contracts.slots import SlotConfig
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.engine.protocol import RowState
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost

STATE_MARK = "@"


def kept_tensors(growing: GrowingHost, slots: SlotConfig) -> Iterator[tuple[str, Tensor]]:
    """Name the host's tensors and those of its permanent seeds: what the governor keeps."""
    for name, module in _modules(growing, slots):
        if name == "host" or growing.seeds[name.split(".")[1]].stage is SeedStage.FOSSILIZED:
            for key, tensor in module.state_dict(keep_vars=True).items():
                yield f"{name}.{key}", tensor


def write_tensors(growing: GrowingHost, slots: SlotConfig) -> RowState:
    """Copy every tensor of a row and the optimizer state of each parameter."""
    state: RowState = {}
    for name, module in _modules(growing, slots):
        optimizer = _optimizer(growing, name)
        for key, tensor in module.state_dict(keep_vars=True).items():
            state[f"{name}.{key}"] = tensor.detach().cpu().numpy().copy()
            for mark, kept in sorted(optimizer.state.get(tensor, {}).items()):
                if kept is not None:
                    state[f"{name}.{key}{STATE_MARK}{mark}"] = torch.as_tensor(kept).cpu().numpy().copy()
    return state


def read_tensors(growing: GrowingHost, slots: SlotConfig, state: RowState) -> None:
    """Take over tensors written by `write_tensors`; nothing changes unless all of them fit.

    Raises:
        SnapshotError: A name is missing or left over, or a shape is another.
    """
    targets = {
        f"{name}.{key}": (tensor, _optimizer(growing, name))
        for name, module in _modules(growing, slots)
        for key, tensor in module.state_dict(keep_vars=True).items()
    }
    plain = {name: array for name, array in state.items() if STATE_MARK not in name}
    if plain.keys() != targets.keys():
        raise SnapshotError(f"the snapshot's tensors are not the row's: {sorted(plain.keys() ^ targets.keys())}")
    for name, array in plain.items():
        if array.shape != tuple(targets[name][0].shape):
            raise SnapshotError(f"the snapshot holds {name!r} of shape {array.shape}; the row has another")
    growing.optimizers.forget_momentum()
    with torch.no_grad():
        for name, array in plain.items():
            targets[name][0].copy_(torch.from_numpy(np.array(array)))
    for name, array in state.items():
        if STATE_MARK in name:
            owner, mark = name.split(STATE_MARK)
            tensor, optimizer = targets[owner]
            optimizer.state[tensor][mark] = torch.from_numpy(np.array(array)).to(tensor.device)


def _modules(growing: GrowingHost, slots: SlotConfig) -> Iterator[tuple[str, nn.Module]]:
    yield "host", growing.host
    for slot_id in slots.slot_ids:
        if slot_id in growing.seeds:
            seed = growing.seeds[slot_id]
            yield f"seed.{slot_id}.module", seed.module
            if seed.gate is not None:
                yield f"seed.{slot_id}.gate", seed.gate


def _optimizer(growing: GrowingHost, name: str) -> Optimizer:
    return growing.optimizers.of(None if name == "host" else name.split(".")[1])
