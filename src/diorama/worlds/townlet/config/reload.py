"""Which fields two configurations differ in, and whether a running town can take the change."""

from dataclasses import dataclass

from diorama.worlds.townlet.config.identity import leaves
from diorama.worlds.townlet.config.simulation import SimulationConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class ReloadPlan:
    """What a reload would change.

    Attributes:
        changed: Every path whose value differs, in the order of the configuration.
        refused: Those of them that need a restart; one is enough to refuse the whole reload.
    """

    changed: tuple[str, ...]
    refused: tuple[str, ...]

    @property
    def is_allowed(self) -> bool:
        """Whether a running town can take the change."""
        return not self.refused


def plan_reload(live: SimulationConfig, candidate: SimulationConfig) -> ReloadPlan:
    """Compare a validated candidate with the configuration a town runs under."""
    before = {path: value for path, _, value in leaves(live)}
    after = {path: value for path, _, value in leaves(candidate)}
    fixed_paths = {path for model in (live, candidate) for path, is_fixed, _ in leaves(model) if is_fixed}
    changed = tuple(
        path
        for path in dict.fromkeys([*after, *before])
        if path not in before or path not in after or before[path] != after[path]
    )
    return ReloadPlan(changed=changed, refused=tuple(path for path in changed if path in fixed_paths))
