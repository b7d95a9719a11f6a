"""Configuration files of live worlds: YAML mappings."""

from pathlib import Path

import yaml

from diorama.contracts.errors import ConfigError


def read_mapping(path: Path) -> dict[str, object]:
    """Read a YAML file that holds a mapping; an empty one holds the defaults.

    Raises:
        ConfigError: There is no such file, or it is no such file.
    """
    try:
        document: object = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read ({error})") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: is no YAML: {' '.join(str(error).split())}") from None
    if document is None:
        return {}
    if not isinstance(document, dict) or not all(isinstance(key, str) for key in document):
        raise ConfigError(f"{path}: holds a {type(document).__name__}; it must be a mapping of names to values")
    return document
