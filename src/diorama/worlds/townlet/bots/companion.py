"""Who leads the citizens that nobody plays by hand."""

from diorama.worlds.townlet.config.simulation import TownletConfig


def companion(config: TownletConfig) -> str | None:
    """Return the town's own controller where citizens choose options; it knows no primitives."""
    return "scripted" if config.policy_runtime.action_level == "option" else None
