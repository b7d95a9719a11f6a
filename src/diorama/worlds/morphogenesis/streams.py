"""Named random streams: a key for each purpose, and nothing drawn from any library's global state."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from numpy.random import PCG64, Generator

Stream = Literal[
    "host_init",
    "seed_init",
    "gate_init",
    "data",
    "augment",
    "policy",
    "policy_init",
    "dropout",
    "attribution",
    "bootstrap",
    "random_controller",
]


def stream_key(root_key: int, stream: Stream, *ids: int) -> int:
    """Return the 64-bit key of a stream: the first 8 bytes of a SHA-256, little endian."""
    text = "|".join((str(root_key), stream, *(str(number) for number in ids)))
    return int.from_bytes(sha256(text.encode()).digest()[:8], "little")


def generator(key: int) -> Generator:
    """Return the generator that a key starts."""
    return Generator(PCG64(key))


@dataclass(frozen=True, slots=True)
class Streams:
    """All streams of a run."""

    root_key: int

    def key(self, stream: Stream, *ids: int) -> int:
        """Return the key of one stream."""
        return stream_key(self.root_key, stream, *ids)

    def open(self, stream: Stream, *ids: int) -> Generator:
        """Start one stream from its beginning."""
        return generator(self.key(stream, *ids))
