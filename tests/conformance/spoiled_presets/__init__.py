"""The example world with a preset that makes no sense."""

from orchard import WORLD

__all__ = ["WORLD"]
