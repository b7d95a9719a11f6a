"""The fast engine: all hosts of a round trained as one network."""

from diorama.worlds.morphogenesis.engine.stacked.engine import StackedEngine

__all__ = ["StackedEngine"]
