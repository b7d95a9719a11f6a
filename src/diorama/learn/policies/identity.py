"""`policy_hash`: the name of a policy by what it is, not by where it lies."""

import hashlib

import torch

from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import JsonObject, canonical_json
from diorama.learn.policies.policy import Policy


def policy_hash(policy: Policy, spec: WorldSpec) -> str:
    """Return the SHA-256 over what a policy reads and chooses from, and over every one of its numbers.

    Interface version, observation layout and head sizes come first; then each tensor, sorted by name: name, shape,
    and its numbers as little-endian float32.
    """
    layout: JsonObject = {
        "interface_version": spec.interface_version,
        "observation": [[item.name, *item.shape] for item in spec.observation],
        "heads": [len(head.options) for head in spec.heads],
        "arch": policy.arch,
    }
    digest = hashlib.sha256(canonical_json(layout).encode())
    for name, tensor in sorted(policy.state_dict().items()):
        digest.update(f"\n{name} {list(tensor.shape)}\n".encode())
        digest.update(tensor.detach().cpu().to(torch.float32).numpy().astype("<f4").tobytes())
    return digest.hexdigest()
