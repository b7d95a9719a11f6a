"""Convolutional hosts of a pass, from the images to the logits."""

from collections.abc import Mapping
from typing import Final

import torch
from torch import Tensor

from diorama.worlds.morphogenesis.contracts.slots import format_slot_id
from diorama.worlds.morphogenesis.engine.stacked.cnn_seeds import gate, residual
from diorama.worlds.morphogenesis.engine.stacked.convolution import convolve
from diorama.worlds.morphogenesis.engine.stacked.grafting import SeedMath, graft
from diorama.worlds.morphogenesis.engine.stacked.lanes import PassPlan
from diorama.worlds.morphogenesis.engine.stacked.layers import map_columns, means, normalize_batch, pool
from diorama.worlds.morphogenesis.engine.stacked.stack import Tensors
from diorama.worlds.morphogenesis.hosting.hosts import CnnHost

Statistics = Mapping[str, Tensor]
"""Running statistics by name, hosts first."""

CNN_SEEDS: Final = SeedMath(residual, gate)


def run_cnn(
    host: CnnHost, inputs: Tensor, tensors: Tensors, statistics: Statistics, plan: PassPlan, *, is_training: bool
) -> Tensor:
    """Return the logits of every lane, (lanes, batch, classes).

    Args:
        host: Any of the hosts; only its structure is read.
        inputs: Images of (lanes, batch, channels, height, width); one entry is shared by all lanes.
        tensors: Parameters of the lanes' hosts by name.
        statistics: Running statistics of the lanes' hosts; they move on while training.
        plan: The lanes.
        is_training: Whether batches are normalized by themselves.
    """
    features = inputs.permute(0, 2, 3, 4, 1).contiguous()
    for block in range(len(host.convolutions)):
        features = convolve(features, tensors[f"convolutions.{block}.weight"])
        normalized = _normalize(features, f"norms.{block}", tensors, statistics, plan, is_training=is_training)
        features = graft(CNN_SEEDS, torch.relu(normalized), plan, format_slot_id(0, block))
        if block < host.pool_layers:
            features = graft(CNN_SEEDS, pool(features), plan, format_slot_id(1, block))
    logits = map_columns(means(features), tensors["classifier.weight"], tensors["classifier.bias"])
    return logits.transpose(1, 2)


def _normalize(
    features: Tensor, name: str, tensors: Tensors, statistics: Statistics, plan: PassPlan, *, is_training: bool
) -> Tensor:
    weight, bias = tensors[f"{name}.weight"], tensors[f"{name}.bias"]
    mean, variance = statistics[f"{name}.running_mean"], statistics[f"{name}.running_var"]
    learning = plan.learning
    if not is_training or plan.hosts is None or learning == plan.lanes:
        return normalize_batch(features, weight, bias, mean, variance, is_training=is_training)
    own = normalize_batch(features[:learning], weight[:learning], bias[:learning], mean, variance, is_training=True)
    hosts = plan.hosts[learning:]
    shadows = normalize_batch(
        features[learning:],
        weight[learning:],
        bias[learning:],
        mean.index_select(0, hosts),
        variance.index_select(0, hosts),
        is_training=False,
    )
    return torch.cat([own, shadows])
