"""What `/api/live` answers."""

from diorama.server.models.base import Answer


class LiveAddress(Answer):
    """Where live worlds are served: empty for this server itself, null for nowhere."""

    address: str | None
