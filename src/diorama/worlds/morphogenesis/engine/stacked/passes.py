"""A pass through stacked hosts of either topology."""

from collections.abc import Mapping
from typing import Final

from torch import Tensor

from diorama.worlds.morphogenesis.contracts.blueprints import Topology
from diorama.worlds.morphogenesis.engine.stacked.cnn_pass import run_cnn
from diorama.worlds.morphogenesis.engine.stacked.cnn_seeds import CNN_SEEDS
from diorama.worlds.morphogenesis.engine.stacked.host_statistics import Statistics
from diorama.worlds.morphogenesis.engine.stacked.lanes import PassPlan, SeedMath
from diorama.worlds.morphogenesis.engine.stacked.picking import Picked
from diorama.worlds.morphogenesis.engine.stacked.transformer_pass import run_transformer
from diorama.worlds.morphogenesis.engine.stacked.transformer_seeds import TRANSFORMER_SEEDS
from diorama.worlds.morphogenesis.hosting.hosts import CnnHost, Host, TransformerHost

SEED_MATH: Final[Mapping[Topology, SeedMath]] = {"cnn": CNN_SEEDS, "transformer": TRANSFORMER_SEEDS}


def run_hosts(
    host: Host, inputs: Tensor, picked: Picked, statistics: Statistics, plan: PassPlan, *, is_training: bool
) -> Tensor:
    """Return the logits of every lane; see the passes of the topologies."""
    match host:
        case CnnHost():
            return run_cnn(host, inputs, picked, statistics, plan, is_training=is_training)
        case TransformerHost():
            return run_transformer(host, inputs, picked, plan, is_training=is_training)
    raise TypeError(f"a host of type {type(host).__name__} cannot be stacked")
