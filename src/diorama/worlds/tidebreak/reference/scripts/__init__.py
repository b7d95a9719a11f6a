"""Scripted controllers: each turns a unit's own tracks and state into an order, once per tick."""

from diorama.worlds.tidebreak.reference.scripts.registry import AGENT, SCRIPTS, controller_named

__all__ = ["AGENT", "SCRIPTS", "controller_named"]
