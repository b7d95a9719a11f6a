"""Errors of training: divergence, a refused clone, a lost process."""

from diorama.contracts.errors import DioramaError


class TrainingDiverged(DioramaError):
    """Something that must be a number is none; the message names what, and when."""

    exit_code = 4


class CloneRefused(DioramaError):
    """A clone falls short of its gate; the message says in what."""


class TeamBroken(DioramaError):
    """Another process of the run is gone, or has come to something else."""
