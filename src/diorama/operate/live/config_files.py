"""Configuration files of live worlds: YAML mappings."""

from pathlib import Path

from diorama.contracts.errors import ConfigError
from diorama.storage.yaml_text import read_yaml


def read_mapping(path: Path) -> dict[str, object]:
    """Read a YAML file that holds a mapping; an empty one holds the defaults.

    Raises:
        ConfigError: There is no such file, or it is no such file.
    """
    document = read_yaml(path, str(path))
    if document is None:
        return {}
    if not isinstance(document, dict) or not all(isinstance(key, str) for key in document):
        raise ConfigError(f"{path}: holds a {type(document).__name__}; it must be a mapping of names to values")
    return document
