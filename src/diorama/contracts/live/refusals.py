"""Why a command was not executed."""


class CommandError(Exception):
    """A refused command: an error code, a reason a program can read, and a message for people."""

    def __init__(self, code: str, reason: str, message: str) -> None:
        """Refuse with a code of the console, such as `not_found`."""
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
