"""Registers the world of two seats."""

from tests.server.toy_worlds import DUO as WORLD

__all__ = ["WORLD"]
