"""Exports the policy of a run as an ONNX file, after comparing the decisions of both."""

import os
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from diorama.contracts.errors import CheckpointMismatch, DioramaError
from diorama.contracts.foreign_config import EVERY_FILE, FileAccess
from diorama.contracts.values import JsonObject
from diorama.engine.venue import open_venue
from diorama.learn.policies.export import Agreement, PolicyStep, compare, onnx_metadata, write_onnx
from diorama.learn.policies.export_packages import require_onnx
from diorama.runs.champions import find_run, is_champion_id
from diorama.runs.checkpoints.choosing import choose_checkpoint
from diorama.runs.checkpoints.files import read_checkpoint_header
from diorama.runs.checkpoints.headers import RandomCheckpoint
from diorama.runs.exports import export_path
from diorama.storage.atomic_files import replace_file
from diorama.training.policy_files import load_policy
from diorama.training.run_directory import stored_settings

_COPIES: Final = 4


class ExportDiffers(DioramaError):
    """An exported policy chooses other actions than the original."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """Which policy is exported to which file.

    Attributes:
        checkpoint: A file of a checkpoint; None to choose one of the run's.
        choice: See `choose_checkpoint`; without a file.
        output: The file; None for the run's own folder `exports`, or the working directory for a champion.
        decisions: How many are compared.
        files: Which files the configuration of the run may name.
    """

    run_root: Path
    run_id: str
    checkpoint: Path | None = None
    choice: str | None = None
    output: Path | None = None
    decisions: int
    files: FileAccess = EVERY_FILE


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """An exported file, and how well it agrees with the policy."""

    path: Path
    checkpoint: Path
    metadata: JsonObject
    agreement: Agreement


def export_policy(request: ExportRequest) -> Exported:
    """Write the file, then compare its decisions with the policy's in the world the run was trained in.

    Raises:
        UnknownName: There is no such run or checkpoint.
        CheckpointMismatch: The checkpoint holds no policy.
        MissingExtra: The packages for it are not installed.
        ExportDiffers: The two do not agree; no file is left.
    """
    require_onnx()
    run = find_run(request.run_root, request.run_id)
    checkpoint = request.checkpoint or choose_checkpoint(run.layout, request.choice)
    if isinstance(read_checkpoint_header(checkpoint), RandomCheckpoint):
        raise CheckpointMismatch(
            f"run {run.run_id!r} played at random; there is no policy in it to export",
            code="run_has_no_policy",
            run_id=run.run_id,
        )
    settings = stored_settings(run, files=request.files)
    venue = open_venue(settings.world, settings.config)
    policy, stored = load_policy(checkpoint, venue.spec)
    step = PolicyStep(policy, venue.spec).eval()
    metadata = onnx_metadata(
        step,
        {
            "world": stored.header.world,
            "interface_version": stored.header.interface_version,
            "run_id": stored.header.run_id,
            "checkpoint_sha256": stored.sha256,
            "env_steps_total": stored.header.env_steps_total,
            "config": settings.config,
            "is_drawn": not settings.evaluation.deterministic,
        },
    )
    path = request.output or _default_path(run.run_id, export_path(run.layout, checkpoint))
    # Named for this process: another one may export the same policy at the same time.
    unchecked = path.with_name(f".{path.stem}-{os.getpid()}.unchecked.onnx")
    with ExitStack() as stack:
        stack.callback(unchecked.unlink, missing_ok=True)
        write_onnx(step, unchecked, metadata)
        batch = venue.batch(venue.config, _COPIES)
        stack.callback(batch.close)
        agreement = compare(step, unchecked, batch, decisions=request.decisions)
        if not agreement.is_close:
            raise ExportDiffers(
                f"the exported policy chooses other actions than run {run.run_id!r}: {agreement.to_json()}",
                code="export_differs",
                run_id=run.run_id,
            )
        replace_file(path, unchecked.read_bytes())
    return Exported(path=path, checkpoint=checkpoint, metadata=metadata, agreement=agreement)


def _default_path(run_id: str, beside: Path) -> Path:
    # What lies in the package of a world is vouched for by its card.
    return Path(f"{run_id.replace('/', '-')}.onnx") if is_champion_id(run_id) else beside
