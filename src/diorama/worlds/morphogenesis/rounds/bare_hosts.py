"""Hosts without any slots, trained and measured by themselves: what growth is held against."""

from collections.abc import Callable
from dataclasses import replace

import torch

from diorama.worlds.morphogenesis.comparison.episodes import EpisodeResult
from diorama.worlds.morphogenesis.data.loading import build_host, optimizer_plan
from diorama.worlds.morphogenesis.engine.arithmetic import plain_arithmetic
from diorama.worlds.morphogenesis.engine.feeding import Feed
from diorama.worlds.morphogenesis.engine.protocol import EngineSetup
from diorama.worlds.morphogenesis.hosting.epochs import VALIDATION_BATCH
from diorama.worlds.morphogenesis.hosting.hosts import Host, TransformerHost
from diorama.worlds.morphogenesis.hosting.loss import mean_loss
from diorama.worlds.morphogenesis.hosting.optimizers import HostOptimizers


@plain_arithmetic()
def train_bare_hosts(
    setup: EngineSetup, *, rounds: int, epochs: int, advance: Callable[[], None] = lambda: None
) -> list[EpisodeResult]:
    """Train one host per group and round; the envs of a group start alike, so that they end alike."""
    feed, results = Feed(setup), []
    for round_index in range(rounds):
        endings = {
            group: _train(setup, feed, round_index, group, epochs, advance)
            for group in sorted(set(setup.layout.groups))
        }
        results += [
            EpisodeResult(round_index=round_index, env_id=env_id, final_accuracy=endings[group])
            for env_id, group in zip(setup.layout.env_ids, setup.layout.groups, strict=True)
        ]
    return results


def _train(
    setup: EngineSetup, feed: Feed, round_index: int, group: int, epochs: int, advance: Callable[[], None]
) -> float:
    host = build_host(setup.task).to(setup.device)
    host.initialize(setup.streams.open("host_init", round_index, group))
    optimizers = HostOptimizers(host, replace(optimizer_plan(setup.task), max_grad_norm=setup.max_grad_norm))
    for epoch in range(1, epochs + 1):
        host.train()
        if isinstance(host, TransformerHost):
            host.dropout.draws = setup.streams.open("dropout", round_index, epoch)
        for inputs, targets in feed.minibatches(round_index, epoch):
            optimizers.zero_grad()
            torch.autograd.backward(mean_loss(host(inputs), targets))
            optimizers.step()
        advance()
    return _accuracy(host, feed)


def _accuracy(host: Host, feed: Feed) -> float:
    host.eval()
    correct = 0
    with torch.inference_mode():
        for start in range(0, len(feed.val_inputs), VALIDATION_BATCH):
            part = slice(start, start + VALIDATION_BATCH)
            correct += int((host(feed.val_inputs[part]).argmax(dim=-1) == feed.val_targets[part]).sum())
    return 100.0 * correct / feed.val_targets.numel()
