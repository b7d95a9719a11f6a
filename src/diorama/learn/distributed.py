"""Data-parallel training: collectives, shared statistics and checks of replicas."""

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
_FAILURE_KEY: Final = "why"
# A lost process breaks the connection at once; the leader may do long work between two collectives.
_TIMEOUT: Final = timedelta(days=7)


class Team:
    """The processes of one run; all of them make the same calls in the same order.

    Attributes:
        rank: Rank of this process.
        size: Number of processes.
        local_size: Number of processes on this machine.
    """

    def __init__(self, *, rank: int, size: int, local_size: int, store: Store | None = None) -> None:
        """Use the default process group; `store` holds messages of processes that fail."""
        self._store = store
        self.rank = rank
        self.size = size
        self.local_size = local_size

    @property
    def is_leader(self) -> bool:
        """Whether this is rank 0, which writes the run and controls the others."""
        return self.rank == _LEADER

    def all_reduce(self, numbers: torch.Tensor) -> None:
        """Replace numbers by their sum over all processes, bit-identical in each."""
        with self._connected():
            dist.all_reduce(numbers)

    def all_gather(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the numbers of all processes, stacked by rank."""
        parts = [torch.empty_like(numbers) for _ in range(self.size)]
        with self._connected():
            dist.all_gather(parts, numbers.contiguous())
        return torch.stack(parts)

    def gather(self, numbers: torch.Tensor) -> list[torch.Tensor]:
        """Return the numbers of all processes by rank to the leader, and an empty list to the others."""
        parts = [torch.empty_like(numbers) for _ in range(self.size)] if self.is_leader else None
        with self._connected():
            dist.gather(numbers, parts, dst=_LEADER)
        return parts or []

    def gather_objects(self, item: object) -> list[Any]:
        """Return the objects of all processes by rank to the leader, and an empty list to the others."""
        data = torch.frombuffer(bytearray(pickle.dumps(item)), dtype=torch.uint8)
        sizes = self.all_gather(torch.tensor([len(data)]))[:, 0].tolist()
        padded = torch.zeros(max(sizes), dtype=torch.uint8)
        padded[: len(data)] = data
        return [pickle.loads(part[:size].numpy().data) for part, size in zip(self.gather(padded), sizes, strict=False)]

    def broadcast_object(self, item: object = None) -> Any:
        """Return the leader's object; `item` is ignored in the other processes."""
        box = [item]
        with self._connected():
            dist.broadcast_object_list(box, src=_LEADER)
        return box[0]

    def broadcast(self, numbers: torch.Tensor) -> None:
        """Replace numbers by the leader's."""
        with self._connected():
            dist.broadcast(numbers, src=_LEADER)

    def report_failure(self, message: str) -> None:
        """Store why this process ends, for the error message of the others."""
        if self._store is None:
            return
        with suppress(RuntimeError):  # the process with the store has ended
            self._store.set(_FAILURE_KEY, f"process {self.rank} has ended: {message}")

    def close(self) -> None:
        """Destroy the process group; collectives of the other processes fail."""
        if dist.is_initialized():
            dist.destroy_process_group()

    @contextmanager
    def _connected(self) -> Iterator[None]:
        try:
            yield
        except RuntimeError as error:
            reason = self._reported_failure() or "another process of the run has ended"
            raise TeamBroken(
                f"{reason}; training cannot continue without it", code="process_lost", reason=reason
            ) from error

    def _reported_failure(self) -> str | None:
        if self._store is None:
            return None
        try:
            return self._store.get(_FAILURE_KEY).decode() if self._store.check([_FAILURE_KEY]) else None
        except RuntimeError:
            return None  # the process with the store has ended


def launched_size() -> int:
    """Return the number of processes that torchrun has started; 1 without torchrun."""
    return int(os.environ.get("WORLD_SIZE", "1")) if "TORCHELASTIC_RUN_ID" in os.environ else 1


def local_device(device: str) -> str:
    """Return the device of this process: `cuda` becomes the GPU of its local rank."""
    return f"cuda:{os.environ['LOCAL_RANK']}" if device == "cuda" else device


def join_team(device: str) -> Team:
    """Connect the processes that torchrun has started.

    Args:
        device: Of the policy; NCCL transfers tensors on GPUs, gloo everything else.

    Raises:
        TeamBroken: A process does not connect.
    """
    backend = "gloo" if device.partition(":")[0] == "cpu" else "cpu:gloo,cuda:nccl"
    if backend != "gloo":
        torch.cuda.set_device(torch.device(local_device(device)))
    try:
        store, rank, size = next(rendezvous("env://", timeout=_TIMEOUT))
        store.set_timeout(_TIMEOUT)
        dist.init_process_group(
            backend, store=PrefixStore("group", store), rank=rank, world_size=size, timeout=_TIMEOUT
        )
    except RuntimeError as error:
        raise TeamBroken(
            "another process of the run did not connect; training cannot start without it", code="process_missing"
        ) from error
    return Team(
        rank=rank,
        size=size,
        local_size=int(os.environ.get("LOCAL_WORLD_SIZE", "1")),
        store=PrefixStore("notes", store),
    )


def share_moments(team: Team, *modules: nn.Module) -> None:
    """Make all running means and variances of these modules use the samples of all processes."""
    for module in modules:
        for part in _moments_in(module):
            part.merge = lambda *own: merge_over_team(team, *own)


@contextmanager
def local_moments(module: nn.Module) -> Iterator[None]:
    """Make the running means and variances of a module use only samples of this process while the block runs."""
    before = [(part, part.merge) for part in _moments_in(module)]
    for part, _ in before:
        part.merge = None
    try:
        yield
    finally:
        for part, merge in before:
            part.merge = merge


def merge_over_team(team: Team, mean: Tensor, variance: Tensor, count: Tensor) -> Moments:
    """Return mean, population variance and count of the samples of all processes."""
    own = cat([mean.double(), variance.double(), count.double().reshape(1)])
    return merge_moments(*_columns(team.all_gather(own), len(mean)))


def merge_moments(means: Tensor, variances: Tensor, counts: Tensor) -> Moments:
    """Return the moments of the union of groups.

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


def all_reduce_gradient(team: Team, gradient: torch.Tensor, terms: torch.Tensor) -> None:
    """Replace a gradient and its loss terms by their sums over all processes, in one collective."""
    both = torch.cat([gradient, terms])
    team.all_reduce(both)
    gradient.copy_(both[: len(gradient)])
    terms.copy_(both[len(gradient) :])


def check_replicas(team: Team, tensors: Mapping[str, torch.Tensor], *, updates: int) -> None:
    """Compare these tensors with those of all other processes, by hash.

    Raises:
        TeamBroken: They differ; raised in every process.
    """
    hashes = team.all_gather(torch.frombuffer(bytearray(digest_of(tensors)), dtype=torch.uint8))
    others = [rank for rank in range(team.size) if not torch.equal(hashes[rank], hashes[0])]
    if others:
        raise TeamBroken(
            f"after update {updates} the policy of process {others[0]} differs from that of process 0; all processes"
            " need the same software versions and the same kind of processor or GPU (the run can be resumed from its"
            " newest checkpoint)",
            code="replicas_differ",
            updates=updates,
            rank=others[0],
        )


def digest_of(tensors: Mapping[str, torch.Tensor]) -> bytes:
    """Return a hash of the names and bytes of tensors."""
    digest = hashlib.blake2b(digest_size=16)
    for name, tensor in tensors.items():
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().data)
    return digest.digest()


def all_reduce_counts(team: Team, *counts: int) -> list[int]:
    """Return the sums of counts over all processes."""
    totals = torch.tensor(counts)
    team.all_reduce(totals)
    numbers: list[int] = totals.tolist()
    return numbers
