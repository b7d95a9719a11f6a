"""The perturbation scheduler: what befalls the town by chance, and what operators bring about."""

from diorama.worlds.townlet.reference.systems.perturbations.manual import cancel_event, schedule_manual
from diorama.worlds.townlet.reference.systems.perturbations.scheduler import PerturbationScheduler, run_scheduler

__all__ = ["PerturbationScheduler", "cancel_event", "run_scheduler", "schedule_manual"]
