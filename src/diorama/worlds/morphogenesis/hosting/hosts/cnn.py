"""The convolutional host: blocks that double their channels, then a linear classifier."""

from typing import Final

import torch
from torch import Tensor, nn
from torch.nn.functional import max_pool2d

from diorama.worlds.morphogenesis.contracts.errors import ConfigError
from diorama.worlds.morphogenesis.contracts.slots import InjectionSpec, SurfaceType, format_slot_id
from diorama.worlds.morphogenesis.hosting.hosts.base import Graft, Host, bare
from diorama.worlds.morphogenesis.hosting.initialization import conv, linear
from diorama.worlds.morphogenesis.hosting.steadiness import SteadyBatchNorm

KERNEL_SIZES: Final = (1, 3)
MIN_BLOCKS: Final = 2


class CnnHost(Host):
    """Blocks of convolution, batch norm and ReLU, the first of them pooled.

    Row 0 of the slots lies before the pool of each block, row 1 after it, where there is one.
    """

    def __init__(
        self,
        *,
        num_classes: int,
        n_blocks: int,
        base_channels: int,
        kernel_size: int,
        pool_layers: int,
        in_channels: int,
    ) -> None:
        """Build with weights still to be set."""
        super().__init__()
        if n_blocks < MIN_BLOCKS or kernel_size not in KERNEL_SIZES or not 0 <= pool_layers <= n_blocks:
            raise ConfigError(
                f"a host of {n_blocks} blocks, kernel {kernel_size} and {pool_layers} pools cannot be built; give"
                f" {MIN_BLOCKS} blocks or more, kernel 1 or 3, and no more pools than blocks"
            )
        self.topology = "cnn"
        self.pool_layers = pool_layers
        widths = [in_channels, *(base_channels * 2**block for block in range(n_blocks))]
        self.convolutions = nn.ModuleList(
            conv(widths[block], widths[block + 1], kernel_size) for block in range(n_blocks)
        )
        self.norms = nn.ModuleList(SteadyBatchNorm(width) for width in widths[1:])
        self.classifier = linear(widths[-1], num_classes)
        self._channels = tuple(widths[1:])

    def injection_specs(self) -> tuple[InjectionSpec, ...]:
        """Return row 0, then row 1."""
        blocks = len(self._channels)
        before = [self._spec(0, block, SurfaceType.PRE_POOL) for block in range(blocks)]
        after = [self._spec(1, block, SurfaceType.POST_POOL) for block in range(self.pool_layers)]
        return (*before, *after)

    def execution_order(self) -> tuple[str, ...]:
        """Return each block's slot before its pool, then the one after it."""
        return tuple(
            format_slot_id(row, block)
            for block in range(len(self._channels))
            for row in range(2 if block < self.pool_layers else 1)
        )

    def forward(self, inputs: Tensor, graft: Graft = bare) -> Tensor:
        """Classify images of shape (batch, channels, height, width)."""
        features = inputs
        for block, (convolution, norm) in enumerate(zip(self.convolutions, self.norms, strict=True)):
            features = graft(format_slot_id(0, block), torch.relu(norm(convolution(features))))
            if block < self.pool_layers:
                features = graft(format_slot_id(1, block), max_pool2d(features, 2))
        logits: Tensor = self.classifier(features.mean(dim=(2, 3)))
        return logits

    def _spec(self, row: int, block: int, surface: SurfaceType) -> InjectionSpec:
        blocks = len(self._channels)
        return InjectionSpec(
            slot_id=format_slot_id(row, block),
            channels=self._channels[block],
            position=(2 * block + 1 + row) / (2 * blocks),
            layer_range=(block, block),
            surface=surface,
            order=row * blocks + block,
            row=row,
            col=block,
        )
