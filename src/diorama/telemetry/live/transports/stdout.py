"""`StdoutTransport`: one message per line of the standard output."""

import os
from collections.abc import Sequence
from typing import Final

_STANDARD_OUTPUT: Final = 1


class StdoutTransport:
    """Writes to a descriptor without a buffer, so that a reader who has stopped holds up nothing but this thread."""

    begins_anew: Final = True

    def __init__(self, descriptor: int = _STANDARD_OUTPUT, name: str = "stdout") -> None:
        """Choose where to write; the descriptor stays its owner's."""
        self.name = name
        self._descriptor = descriptor
        self._is_cut_short = False

    def send(self, messages: Sequence[bytes]) -> None:
        """Write the messages.

        Raises:
            OSError: Nobody reads.
        """
        rest = memoryview(b"".join(message + b"\n" for message in messages))
        if self._is_cut_short:
            rest = memoryview(b"\n" + rest)  # ends the line that a failure left unfinished
        self._is_cut_short = True
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
        self._is_cut_short = False

    def close(self) -> None:
        """Nothing is held."""
