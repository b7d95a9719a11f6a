"""A state as 64-bit words, which is what both tiers hash, store and restore.

Only nodes and asteroids that exist are written; an unused neighbor slot is a neighbor of -1 and zeros.
"""

from diorama.worlds.prospector.reference.words.reading import read_state
from diorama.worlds.prospector.reference.words.writing import write_state

__all__ = ["read_state", "write_state"]
