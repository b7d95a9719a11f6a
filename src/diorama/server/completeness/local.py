"""The three sources that lie in the run directory itself."""

from collections.abc import Mapping
from typing import Final

import msgspec

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.runs.documents import RawObject
from diorama.runs.layout import RunLayout
from diorama.runs.lines import read_lines
from diorama.server.completeness.findings import Finding, Origin
from diorama.server.reading.shelf import RunShelf
from diorama.worlds.registry import load_world

_METADATA_FIELDS: Final = (
    "run_id",
    "status",
    "trainer_backend",
    "updated_at",
    "metrics_windows_path",
    "replay_index_path",
)
_WINDOW_FIELDS: Final = ("window_id", "env_steps_total", "reward_mean", "return_mean")
_REPLAY_FIELDS: Final = ("replay_id", "window_id", "replay_path", "checkpoint_path", "tags", "created_at")


def metadata_finding(runs: RunShelf, layout: RunLayout) -> tuple[Finding, RawObject]:
    """Look at the metadata; return what was found and, as far as it could be read, what it says."""
    known: RawObject = {}
    problem: str | None = None
    try:
        known = msgspec.to_builtins(runs.metadata(layout))
    except UnknownName:
        pass
    except DocumentError as error:
        problem = str(error)
    updated_at = known.get("updated_at")
    finding = Finding(
        key="run_metadata",
        label="Run metadata",
        origin=Origin.RUN_DIRECTORY,
        path=layout.relative(layout.metadata),
        required=_METADATA_FIELDS,
        newest=known or None,
        observed_count=1 if known else 0,
        updated_at=updated_at if isinstance(updated_at, str) else None,
        problem=problem,
        absence="the run has no metadata",
    )
    return finding, known


def windows_finding(layout: RunLayout, required: tuple[str, ...]) -> Finding:
    """Look at the window metrics."""
    newest: RawObject | None = None
    count, problem = 0, None
    try:
        for row in read_lines(layout.windows, RawObject, within=layout.directory):
            newest, count = row, count + 1
    except DocumentError as error:
        problem = str(error)
    return Finding(
        key="window_metrics",
        label="Window metrics",
        origin=Origin.RUN_DIRECTORY,
        path=layout.relative(layout.windows),
        required=required,
        newest=newest,
        observed_count=count,
        updated_at=None if newest is None else _text(newest, "created_at"),
        problem=problem,
        absence="no window has been closed yet",
    )


def replays_finding(runs: RunShelf, layout: RunLayout) -> Finding:
    """Look at the list of replays."""
    entries: list[RawObject] = []
    updated_at, problem = None, None
    try:
        index = runs.index(layout)
        entries = [entry.to_json() for entry in sorted(index.entries, key=lambda entry: entry.order)]
        updated_at = index.updated_at
    except (DocumentError, UnknownName) as error:
        problem = str(error)
    return Finding(
        key="replay_timeline",
        label="Replay timeline",
        origin=Origin.RUN_DIRECTORY,
        path=layout.relative(layout.replay_index),
        required=_REPLAY_FIELDS,
        newest=entries[-1] if entries else None,
        observed_count=len(entries),
        updated_at=updated_at,
        problem=problem,
        absence="no replay has been recorded yet",
    )


def window_fields(world_id: object) -> tuple[str, ...]:
    """Return the fields a window of this world must have; of an unknown world those that all have."""
    spec = _default_spec(world_id)
    if spec is None:
        return _WINDOW_FIELDS
    headline = [alias for alias, key in spec.aliases if key in spec.headline]
    return (*_WINDOW_FIELDS, *headline, *(f"{key}_mean" for key in spec.risk_metrics))


def _default_spec(world_id: object) -> WorldSpec | None:
    if not isinstance(world_id, str):
        return None
    try:
        world = load_world(world_id)
    except UnknownName:
        return None
    return world.describe(world.config_type())


def _text(row: Mapping[str, object], key: str) -> str | None:
    value = row.get(key)
    return value if isinstance(value, str) else None
