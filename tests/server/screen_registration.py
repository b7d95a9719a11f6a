"""Registers the world that is a picture."""

from tests.server.toy_worlds import SCREEN as WORLD

__all__ = ["WORLD"]
