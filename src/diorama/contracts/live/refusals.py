"""Why a command was not executed."""

from diorama.contracts.values import JsonObject


class CommandError(Exception):
    """A refused command: an error code, a reason a program can read, a message for people, and what else helps."""

    def __init__(self, code: str, reason: str, message: str, details: JsonObject | None = None) -> None:
        """Refuse with a code of the console, such as `not_found`."""
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        self.details: JsonObject = details or {}
