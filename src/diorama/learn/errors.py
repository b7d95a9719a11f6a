"""Errors of training: divergence, a refused clone, a lost process."""

from diorama.contracts.errors import DioramaError


class TrainingDiverged(DioramaError):
    """A loss, gradient or logit became NaN or infinite; the message names it and the update."""

    exit_code = 4


class CloneRefused(DioramaError):
    """A clone does not pass its gate; the message names the requirement it misses."""


class ImitationStopped(DioramaError):
    """Imitation was asked to stop before it ended; the policy is half-way between two states."""


class TeamBroken(DioramaError):
    """Another process of the run has ended, or its weights differ."""
