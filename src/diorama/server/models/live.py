"""What `/api/live` answers."""

from diorama.server.models.base import Answer


class LiveAddress(Answer):
    """Where live worlds are served; null for this server itself, or for nowhere."""

    address: str | None
