"""Reading the files that ship with the town, and those a configuration names instead."""

import re
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

import yaml

from diorama.contracts.errors import ConfigError, DocumentError, UnknownName
from diorama.storage import artifact_files, yaml_text

MAX_BYTES: Final = 4 * 1024 * 1024
_NAMES_FILE: Final = "names.yaml"
_JOBS_FILE: Final = "jobs.yaml"


@cache
def shipped_names() -> tuple[str, ...]:
    """Return the names of citizens, in the order they are given."""
    return tuple(parse_yaml(read_shipped(_NAMES_FILE), _NAMES_FILE))


def shipped_jobs() -> Any:
    """Return the canonical jobs as they stand in their file."""
    return parse_yaml(read_shipped(_JOBS_FILE), _JOBS_FILE)


def read_shipped(name: str) -> bytes:
    """Return a file of this package, named with forward slashes."""
    return (resources.files(__package__) / name).read_bytes()


def read_named(name: str, folder: Path | None) -> bytes:
    """Return the file a configuration names: one beside the configuration if there is one, else a shipped one.

    Args:
        name: A path; a relative one is taken from `folder`.
        folder: Where the configuration file is; the working directory for one that came from no file.

    Raises:
        ConfigError: There is no such file, or it is too big or cannot be read.
    """
    path = (folder or Path()) / name
    try:
        if not path.exists():
            shipped = resources.files(__package__) / name
            if not Path(name).is_absolute() and ".." not in Path(name).parts and shipped.is_file():
                return shipped.read_bytes()
            raise ConfigError(f"{name}: there is no such file beside the configuration, and none is shipped")
        return artifact_files.read_named(path, most_bytes=MAX_BYTES)
    except OSError as error:
        raise ConfigError(f"{name}: cannot be read ({error.strerror})") from None
    except (UnknownName, DocumentError) as error:
        raise ConfigError(str(error).replace(str(path), name, 1)) from None


@lru_cache(maxsize=32)
def parse_yaml(data: bytes, name: str) -> Any:
    """Return the document of a YAML file; equal files give the same document, so callers must not change it.

    Raises:
        ConfigError: It is no YAML; with the place.
    """
    return yaml_text.parse_yaml(data, name, loader=_StrictLoader)


class _StrictLoader(yaml.SafeLoader):
    """The safe loader with two repairs: a key may not stand twice, and `on`, `off` and `1e-3` mean what they say."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"{key.value!r} stands twice", key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


_BOOL_TAG: Final = "tag:yaml.org,2002:bool"
_FLOAT_TAG: Final = "tag:yaml.org,2002:float"
_StrictLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rules if tag not in (_BOOL_TAG, _FLOAT_TAG)]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_StrictLoader.add_implicit_resolver(_BOOL_TAG, re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))
_StrictLoader.add_implicit_resolver(
    _FLOAT_TAG,
    re.compile(r"^[-+]?(?:[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)$"),
    list("-+0123456789."),
)
