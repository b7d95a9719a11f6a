"""Relates two runs of the benchmark, and refuses runs that measured different things."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError
from rich.table import Table

from diorama.contracts.errors import ConfigError, DocumentError

SCHEMA_VERSION: Final = 1
_SHARED: Final = ("schedule", "action_source", "codec")


class Row(BaseModel):
    """What is related of a point."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    experiment: str
    rom: str
    rom_sha256: str
    stage: str
    actions: dict[str, object]
    lanes: int
    backend: str
    build: str = ""
    frames_per_sec: float

    @property
    def place(self) -> tuple[str, str, str, int, str, str]:
        """What makes two points the same point."""
        keys = json.dumps(self.actions, sort_keys=True)
        return self.rom, self.stage, keys, self.lanes, self.backend, self.build


class Run(BaseModel):
    """A stored run."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    schema_version: int
    run_id: str
    config: dict[str, object]
    results: tuple[Row, ...]


def read_run(path: Path) -> Run:
    """Read a run.

    Raises:
        DocumentError: If the file is no run of this benchmark, or of another version.
    """
    try:
        run = Run.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise DocumentError(f"{path}: is no run of this benchmark ({str(error).splitlines()[0]})") from None
    if run.schema_version != SCHEMA_VERSION:
        raise DocumentError(f"{path}: has schema version {run.schema_version}; {SCHEMA_VERSION} is read here")
    return run


def relate(first: Run, second: Run) -> list[tuple[Row, Row]]:
    """Pair the points that both runs have.

    Raises:
        ConfigError: If schedule, keys or codec differ, if a ROM has other bytes, or if no point is in both.
    """
    for name in _SHARED:
        if first.config.get(name) != second.config.get(name):
            raise ConfigError(
                f"the runs cannot be related: {name} is {first.config.get(name)} in {first.run_id} and "
                f"{second.config.get(name)} in {second.run_id}"
            )
    hashes = {row.rom: row.rom_sha256 for row in first.results}
    for row in second.results:
        if hashes.get(row.rom, row.rom_sha256) != row.rom_sha256:
            raise ConfigError(f"the runs cannot be related: ROM {row.rom} has other bytes in {second.run_id}")
    by_place = {row.place: row for row in first.results}
    pairs = [(by_place[row.place], row) for row in second.results if row.place in by_place]
    if not pairs:
        raise ConfigError(
            f"the runs cannot be related: no stage, ROM and lane count is in {first.run_id} and {second.run_id}"
        )
    return pairs


def relation_table(first: Run, second: Run, pairs: Sequence[tuple[Row, Row]]) -> Table:
    """Show both runs side by side."""
    table = Table("ROM", "stage", "backend", "lanes", first.run_id, second.run_id, "ratio", title="frames per second")
    for before, after in pairs:
        ratio = after.frames_per_sec / before.frames_per_sec
        table.add_row(
            after.rom,
            after.stage,
            after.backend,
            f"{after.lanes:,}",
            f"{before.frames_per_sec:,.0f}",
            f"{after.frames_per_sec:,.0f}",
            f"{ratio:.2f}",
        )
    return table
