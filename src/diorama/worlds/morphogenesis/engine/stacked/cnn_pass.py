"""Convolutional hosts of a pass, from the images to the logits."""

import torch
from torch import Tensor

from diorama.worlds.morphogenesis.contracts.slots import format_slot_id
from diorama.worlds.morphogenesis.engine.stacked.cnn_seeds import CNN_SEEDS
from diorama.worlds.morphogenesis.engine.stacked.convolution import convolve
from diorama.worlds.morphogenesis.engine.stacked.grafting import graft
from diorama.worlds.morphogenesis.engine.stacked.host_statistics import Statistics
from diorama.worlds.morphogenesis.engine.stacked.lanes import PassPlan
from diorama.worlds.morphogenesis.engine.stacked.layers import map_columns, means, normalize_batch, pool
from diorama.worlds.morphogenesis.engine.stacked.picking import Picked, Tensors, named
from diorama.worlds.morphogenesis.hosting.hosts import CnnHost


def run_cnn(
    host: CnnHost, inputs: Tensor, picked: Picked, statistics: Statistics, plan: PassPlan, *, is_training: bool
) -> Tensor:
    """Return the logits of every lane, (lanes, batch, classes).

    Args:
        host: Any of the hosts; only its structure is read.
        inputs: Images of (lanes, batch, channels, height, width); one entry is shared by all lanes.
        picked: What the plan wishes for.
        statistics: Running statistics of the lanes' hosts; they move on while training.
        plan: The lanes.
        is_training: Whether batches are normalized by themselves.
    """
    tensors = named(picked, plan.wishes)
    features = inputs.permute(0, 2, 3, 4, 1).contiguous()
    for block in range(len(host.convolutions)):
        features = convolve(features, tensors[f"convolutions.{block}.weight"])
        normalized = _normalize(features, f"norms.{block}", tensors, statistics, plan, is_training=is_training)
        features = graft(CNN_SEEDS, torch.relu(normalized), plan.slots.get(format_slot_id(0, block)), picked)
        if block < host.pool_layers:
            features = graft(CNN_SEEDS, pool(features), plan.slots.get(format_slot_id(1, block)), picked)
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
