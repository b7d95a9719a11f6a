"""YAML documents: strict reading with line numbers in errors."""

from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

import yaml

from diorama.contracts.errors import ConfigError, DocumentError, UnknownName
from diorama.storage.artifact_files import read_named

MAX_BYTES: Final = 4 << 20
MAX_DEPTH: Final = 64
MAX_VALUES: Final = 1 << 20  # with everything counted as often as an alias repeats it
_MERGE: Final = "tag:yaml.org,2002:merge"


def read_yaml(file: Path | Traversable, source: str, *, loader: type[yaml.SafeLoader] = yaml.SafeLoader) -> object:
    """Read the document of a YAML file.

    Args:
        file: Where it lies.
        source: What to call it in messages.
        loader: The safe loader, or one that takes some texts for other plain values.

    Raises:
        ConfigError: The file cannot be read, is too large, or holds no YAML.
    """
    try:
        data = read_named(file, most_bytes=MAX_BYTES) if isinstance(file, Path) else file.read_bytes()
    except UnknownName:
        raise ConfigError(f"{source}: cannot be read: there is no such file") from None
    except DocumentError as error:
        raise ConfigError(str(error).replace(str(file), source, 1)) from None
    return parse_yaml(data, source, loader=loader)


def parse_yaml(data: bytes | str, source: str, *, loader: type[yaml.SafeLoader] = yaml.SafeLoader) -> object:
    """Read a YAML document.

    Raises:
        ConfigError: With the source, the place and what is wrong there.
    """
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{source}: holds more than {MAX_BYTES} bytes, the most that is read")
    try:
        document = _loaded(data, source, loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = "" if mark is None else f" line {mark.line + 1}, column {mark.column + 1}"
        raise ConfigError(f"{source}{place}: {error.problem or error.context}; it must be YAML") from None
    except RecursionError:
        raise ConfigError(f"{source}: is nested deeper than {MAX_DEPTH} levels") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{source}: {' '.join(str(error).split())}; it must be YAML") from None
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
        # The library stumbles over what its own patterns let through: `!!int ""`, a 32nd of March, 5000 digits.
        raise ConfigError(f"{source}: holds a number, a date or a tagged text that means nothing in YAML") from None
    _measure(document, source, 0, {})
    return document


def _loaded(data: bytes | str, source: str, loader: type[yaml.SafeLoader]) -> object:
    opened = loader(data)
    try:
        node: yaml.Node | None = opened.get_single_node()
        if node is None:
            return None
        _refuse_many_merged(node, source)
        document: object = opened.construct_document(node)
        return document
    finally:
        opened.dispose()


def _refuse_many_merged(document: yaml.Node, source: str) -> None:
    """Refuse mappings whose merge keys would be copied out to more entries than there may be values."""
    entries: dict[yaml.Node, int] = {}
    _count_entries(document, entries)
    if sum(count for node, count in entries.items() if isinstance(node, yaml.MappingNode)) > MAX_VALUES:
        raise ConfigError(f"{source}: its merge keys stand for more than {MAX_VALUES} entries")


def _count_entries(node: yaml.Node, known: dict[yaml.Node, int]) -> int:
    """Return what a merge key takes from a mapping, or from a list of them, and look at everything inside."""
    if not isinstance(node, yaml.CollectionNode):
        return 0
    if node not in known:
        known[node] = 0  # for one that holds itself
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                _count_entries(key, known)
                inside = _count_entries(value, known)
                known[node] += inside if key.tag == _MERGE else 1
        else:
            for part in node.value:
                inside = _count_entries(part, known)
                known[node] += inside if isinstance(part, yaml.MappingNode) else 0
        known[node] = min(known[node], MAX_VALUES + 1)  # a chain of merges must not make a number of many digits
    return known[node]


def _measure(value: object, source: str, depth: int, known: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """Return how many values there are, and how deep they go; a value that aliases repeat is looked at once."""
    if not isinstance(value, dict | list | tuple | set):
        return 1, 0
    found = known.get(id(value))
    if found is None:
        if depth > MAX_DEPTH:
            raise ConfigError(f"{source}: is nested deeper than {MAX_DEPTH} levels, or holds itself")
        inner = [*value, *value.values()] if isinstance(value, dict) else value
        parts = [_measure(part, source, depth + 1, known) for part in inner]
        found = 1 + sum(count for count, _ in parts), 1 + max((height for _, height in parts), default=0)
        known[id(value)] = found
    if depth + found[1] > MAX_DEPTH:
        raise ConfigError(f"{source}: is nested deeper than {MAX_DEPTH} levels")
    if found[0] > MAX_VALUES:
        raise ConfigError(f"{source}: its aliases stand for more than {MAX_VALUES} values")
    return found
