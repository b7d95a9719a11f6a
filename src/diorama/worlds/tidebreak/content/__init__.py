"""Authored numbers of the world: hull classes and weapons as YAML tables, read into frozen rows."""

from diorama.worlds.tidebreak.content.content import Content
from diorama.worlds.tidebreak.content.loading import load_content, shipped_content
from diorama.worlds.tidebreak.content.ship_class import Facing, ShipClass, Signature
from diorama.worlds.tidebreak.content.weapon import Weapon

__all__ = ["Content", "Facing", "ShipClass", "Signature", "Weapon", "load_content", "shipped_content"]
