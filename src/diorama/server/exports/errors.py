"""What can go wrong with exports."""

from diorama.contracts.errors import DioramaError


class ExportFailed(DioramaError):
    """The process that exports a policy gave up; the message is what it said last."""
