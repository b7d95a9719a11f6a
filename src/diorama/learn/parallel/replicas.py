"""Checks that all processes hold the same policy, bit for bit."""

import hashlib
from collections.abc import Mapping

import torch

from diorama.learn.parallel.team import Team, TeamBroken


def refuse_different_replicas(team: Team, tensors: Mapping[str, torch.Tensor], *, updates: int) -> None:
    """Compare a hash of these tensors with that of every other process.

    Raises:
        TeamBroken: They differ; raised in every process.
    """
    hashes = team.gather(torch.frombuffer(bytearray(digest_of(tensors)), dtype=torch.uint8))
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
