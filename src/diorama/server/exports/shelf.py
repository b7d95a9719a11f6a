"""`ExportShelf`: the exported policies of runs, made when they are first asked for."""

import asyncio
from pathlib import Path
from typing import Final

from diorama.contracts.errors import CheckpointMismatch, MissingExtra
from diorama.learn.exporting.packages import require_onnx
from diorama.runs.catalogue import RunRow
from diorama.runs.checkpoints.files import newest_checkpoint, read_checkpoint_header
from diorama.runs.checkpoints.headers import RandomCheckpoint
from diorama.runs.exports import export_path, is_exported
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import TrainerBackend
from diorama.server.exports.process import ExportProcess
from diorama.server.models.exports import ExportList, ExportRow
from diorama.server.reading.shelf import RunShelf, inside

_LISTED: Final = 200


class ExportShelf:
    """Finds exports, and has those made that are missing, one at a time; used from the event loop."""

    def __init__(self, runs: RunShelf) -> None:
        """Know where runs lie; nothing is made yet."""
        self._runs = runs
        self._process = ExportProcess()
        self._turn = asyncio.Lock()

    def listing(self, world: str | None) -> ExportList:
        """Return the runs that have a policy, newest first, and whether exports can be made here."""
        rows = self._runs.catalogue.runs(limit=_LISTED, world=world).rows
        try:
            require_onnx()
            missing = None
        except MissingExtra as error:
            missing = str(error)
        return ExportList(
            exports=[found for row in rows if (found := self._row(row)) is not None],
            can_make=missing is None,
            missing=missing,
        )

    async def file(self, run_id: str) -> Path:
        """Return the export of a run's newest policy, and make it if there is none.

        Raises:
            UnknownName: There is no such run, or it has no checkpoint.
            CheckpointMismatch: Its checkpoint holds no policy.
            DocumentError: A link leads out of the run.
            MissingExtra: There is none, and the packages that make it are not installed.
            ExportFailed: It could not be made.
        """
        layout = self._runs.find(run_id)
        checkpoint = await asyncio.to_thread(_policy_checkpoint, layout)
        if not is_exported(layout, checkpoint):
            async with self._turn:
                # Somebody else may have asked for the same one and waited less long.
                if not is_exported(layout, checkpoint):
                    require_onnx()
                    await asyncio.to_thread(self._process.run, self._runs.root, run_id, checkpoint)
        return inside(layout, export_path(layout, checkpoint))

    def close(self) -> None:
        """End what is being made."""
        self._process.close()

    def _row(self, row: RunRow) -> ExportRow | None:
        known = row.metadata
        if known is None or known.latest_checkpoint is None or known.trainer_backend is not TrainerBackend.PPO:
            return None
        layout = self._runs.find(row.run_id)
        checkpoint = layout.directory / known.latest_checkpoint.path
        is_made = checkpoint.is_file() and is_exported(layout, checkpoint)
        return ExportRow(
            run_id=row.run_id,
            world=known.world,
            window_id=known.latest_checkpoint.window_id,
            env_steps_total=known.latest_checkpoint.env_steps_total,
            size_bytes=export_path(layout, checkpoint).stat().st_size if is_made else None,
        )


def _policy_checkpoint(layout: RunLayout) -> Path:
    checkpoint = newest_checkpoint(layout)
    if isinstance(read_checkpoint_header(checkpoint), RandomCheckpoint):
        raise CheckpointMismatch(f"run {layout.run_id!r} played at random; there is no policy in it to export")
    layout.resolve(layout.relative(layout.exports))
    return checkpoint
