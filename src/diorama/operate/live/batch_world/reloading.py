"""Reads the configuration of a batch again. Nothing of it can change while the world runs."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from diorama.contracts.config import parse_config
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.world import Reload
from diorama.contracts.values import JsonObject, JsonValue, sha256_hex
from diorama.engine.batch import Batch
from diorama.operate.live.config_files import read_mapping


def plan_batch_reload(batch: Batch, path: Path | None, settings: LiveSettings, section: str | None) -> Reload:
    """Compare the file of a configuration with what runs.

    Raises:
        ConfigError: What is there now is wrong.
    """
    live = batch.config
    candidate = live if path is None else parse_config(batch.world.id, batch.world.config_type, read_mapping(path))
    paths = tuple(
        changed
        for changed in _changed(live.model_dump(mode="json"), candidate.model_dump(mode="json"))
        if section is None or changed.split(".")[0] == section
    )
    return Reload(
        paths=paths,
        refused=paths,
        checksum_before=sha256_hex(live.canonical()),
        checksum_after=sha256_hex(candidate.canonical()),
        settings=settings,
        apply=lambda: None,
    )


def _changed(before: JsonObject, after: JsonObject, prefix: str = "") -> Iterator[str]:
    for name in dict.fromkeys([*after, *before]):
        old: JsonValue = before.get(name)
        new: JsonValue = after.get(name)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            yield from _changed(old, new, f"{prefix}{name}.")
        elif old != new:
            yield f"{prefix}{name}"
