"""Presets: settings of whole runs as YAML files that a world ships, or that a person wrote."""

from collections.abc import Mapping
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.operate.training.layers import Layer, laid_over
from diorama.storage.yaml_text import read_yaml
from diorama.worlds.registry import load_world, world_module

DEFAULT: Final = "default"
NONE: Final = "none"
EXTENDS: Final = "extends"  # in a preset: the preset of the world that it is laid over
_SUFFIX: Final = ".yaml"


def preset_names(world_id: str) -> list[str]:
    """Return the names of a world's presets, sorted.

    Raises:
        UnknownName: There is no such world.
    """
    return sorted(_presets(world_id))


def load_preset(world_id: str, name: str) -> Layer:
    """Read a preset.

    Args:
        world_id: Whose preset.
        name: Of one of the world's presets, `none` for no settings at all, or the path of a file ending in `.yaml`;
            `default` is no settings at all for a world without presets.

    Raises:
        UnknownName: There is no such world or preset.
        ConfigError: The file is no mapping of settings; with the line where that shows.
    """
    known = _presets(world_id)
    if name.endswith(_SUFFIX):
        return _extended(_read(Path(name), name), known, world_id, ())
    if name == NONE or (name == DEFAULT and not known):
        return Layer(source="no preset", values={})
    if name not in known:
        names = (*sorted(known), NONE, "or the path of a .yaml file")
        raise UnknownName.among(f"preset of {world_id!r}", name, names)
    return _extended(_shipped(known, name), known, world_id, (name,))


def _extended(own: Layer, known: Mapping[str, Traversable], world_id: str, above: tuple[str, ...]) -> Layer:
    values = dict(own.values)
    base = values.pop(EXTENDS, None)
    if base is None:
        return own
    if not isinstance(base, str) or base not in known or base in above:
        raise ConfigError(f"{own.source}: {EXTENDS} is {base!r}; name another preset of {world_id!r}")
    below = _extended(_shipped(known, base), known, world_id, (*above, base))
    return Layer(source=own.source, values=laid_over(below.values, values))


def _shipped(known: Mapping[str, Traversable], name: str) -> Layer:
    return _read(known[name], f"preset {name}")


def _presets(world_id: str) -> dict[str, Traversable]:
    """The files in the folder beside the module that registers the world; one outside of any package has none."""
    load_world(world_id)
    package = import_module(world_module(world_id)).__package__
    folder = resources.files(package) / "presets" if package else None
    found = folder.iterdir() if folder is not None and folder.is_dir() else ()
    return {entry.name.removesuffix(_SUFFIX): entry for entry in found if entry.name.endswith(_SUFFIX)}


def _read(file: Traversable, source: str) -> Layer:
    values = read_yaml(file, source)
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise ConfigError(f"{source}: holds a {type(values).__name__}; it must be a mapping of settings")
    return Layer(source=source, values=values)
