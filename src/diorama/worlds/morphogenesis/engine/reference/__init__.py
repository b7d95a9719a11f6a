"""The readable engine: one ordinary module per host, and a loop over them."""

from diorama.worlds.morphogenesis.engine.reference.engine import ReferenceEngine

__all__ = ["ReferenceEngine"]
