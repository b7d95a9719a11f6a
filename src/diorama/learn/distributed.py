"""Processes that train one policy together: collectives, shared statistics, equal replicas."""

import hashlib
import os
import pickle
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any, Final

import torch
import torch.distributed as dist
from torch import Tensor, cat, nn
from torch.distributed import PrefixStore, Store  # type: ignore[attr-defined]  # not in its list of names
from torch.distributed.rendezvous import rendezvous

from diorama.learn.errors import TeamBroken
from diorama.learn.normalization import Moments, RunningMoments

_LEADER: Final = 0
_WHY: Final = "why"  # a process has ended
# Somebody who is gone is noticed by the broken connection; whoever waits for the leader may have to wait long.
_PATIENCE: Final = timedelta(days=7)


class Team:
    """Processes of one run; all of them make the same calls in the same order.

    Attributes:
        rank: Place of this process.
        size: How many there are.
        local_size: How many of them share this machine.
    """

    def __init__(self, *, rank: int, size: int, local_size: int, notes: Store | None = None) -> None:
        """Say who is who; the process group is there already, and `notes` outlive whoever leaves it."""
        self._notes = notes
        self.rank = rank
        self.size = size
        self.local_size = local_size

    @property
    def is_leader(self) -> bool:
        """Whether this process writes the run and says what is done next."""
        return self.rank == _LEADER

    def all_reduce(self, numbers: torch.Tensor) -> None:
        """Replace numbers by their sum over all processes, the same bits in each."""
        with self._connected():
            dist.all_reduce(numbers)

    def all_gather(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the numbers of all processes, stacked in the order of their ranks."""
        everybody = [torch.empty_like(numbers) for _ in range(self.size)]
        with self._connected():
            dist.all_gather(everybody, numbers.contiguous())
        return torch.stack(everybody)

    def gather(self, numbers: torch.Tensor) -> list[torch.Tensor]:
        """Return the numbers of all processes to the leader, in the order of their ranks; to the others nothing."""
        parts = [torch.empty_like(numbers) for _ in range(self.size)] if self.is_leader else None
        with self._connected():
            dist.gather(numbers, parts, dst=_LEADER)
        return parts or []

    def gather_objects(self, item: object) -> list[Any]:
        """Return the objects of all processes to the leader, in the order of their ranks; to the others nothing."""
        data = torch.frombuffer(bytearray(pickle.dumps(item)), dtype=torch.uint8)
        sizes = self.all_gather(torch.tensor([len(data)]))[:, 0].tolist()
        padded = torch.zeros(max(sizes), dtype=torch.uint8)
        padded[: len(data)] = data
        return [pickle.loads(part[:size].numpy().data) for part, size in zip(self.gather(padded), sizes, strict=False)]

    def broadcast_object(self, item: object = None) -> Any:
        """Return the leader's object; what the others give is not looked at."""
        box = [item]
        with self._connected():
            dist.broadcast_object_list(box, src=_LEADER)
        return box[0]

    def broadcast(self, numbers: torch.Tensor) -> None:
        """Replace numbers by those of the leader."""
        with self._connected():
            dist.broadcast(numbers, src=_LEADER)

    def explain(self, why: str) -> None:
        """Leave word for the others why this process is about to end."""
        if self._notes is None:
            return
        with suppress(RuntimeError):  # whoever keeps the notes is gone, and needs none
            self._notes.set(_WHY, f"process {self.rank} has ended: {why}")

    def leave(self) -> None:
        """Close the connections; the others notice if they still wait for something."""
        if dist.is_initialized():
            dist.destroy_process_group()

    @contextmanager
    def _connected(self) -> Iterator[None]:
        try:
            yield
        except RuntimeError as error:
            why = self._explanation() or "another process of the run is gone"
            raise TeamBroken(f"{why}; nothing can be learned without it") from error

    def _explanation(self) -> str | None:
        """Return what another process has said before it ended, if it had the time."""
        if self._notes is None:
            return None
        try:
            return self._notes.get(_WHY).decode() if self._notes.check([_WHY]) else None
        except RuntimeError:
            return None  # whoever kept the notes is gone as well


def launched_size() -> int:
    """Return how many processes this one was started among; 1 where it was started alone."""
    return int(os.environ.get("WORLD_SIZE", "1")) if "TORCHELASTIC_RUN_ID" in os.environ else 1


def local_device(device: str) -> str:
    """Return the device of this process: `cuda` is one GPU each for those on one machine."""
    return f"cuda:{os.environ['LOCAL_RANK']}" if device == "cuda" else device


def join_team(device: str) -> Team:
    """Connect the processes that torch's launcher has started.

    Args:
        device: Of the policy; gradients travel by NCCL between GPUs, everything else by gloo.

    Raises:
        TeamBroken: Somebody does not come.
    """
    backend = "gloo" if device.partition(":")[0] == "cpu" else "cpu:gloo,cuda:nccl"
    if backend != "gloo":
        torch.cuda.set_device(torch.device(local_device(device)))
    try:
        store, rank, size = next(rendezvous("env://", timeout=_PATIENCE))
        store.set_timeout(_PATIENCE)
        dist.init_process_group(
            backend, store=PrefixStore("group", store), rank=rank, world_size=size, timeout=_PATIENCE
        )
    except RuntimeError as error:
        raise TeamBroken("another process of the run did not come; nothing can be learned without it") from error
    return Team(
        rank=rank,
        size=size,
        local_size=int(os.environ.get("LOCAL_WORLD_SIZE", "1")),
        notes=PrefixStore("notes", store),
    )


def share_moments(team: Team, *modules: nn.Module) -> None:
    """Let every running mean and variance in these modules take in what all processes have seen."""
    for module in modules:
        for part in _moments_in(module):
            part.merge = lambda *own: merged_over(team, *own)


@contextmanager
def own_moments(module: nn.Module) -> Iterator[None]:
    """Let the running means and variances in a module take in what this process alone sees, for a while."""
    before = [(part, part.merge) for part in _moments_in(module)]
    for part, _ in before:
        part.merge = None
    try:
        yield
    finally:
        for part, merge in before:
            part.merge = merge


def merged_over(team: Team, mean: Tensor, variance: Tensor, count: Tensor) -> Moments:
    """Return mean, population variance and count of the samples of all processes together."""
    own = cat([mean.double(), variance.double(), count.double().reshape(1)])
    return merged(*_columns(team.all_gather(own), len(mean)))


def merged(means: Tensor, variances: Tensor, counts: Tensor) -> Moments:
    """Return the moments of groups taken together.

    Args:
        means: Groups × columns, float64.
        variances: Likewise.
        counts: Groups × 1.
    """
    total = counts.sum(dim=0)
    divisor = total.clamp(min=1)
    mean = (counts * means).sum(dim=0) / divisor
    variance = (counts * (variances + (means - mean).square())).sum(dim=0) / divisor
    return mean, variance, total[0]


def _moments_in(module: nn.Module) -> list[RunningMoments]:
    return [part for part in module.modules() if isinstance(part, RunningMoments)]


def _columns(table: Tensor, width: int) -> Moments:
    return table[:, :width], table[:, width : 2 * width], table[:, 2 * width :]


def add_over(team: Team, gradient: torch.Tensor, terms: torch.Tensor) -> None:
    """Replace a gradient and the loss terms beside it by their sums over all processes, in one transfer."""
    both = torch.cat([gradient, terms])
    team.all_reduce(both)
    gradient.copy_(both[: len(gradient)])
    terms.copy_(both[len(gradient) :])


def refuse_different_replicas(team: Team, tensors: Mapping[str, torch.Tensor], *, updates: int) -> None:
    """Compare a hash of these tensors with that of every other process.

    Raises:
        TeamBroken: They differ; raised in every process.
    """
    hashes = team.all_gather(torch.frombuffer(bytearray(digest_of(tensors)), dtype=torch.uint8))
    others = [rank for rank in range(team.size) if not torch.equal(hashes[rank], hashes[0])]
    if others:
        raise TeamBroken(
            f"after update {updates} the policy of process {others[0]} is not that of process 0; all processes must run"
            " the same versions on the same kind of processor or GPU (the run can go on from its newest checkpoint)"
        )


def digest_of(tensors: Mapping[str, torch.Tensor]) -> bytes:
    """Return a hash of names and bits."""
    digest = hashlib.blake2b(digest_size=16)
    for name, tensor in tensors.items():
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().data)
    return digest.digest()


def count_together(team: Team, *counts: int) -> list[int]:
    """Return sums over all processes."""
    totals = torch.tensor(counts)
    team.all_reduce(totals)
    numbers: list[int] = totals.tolist()
    return numbers
