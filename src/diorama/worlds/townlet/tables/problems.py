"""Collecting everything that is wrong with a document before saying so once."""

from diorama.contracts.errors import ConfigError


class Problems:
    """Located mistakes of one file."""

    def __init__(self, name: str) -> None:
        """Begin with none; `name` is the file's."""
        self._name = name
        self._lines: list[str] = []

    def add(self, place: str, problem: str) -> None:
        """Note a mistake at a place such as `objects.fridge_1.use_tile`."""
        line = f"{self._name}: {place}: {problem}"
        if line not in self._lines:
            self._lines.append(line)

    def raise_if_any(self) -> None:
        """Raise one error with all of them.

        Raises:
            ConfigError: When something has been added.
        """
        if self._lines:
            raise ConfigError("; ".join(self._lines))
