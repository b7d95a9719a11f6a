"""`Team`: the processes that train one policy together, and what they say to one another."""

import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any, Final

import torch
import torch.distributed as dist
from torch.distributed import PrefixStore, Store  # type: ignore[attr-defined]  # not in its list of names
from torch.distributed.rendezvous import rendezvous

from diorama.contracts.errors import DioramaError

_LEADER: Final = 0
_WHY: Final = "why"  # a process has ended
# Somebody who is gone is noticed by the broken connection; whoever waits for the leader may have to wait long.
_PATIENCE: Final = timedelta(days=7)


class TeamBroken(DioramaError):
    """Another process of the run is gone, or has come to something else."""


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

    def add_up(self, numbers: torch.Tensor) -> None:
        """Replace numbers by their sum over all processes, the same bits in each."""
        with self._connected():
            dist.all_reduce(numbers)

    def gather(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the numbers of all processes, stacked in the order of their ranks."""
        everybody = [torch.empty_like(numbers) for _ in range(self.size)]
        with self._connected():
            dist.all_gather(everybody, numbers.contiguous())
        return torch.stack(everybody)

    def bring(self, numbers: torch.Tensor) -> list[torch.Tensor]:
        """Return the numbers of all processes to the leader, in the order of their ranks; to the others nothing."""
        parts = [torch.empty_like(numbers) for _ in range(self.size)] if self.is_leader else None
        with self._connected():
            dist.gather(numbers, parts, dst=_LEADER)
        return parts or []

    def bring_objects(self, item: object) -> list[Any]:
        """Return the objects of all processes to the leader, in the order of their ranks; to the others nothing."""
        data = torch.frombuffer(bytearray(pickle.dumps(item)), dtype=torch.uint8)
        sizes = self.gather(torch.tensor([len(data)]))[:, 0].tolist()
        padded = torch.zeros(max(sizes), dtype=torch.uint8)
        padded[: len(data)] = data
        return [pickle.loads(part[:size].numpy().data) for part, size in zip(self.bring(padded), sizes, strict=False)]

    def spread(self, item: object = None) -> Any:
        """Return the leader's object; what the others give is not looked at."""
        box = [item]
        with self._connected():
            dist.broadcast_object_list(box, src=_LEADER)
        return box[0]

    def take_over(self, numbers: torch.Tensor) -> None:
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
