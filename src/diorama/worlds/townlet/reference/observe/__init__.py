"""What citizens see: a window of the map, and 128 features."""

from diorama.worlds.townlet.reference.observe.observer import Observer

__all__ = ["Observer"]
