"""What can be planted: modules that start as the identity and keep the shape of what they get."""

from diorama.worlds.morphogenesis.hosting.blueprints.catalogue import CATALOGUE
from diorama.worlds.morphogenesis.hosting.blueprints.registry import BlueprintRegistry, BlueprintSpec
from diorama.worlds.morphogenesis.hosting.blueprints.seed_module import SeedModule

__all__ = ["CATALOGUE", "BlueprintRegistry", "BlueprintSpec", "SeedModule"]
