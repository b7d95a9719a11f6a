"""Checks an anneal schedule of a plan against its world and its other settings."""

from diorama.contracts.errors import ConfigError
from diorama.engine.venue import Venue
from diorama.learn.settings.imitation import AnnealSettings, GateSettings
from diorama.operate.training.settings import TrainingSettings


def anneal_steps(anneal: AnnealSettings, settings: TrainingSettings) -> int:
    """Return the env steps that all ppo stages take together."""
    return anneal.cycles * settings.ppo.rollout_steps * settings.copies


def check_anneal(venue: Venue, settings: TrainingSettings) -> None:
    """Refuse a schedule that cannot be run.

    Raises:
        ConfigError: The world has no controller, a dataset is missing, or another setting says otherwise.
    """
    anneal, cloning = settings.anneal, settings.cloning
    if anneal is None:
        return
    if venue.world.advisor is None:
        raise ConfigError(f"{venue.world.id!r} has no controller of its own to hand over from; leave out anneal")
    if anneal.needs_demonstrations and (cloning is None or cloning.dataset is None):
        raise ConfigError("anneal: its stages imitate; name the dataset in cloning.dataset")
    if settings.ppo.teacher_share != 0.0 or settings.ppo.vtrace is not None:
        raise ConfigError("anneal: the stages say who decides; leave out ppo.teacher_share and ppo.vtrace")
    if cloning is not None and cloning.anneal != 0.0:
        raise ConfigError("anneal: the stages say how much is imitated (bc_weight); leave cloning.anneal at 0")
    steps = anneal_steps(anneal, settings)
    if steps != settings.steps:
        raise ConfigError(
            f"anneal: its ppo stages take {anneal.cycles} cycles of {settings.ppo.rollout_steps} decisions in "
            f"{settings.copies} copies; set steps to {steps}, not {settings.steps}"
        )


def gate_of(anneal: AnnealSettings, settings: TrainingSettings) -> GateSettings:
    """Return what a clone must reach after a bc stage."""
    given = None if settings.cloning is None else settings.cloning.gate
    return (given or GateSettings()).model_copy(update={"accuracy": anneal.accuracy_threshold})
