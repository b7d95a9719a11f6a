"""`Privacy`: hides people and what operators typed in everything that is told."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.contracts.live.events import EventKind
from diorama.contracts.values import JsonObject, JsonValue
from diorama.telemetry.live.aliases import Aliases
from diorama.telemetry.live.merge_patch import JsonDict

OPERATOR_STORY: Final = "operator_story"
"""Category of narrations that an operator wrote."""

NOBODY: Final = "auto"
"""Issuer of what the services did by themselves."""

_OF_AN_EVENT: Final = ("event", "tick", "seq_in_tick", "priority")
_TYPED: Final = frozenset({"message", "details", "metadata", "args", "kwargs", "path"})


class Privacy:
    """Puts aliases in the place of people and operators; leaves out free text of operators.

    Whatever has a member `issuer` or `cmd_id` came from an operator: these become aliases, and messages, arguments and
    reasons that may quote the operator become null.
    """

    def __init__(self, salt: str, catalogue: Iterable[EventKind]) -> None:
        """Begin with nobody known.

        Raises:
            ConfigError: The salt is empty.
        """
        if not salt:
            raise ConfigError("telemetry.privacy_salt_env: the salt is empty; set the variable to a secret text")
        self.aliases: Final = Aliases(salt)
        self._free_text = {
            kind.name: frozenset(item.name for item in kind.fields if item.is_free_text) for kind in catalogue
        }

    def hide_blocks(self, blocks: JsonObject) -> JsonDict:
        """Blocks, or a patch of them, as they may leave; the names of blocks stay."""
        return {name: self.hide(block) for name, block in blocks.items()}

    def hide_event(self, line: JsonDict) -> JsonDict:
        """An event as it may leave; the names of its fields stay."""
        free_text = self._free_text.get(str(line["event"]), frozenset())
        fields = {name: value for name, value in line.items() if name not in _OF_AN_EVENT}
        hidden = self._hide_members(fields, self._same)
        told: JsonDict = {name: line[name] for name in _OF_AN_EVENT}
        told.update({name: None if name in free_text else value for name, value in hidden.items()})
        return told

    def hide_narration(self, line: JsonDict, people: Sequence[str]) -> JsonDict | None:
        """A narration as it may leave; None where an operator wrote it."""
        if line["category"] == OPERATOR_STORY:
            return None
        self.aliases.know_words(people)
        message, key = str(line["message"]), str(line["dedupe_key"])
        hidden = {"message": self.aliases.hide(message), "data": self.hide(line["data"])}
        return {**line, **hidden, "dedupe_key": self.aliases.alias(key)}

    def hide(self, value: JsonValue) -> JsonValue:
        """Any value as it may leave, keys of objects included."""
        if isinstance(value, str):
            return self.aliases.hide(value)
        if isinstance(value, Mapping):
            return self._hide_members(value, self.aliases.hide)
        if isinstance(value, Sequence):
            return [self.hide(item) for item in value]
        return value

    def _hide_members(self, value: JsonObject, rename: Callable[[str], str]) -> JsonDict:
        if not _is_an_operators(value):
            return {rename(name): self.hide(item) for name, item in value.items()}
        issuer, command = value.get("issuer"), value.get("cmd_id")
        if isinstance(issuer, str) and issuer != NOBODY:
            self.aliases.know_words([issuer])
        hidden = {rename(name): self._hide_typed(item) for name, item in value.items() if name not in _TYPED}
        hidden |= {name: None for name in value if name in _TYPED or name == "reason"}
        if isinstance(command, str):
            hidden["cmd_id"] = self.aliases.alias(command)
        return hidden

    def _hide_typed(self, value: JsonValue) -> JsonValue:
        if isinstance(value, Mapping):
            if _is_an_operators(value):
                return self._hide_members(value, self.aliases.hide)
            return {
                self.aliases.hide(name): None if name in _TYPED else self._hide_typed(item)
                for name, item in value.items()
            }
        if isinstance(value, Sequence) and not isinstance(value, str):
            return [self._hide_typed(item) for item in value]
        return self.hide(value)

    @staticmethod
    def _same(name: str) -> str:
        return name


def _is_an_operators(value: JsonObject) -> bool:
    return "cmd_id" in value or value.get("issuer") not in (None, NOBODY)
