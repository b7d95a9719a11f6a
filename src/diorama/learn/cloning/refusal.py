"""The error of a clone that is not good enough."""

from diorama.contracts.errors import DioramaError


class CloneRefused(DioramaError):
    """A clone falls short of its gate; the message says in what."""
