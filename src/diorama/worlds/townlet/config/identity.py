"""The identity of a configuration: what needs a restart, hashed; and what a reload may change."""

from collections.abc import Iterator, Mapping
from typing import Final

from pydantic import BaseModel

from diorama.contracts.sections import is_fixed
from diorama.contracts.values import JsonValue, canonical_json, sha256_hex
from diorama.worlds.townlet.config.simulation import SimulationConfig

HASH_DIGITS: Final = 8
_LABEL: Final = "config_id"


def structural_hash(config: SimulationConfig, town_checksum: str) -> str:
    """Return the digits that two configurations share when they differ in nothing that needs a restart.

    Args:
        config: The configuration.
        town_checksum: SHA-256 of its town file.
    """
    document = {path: value for path, is_fixed_field, value in leaves(config) if is_fixed_field and path != _LABEL}
    return sha256_hex(canonical_json({"fields": document, "town": town_checksum}))[:HASH_DIGITS]


def effective_id(config: SimulationConfig, town_checksum: str) -> str:
    """Return the id that is stamped on everything: `<config_id>+<variant>.<hash>`."""
    return f"{config.config_id}+{config.features.systems.observations}.{structural_hash(config, town_checksum)}"


def leaves(model: BaseModel, prefix: str = "") -> Iterator[tuple[str, bool, JsonValue]]:
    """Yield path, whether it needs a restart, and JSON value of every field that is no section of its own."""
    dumped = model.model_dump(mode="json")
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        path = f"{prefix}{name}"
        if isinstance(value, BaseModel):
            yield from leaves(value, f"{path}.")
        else:
            yield path, is_fixed(field) or _holds_fixed(value), dumped.get(name, value)


def _holds_fixed(value: object) -> bool:
    """Whether a collection of sections holds fields that need a restart."""
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else ()
    return any(
        is_fixed(field) for item in items if isinstance(item, BaseModel) for field in type(item).model_fields.values()
    )
