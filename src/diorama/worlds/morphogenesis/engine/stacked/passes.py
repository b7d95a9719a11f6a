"""A pass through stacked hosts of either topology."""

from torch import Tensor

from diorama.worlds.morphogenesis.engine.stacked.cnn_pass import Statistics, run_cnn
from diorama.worlds.morphogenesis.engine.stacked.lanes import PassPlan
from diorama.worlds.morphogenesis.engine.stacked.stack import Tensors
from diorama.worlds.morphogenesis.engine.stacked.transformer_pass import run_transformer
from diorama.worlds.morphogenesis.hosting.hosts import CnnHost, Host, TransformerHost


def run_hosts(
    host: Host, inputs: Tensor, tensors: Tensors, statistics: Statistics, plan: PassPlan, *, is_training: bool
) -> Tensor:
    """Return the logits of every lane; see the passes of the topologies."""
    match host:
        case CnnHost():
            return run_cnn(host, inputs, tensors, statistics, plan, is_training=is_training)
        case TransformerHost():
            return run_transformer(host, inputs, tensors, plan, is_training=is_training)
    raise TypeError(f"a host of type {type(host).__name__} cannot be stacked")
