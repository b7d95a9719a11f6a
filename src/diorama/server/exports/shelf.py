"""`ExportShelf`: the exported policies of runs, made when they are first asked for."""

import asyncio
from itertools import islice
from pathlib import Path
from typing import Final

from diorama.contracts.errors import CheckpointMismatch, ConfigError, MissingExtra, UnknownName
from diorama.learn.policies.export_packages import require_onnx
from diorama.runs.catalogue import RunRow
from diorama.runs.champions import (
    champion_address_id,
    champion_world,
    champion_worlds,
    open_champion,
)
from diorama.runs.checkpoints.choosing import choose_checkpoint
from diorama.runs.checkpoints.files import read_checkpoint_header
from diorama.runs.checkpoints.headers import RandomCheckpoint
from diorama.runs.exports import export_path, exported_bytes, is_exported, remove_older_exports
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import TrainerBackend
from diorama.server.exports.errors import ExportFailed, ExportLimit, ExportRefused
from diorama.server.exports.process import ExportProcess
from diorama.server.models.exports import ExportList, ExportRow
from diorama.server.reading.shelf import RunShelf, inside
from diorama.server.reading.stamped_cache import Stamp, file_stamp

_LISTED: Final = 200


class ExportShelf:
    """Finds exports, and has those made that are missing, one at a time; used from the event loop."""

    def __init__(self, runs: RunShelf, *, max_waiting: int = 8) -> None:
        """Know where runs lie, and how many requests may wait for exports; nothing is made yet."""
        self._runs = runs
        self._max_waiting = max_waiting
        self._process = ExportProcess()
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._failures: dict[str, tuple[Stamp, ExportRefused | ExportFailed]] = {}

    @property
    def waiting(self) -> int:
        """Requests that wait for exports."""
        return self._waiting

    def listing(self, world: str | None) -> ExportList:
        """Return champions, then runs that have a policy, newest first, and whether exports can be made here."""
        try:
            require_onnx()
            missing = None
        except MissingExtra as error:
            missing = str(error)
        found = (self._row(row) for row in self._runs.catalogue.runs(world=world).rows)
        of_runs = islice((row for row in found if row is not None), _LISTED)
        return ExportList(
            exports=[*_champion_rows(world), *of_runs],
            can_make=missing is None,
            missing=missing,
        )

    async def file(self, run_id: str) -> Path:
        """Return the export of a run's best or newest policy, and make it if there is none.

        Raises:
            UnknownName: There is no such run, or it has no checkpoint.
            CheckpointMismatch: Its checkpoint holds no policy.
            DocumentError: A link leads out of the run.
            MissingExtra: There is none, and the packages that make it are not installed.
            ExportRefused: It cannot be made.
            ExportFailed: It was tried in vain.
            NotAvailable: It took too long, or the server stops.
            ExportLimit: Too many others wait for theirs.
        """
        world_id = champion_world(run_id)
        if world_id is not None:
            return await asyncio.to_thread(lambda: open_champion(world_id).onnx_path())
        layout = self._runs.find(run_id)
        checkpoint = await asyncio.to_thread(_policy_checkpoint, layout)
        if not is_exported(layout, checkpoint):
            require_onnx()
            self._refuse_again(layout, checkpoint)
            if self._waiting >= self._max_waiting:
                raise ExportLimit(f"{self._max_waiting} requests wait for exports, as many as may; try again later")
            self._waiting += 1
            try:
                async with self._turn:
                    await self._make(layout, checkpoint)
            finally:
                self._waiting -= 1
        return inside(layout, export_path(layout, checkpoint))

    def close(self) -> None:
        """End what is being made."""
        self._process.close()

    async def _make(self, layout: RunLayout, checkpoint: Path) -> None:
        # Somebody else may have asked for the same one and waited less long.
        if is_exported(layout, checkpoint):
            return
        stamp = self._refuse_again(layout, checkpoint)
        try:
            folders = self._runs.files.folders or ()
            await asyncio.to_thread(self._process.run, self._runs.root, layout.run_id, checkpoint, folders)
        except (ExportRefused, ExportFailed) as error:
            self._failures[layout.run_id] = stamp, type(error)(str(error))  # without the frames it came through
            raise
        self._failures.pop(layout.run_id, None)
        await asyncio.to_thread(remove_older_exports, layout, checkpoint)

    def _refuse_again(self, layout: RunLayout, checkpoint: Path) -> Stamp:
        """Return what tells a checkpoint from others, unless it was tried in vain before."""
        stamp = file_stamp(checkpoint)
        failed = self._failures.get(layout.run_id)
        if failed is not None and failed[0] == stamp:
            raise type(failed[1])(str(failed[1]))
        return stamp

    def _row(self, row: RunRow) -> ExportRow | None:
        known = row.metadata
        if known is None or known.latest_checkpoint is None or known.trainer_backend is not TrainerBackend.PPO:
            return None
        try:
            layout = self._runs.find(row.run_id)
        except (UnknownName, ConfigError):
            return None  # it was deleted since the catalogue was read
        used = known.best_checkpoint or known.latest_checkpoint
        return ExportRow(
            run_id=row.run_id,
            world=known.world,
            window_id=used.window_id,
            env_steps_total=used.env_steps_total,
            size_bytes=exported_bytes(layout, layout.directory / used.path),
        )


def _champion_rows(world: str | None) -> list[ExportRow]:
    cards = [open_champion(world_id).card() for world_id in champion_worlds() if world in (None, world_id)]
    return [
        ExportRow(
            run_id=champion_address_id(card.world),
            world=card.world,
            window_id=card.window_id,
            env_steps_total=card.env_steps_total,
            size_bytes=card.onnx.size_bytes,
        )
        for card in cards
    ]


def _policy_checkpoint(layout: RunLayout) -> Path:
    checkpoint = choose_checkpoint(layout)
    if isinstance(read_checkpoint_header(checkpoint), RandomCheckpoint):
        raise CheckpointMismatch(f"run {layout.run_id!r} played at random; there is no policy in it to export")
    layout.resolve(layout.relative(layout.exports))
    return checkpoint
