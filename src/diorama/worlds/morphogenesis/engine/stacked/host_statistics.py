"""The running statistics of many hosts, stacked, and what is made of logits."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from diorama.worlds.morphogenesis.engine.stacked.lanes import PassPlan
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost

Statistics = Mapping[str, Tensor]
"""Running statistics by name, hosts first."""


class HostStatistics:
    """Running statistics of hosts."""

    def __init__(self, growing: Sequence[GrowingHost]) -> None:
        """Make room for those of the given rows; `take_up` copies them."""
        self._buffers = [dict(row.host.named_buffers()) for row in growing]
        self._statistics = {
            name: buffer.new_empty(len(growing), *buffer.shape) for name, buffer in self._buffers[0].items()
        }

    def of(self, plan: PassPlan) -> Statistics:
        """Return the running statistics of a pass's lanes.

        Those of all hosts in order are the stack's own. Where shadows follow the lanes that learn, those are all there
        are: a shadow takes its host's when that has moved on.
        """
        if plan.hosts is None or plan.learning:
            return self._statistics
        return {name: values.index_select(0, plan.hosts) for name, values in self._statistics.items()}

    def count_batch(self) -> None:
        """Note that a minibatch has moved the statistics."""
        for name, values in self._statistics.items():
            if name.endswith("num_batches_tracked"):
                values += 1

    def take_up(self) -> None:
        """Copy the statistics of the hosts."""
        for name, values in self._statistics.items():
            torch._foreach_copy_(values.unbind(), [buffers[name] for buffers in self._buffers])

    def lay_back(self) -> None:
        """Write the statistics into the hosts."""
        for name, values in self._statistics.items():
            torch._foreach_copy_([buffers[name] for buffers in self._buffers], values.unbind())


def row_losses(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the loss of every sample, (lanes, samples); targets of one lane are shared by all."""
    flat = logits.flatten(1, -2)
    wanted = targets.flatten(1).expand(len(flat), -1)
    losses = torch.nn.functional.cross_entropy(flat.flatten(0, 1), wanted.reshape(-1), reduction="none")
    return losses.view(wanted.shape)


def row_hits(logits: Tensor, targets: Tensor) -> Tensor:
    """Return how many samples each lane classifies as it should."""
    return (logits.flatten(1, -2).argmax(dim=-1) == targets.flatten(1)).sum(dim=1)
