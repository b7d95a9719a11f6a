"""The error of a training that has left the realm of numbers."""

from diorama.contracts.errors import DioramaError


class TrainingDiverged(DioramaError):
    """Something that must be a number is none; the message names what, and when."""

    exit_code = 4
