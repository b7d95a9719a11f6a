"""What `/health` answers."""

from typing import Literal

from diorama.server.models.base import Answer


class Health(Answer):
    """The server is up."""

    status: Literal["ok"]
