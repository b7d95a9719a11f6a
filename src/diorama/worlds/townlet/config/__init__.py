"""The configuration of a town: sections, identity, reload rules and loading."""

from diorama.worlds.townlet.config.identity import effective_id, structural_hash
from diorama.worlds.townlet.config.loading import load_config, overlaid, parse_simulation
from diorama.worlds.townlet.config.reload import ReloadPlan, plan_reload
from diorama.worlds.townlet.config.simulation import ObservationVariantMismatch, SimulationConfig, TownletConfig

__all__ = [
    "ObservationVariantMismatch",
    "ReloadPlan",
    "SimulationConfig",
    "TownletConfig",
    "effective_id",
    "load_config",
    "overlaid",
    "parse_simulation",
    "plan_reload",
    "structural_hash",
]
