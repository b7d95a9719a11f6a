"""`Completer`: what could come next on a line, from the help of a console."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any


class Completer:
    """Offers commands, the names of their arguments, and values where there are only some."""

    def __init__(self, commands: Sequence[Mapping[str, Any]], line: Callable[[], str]) -> None:
        """Know the commands of a `help` result; `line` returns what was typed so far."""
        self._line = line
        self._schemas: dict[str, Mapping[str, Any]] = {}
        for command in commands:
            for name in (command["name"], *command["aliases"]):
                self._schemas[name] = command["arguments"]

    def complete(self, text: str, state: int) -> str | None:
        """Return one candidate after another, as `readline` asks for them."""
        offers = [offer for offer in self.offers(self._line(), text) if offer.startswith(text)]
        return offers[state] if state < len(offers) else None

    def offers(self, line: str, text: str) -> list[str]:
        """Return everything that could be the word that begins with `text` at the end of a line."""
        before = line.removesuffix(text).split()
        if not before:
            return [f"{name} " for name in sorted(self._schemas)]
        schema = self._schemas.get(before[0], {})
        properties: Mapping[str, Mapping[str, Any]] = schema.get("properties", {})
        named, _, _ = text.partition("=")
        if "=" in text and named in properties:
            return [f"{named}={value} " for value in _values(properties[named])]
        used = {word.partition("=")[0] for word in before[1:] if "=" in word}
        given = sum("=" not in word for word in before[1:])
        names = list(properties)
        here = _values(properties[names[given]]) if given < len(names) else iter(())
        return [*(f"{value} " for value in here), *(f"{name}=" for name in names[given:] if name not in used)]


def _values(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the values of an argument that has only some."""
    if schema.get("type") == "boolean":
        yield from ("true", "false")
    yield from (str(value) for value in schema.get("enum", ()))
    for choice in schema.get("anyOf", ()):
        yield from _values(choice)
