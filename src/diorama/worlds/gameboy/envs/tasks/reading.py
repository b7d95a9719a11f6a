"""Reads task files: YAML, safe-loaded, with every problem told by its place in the file."""

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Final

import yaml
from pydantic import ValidationError

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.validation import first_problem
from diorama.storage.yaml_text import parse_yaml, read_yaml
from diorama.worlds.gameboy.envs.tasks.rules import Rule, TaskFile
from diorama.worlds.gameboy.envs.user_paths import user_path

_SUFFIXES: Final = (".yaml", ".yml")


class _Loader(yaml.SafeLoader):
    """Safe loading in which only `true` and `false` are booleans: `on` is a kind of rule."""


_Loader.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A checked task. `addresses` are all watched bytes; rules, senses and events are told by columns of them."""

    file: TaskFile
    addresses: tuple[int, ...]

    def column(self, symbol: str | int) -> int:
        """Place of a symbol or address among the watched bytes."""
        return self.addresses.index(symbol if isinstance(symbol, int) else self.file.watch[symbol])

    @property
    def event_columns(self) -> slice:
        """Where the event bytes stand among the watched bytes."""
        events = self.file.events
        if events is None:
            return slice(0, 0)
        first = self.addresses.index(events.first)
        return slice(first, first + events.last - events.first + 1)

    @property
    def sense_names(self) -> tuple[str, ...]:
        """Names of the senses, the last reward after the symbols."""
        return (*self.file.senses, "last_reward")


@lru_cache(maxsize=32)
def load_task(name: str) -> Task:
    """Read a task: the path of a YAML file, or the name of a shipped task such as `CATCH`.

    Raises:
        ConfigError: If the file cannot be read or says something that means nothing; with the place.
        UnknownName: If no shipped task has the name.
    """
    if name.endswith(_SUFFIXES):
        return _checked(read_yaml(user_path(name), name, loader=_Loader), name)
    folder = resources.files(__package__) / "shipped"
    known = sorted(
        entry.name.removesuffix(_SUFFIXES[0]) for entry in folder.iterdir() if entry.name.endswith(_SUFFIXES)
    )
    if name not in known:
        raise UnknownName.among("task", name, (*known, "or the path of a .yaml file"))
    source = f"task {name}"
    return _checked(read_yaml(folder / f"{name}{_SUFFIXES[0]}", source, loader=_Loader), source)


def parse_task(text: str, *, source: str) -> Task:
    """Check the text of a task file.

    Raises:
        ConfigError: With the source, the place and what is wrong there.
    """
    return _checked(parse_yaml(text, source, loader=_Loader), source)


def _checked(document: object, source: str) -> Task:
    if not isinstance(document, dict):
        raise ConfigError(f"{source}: is a {type(document).__name__}; a task file is a mapping with watch and rewards")
    try:
        file = TaskFile.model_validate(document)
    except ValidationError as error:
        raise ConfigError(f"{source}: {first_problem(error)}") from None
    return Task(file=file, addresses=_addresses(file, source))


def _addresses(file: TaskFile, source: str) -> tuple[int, ...]:
    """Every watched address once: events first and together, then symbols and rules in order."""
    found: dict[int, None] = {}
    if file.events is not None:
        found.update(dict.fromkeys(range(file.events.first, file.events.last + 1)))
    found.update(dict.fromkeys(file.watch.values()))
    rules: list[Rule] = [*(entry.rule for entry in file.rewards), *file.terminate, *file.fail]
    for name in ("terminate", "fail"):
        for place, rule in enumerate(getattr(file, name)):
            if not rule.is_condition:
                raise ConfigError(f"{source}: {name}.{place}: must be bit_set, byte_eq, list_contains or rising")
    for symbol in (*file.senses, *(symbol for rule in rules for symbol in rule.symbols())):
        if isinstance(symbol, int):
            if symbol > 0xFFFF:
                raise ConfigError(f"{source}: a list reaches address {symbol:#x}; addresses end at 0xffff")
            found[symbol] = None
        elif symbol not in file.watch:
            known = ", ".join(file.watch) or "none"
            raise ConfigError(f"{source}: there is no symbol {symbol!r} in watch; symbols are: {known}")
    return tuple(found)
