"""Blueprints by topology and id."""

from collections.abc import Callable
from dataclasses import dataclass

from numpy.random import Generator

from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction, Topology
from diorama.worlds.morphogenesis.contracts.errors import BlueprintError
from diorama.worlds.morphogenesis.hosting.blueprints.seed_module import SeedModule
from diorama.worlds.morphogenesis.hosting.initialization import count_parameters, initialize

SeedFactory = Callable[[int, int], SeedModule]
"""Builds a module from its width and the host's longest sequence, which image hosts ignore."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlueprintSpec:
    """One blueprint in one topology; the cost multiplier is for display."""

    topology: Topology
    blueprint: BlueprintAction
    build: SeedFactory
    param_formula: Callable[[int], int]
    cost_multiplier: float

    def actual_param_count(self, width: int, *, block_size: int = 0) -> int:
        """Count the parameters of a module of this width."""
        return count_parameters(self.build(width, block_size))

    def plant(self, width: int, draws: Generator, *, block_size: int = 0, gain: float = 0.0) -> SeedModule:
        """Build a module with its first weights.

        Raises:
            BlueprintError: The module cannot have this width.
        """
        try:
            module = self.build(width, block_size)
        except ValueError as error:
            raise BlueprintError(f"{self.topology} blueprint {self.blueprint.blueprint_id!r}: {error}") from error
        initialize(module, draws, module.constants(gain))
        return module


class BlueprintRegistry:
    """Blueprints by topology and id."""

    def __init__(self) -> None:
        """Start empty."""
        self._specs: dict[tuple[Topology, str], BlueprintSpec] = {}

    def register(self, spec: BlueprintSpec) -> None:
        """Add a blueprint; a second one of the same name raises `BlueprintError`."""
        key = (spec.topology, spec.blueprint.blueprint_id)
        if key in self._specs:
            raise BlueprintError(f"{spec.topology} blueprint {key[1]!r} is registered twice")
        self._specs[key] = spec

    def get(self, topology: Topology, blueprint_id: str) -> BlueprintSpec:
        """Return a blueprint; an unknown or foreign one raises `BlueprintError`."""
        if (topology, blueprint_id) not in self._specs:
            known = ", ".join(name for owner, name in self._specs if owner == topology)
            raise BlueprintError(f"no {topology} blueprint is called {blueprint_id!r}; there are: {known}")
        return self._specs[topology, blueprint_id]

    def of_topology(self, topology: Topology) -> tuple[BlueprintSpec, ...]:
        """Return the blueprints of a topology by index."""
        specs = (spec for spec in self._specs.values() if spec.topology == topology)
        return tuple(sorted(specs, key=lambda spec: spec.blueprint))
