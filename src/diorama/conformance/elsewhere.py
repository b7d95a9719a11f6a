"""Plays an episode in another process, which has other hashes of texts, another folder and another moment.

`python -m diorama.conformance.elsewhere` reads a world and decisions as JSON and prints what the episode looks like.
"""

import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import fields

import numpy as np

from diorama.conformance.subject import SEED, Subject
from diorama.conformance.walking import Moment, moment_of
from diorama.contracts.config import config_hash
from diorama.contracts.tiers import Tier
from diorama.worlds.registry import load_world

EPISODE = SEED + 2  # not played by any check before, so that nothing of it can have been kept


def footprint(subject: Subject, tier: Tier, actions: Sequence[Sequence[Sequence[int]]]) -> list[str]:
    """Return the hash of the configuration, and one digest for the opening and for each step."""
    batch = subject.opened(tier, (EPISODE,))
    told = [config_hash(subject.spec.interface_version, subject.world.id, subject.config), _digest(moment_of(batch))]
    for taken in actions:
        batch.step(np.array(taken, np.int32))
        told.append(_digest(moment_of(batch)))
    batch.close()
    return told


def _digest(moment: Moment) -> str:
    parts = [getattr(moment, field.name) for field in fields(moment)]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    subject = Subject.of(load_world(asked["world"]), asked["config"])
    print(json.dumps(footprint(subject, Tier(asked["tier"]), asked["actions"])))
