"""Small hosts with fixed weights, and something to learn."""

import torch
from numpy.random import Generator
from torch import Tensor

from diorama.worlds.morphogenesis.contracts.blueprints import Topology
from diorama.worlds.morphogenesis.contracts.incubation import Incubation
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.data.loading import slots_of
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost
from diorama.worlds.morphogenesis.hosting.hosts import CnnHost, Host, TransformerHost
from diorama.worlds.morphogenesis.hosting.loss import mean_loss
from diorama.worlds.morphogenesis.hosting.optimizers import TRANSFORMER_PLAN, cnn_plan
from diorama.worlds.morphogenesis.streams import Stream, Streams, generator

STREAMS = Streams(5)


def open_stream(stream: Stream, slot_index: int, birth: int) -> Generator:
    return STREAMS.open(stream, slot_index, birth)


def small_host(topology: Topology) -> Host:
    if topology == "cnn":
        return CnnHost(num_classes=5, n_blocks=2, base_channels=8, kernel_size=3, pool_layers=1, in_channels=2)
    return TransformerHost(vocab_size=11, n_embd=16, n_head=2, n_layer=2, block_size=24, dropout=0.0, num_segments=2)


def small_bed(topology: Topology, incubation: Incubation = "straight_through") -> GrowingHost:
    host = small_host(topology)
    plan = cnn_plan(0.05, 0.05) if topology == "cnn" else TRANSFORMER_PLAN
    growing = GrowingHost(host, slots_of(host, ("r0c0", "r0c1")), plan, open_stream, incubation=incubation)
    growing.reset(STREAMS.open("host_init", 0, 0), open_stream)
    return growing


def small_batch(topology: Topology, key: int = 3) -> tuple[Tensor, Tensor]:
    draws = generator(key)
    if topology == "cnn":
        images = torch.from_numpy(draws.standard_normal((12, 2, 6, 6))).float()
        return images, torch.from_numpy(draws.integers(0, 5, 12))
    tokens = torch.from_numpy(draws.integers(0, 11, (6, 21)))
    return tokens[:, :-1], tokens[:, 1:]


def backward(growing: GrowingHost, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Run one training pass up to the gradients, and return the logits."""
    growing.optimizers.zero_grad()
    logits = growing.forward(batch[0])
    torch.autograd.backward(mean_loss(logits, batch[1]))
    growing.incubate(*batch)
    return logits.detach()


def host_gradients(growing: GrowingHost) -> list[Tensor]:
    return [parameter.grad.clone() for parameter in growing.host.parameters() if parameter.grad is not None]


def bring_to(growing: GrowingHost, slot_id: str, stage: SeedStage, alpha: float) -> None:
    """Put a planted seed into a stage, on the way it would have taken."""
    for passed in (SeedStage.TRAINING, SeedStage.BLENDING, SeedStage.HOLDING, SeedStage.FOSSILIZED):
        if passed <= stage:
            growing.set_stage(slot_id, passed)
    growing.set_alpha(slot_id, alpha, frozen=False)


def shake(growing: GrowingHost, slot_id: str) -> None:
    """Give a seed weights with which it does something."""
    draws = generator(17)
    with torch.no_grad():
        for parameter in growing.seeds[slot_id].module.parameters():
            parameter.add_(torch.from_numpy(0.3 * draws.standard_normal(tuple(parameter.shape))))
