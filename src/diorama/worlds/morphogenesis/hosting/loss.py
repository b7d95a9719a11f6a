"""The loss of every task."""

from torch import Tensor
from torch.nn.functional import cross_entropy


def mean_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the mean cross-entropy in nats per sample, or per token; classes come last."""
    return cross_entropy(logits.flatten(0, -2), targets.flatten())
