"""Takes the policy of a run out of the platform: one ONNX file that was seen to decide alike."""

import os
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from diorama.contracts.errors import CheckpointMismatch, DioramaError
from diorama.contracts.values import JsonObject
from diorama.engine.venue import open_venue
from diorama.learn.policies.export import Agreement, DecisionStep, compare, described, write_onnx
from diorama.learn.policies.export_packages import require_onnx
from diorama.operate.training.opening import stored_settings
from diorama.operate.training.policy_files import load_policy
from diorama.runs.checkpoints.files import newest_checkpoint, read_checkpoint_header
from diorama.runs.checkpoints.headers import RandomCheckpoint
from diorama.runs.exports import export_path
from diorama.runs.run import open_run
from diorama.storage.atomic_files import replace_file

_COPIES: Final = 4


class ExportDiffers(DioramaError):
    """An exported policy decides unlike the one it came from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """Which policy goes where.

    Attributes:
        checkpoint: One of the run's; None for the newest.
        output: The file; None for the run's own folder `exports`.
        decisions: How many are compared.
    """

    run_root: Path
    run_id: str
    checkpoint: Path | None = None
    output: Path | None = None
    decisions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A file, and how well it agrees with its origin."""

    path: Path
    checkpoint: Path
    metadata: JsonObject
    agreement: Agreement


def export_policy(request: ExportRequest) -> Exported:
    """Write the file, then let it decide beside its origin in the world the run was trained in.

    Raises:
        UnknownName: There is no such run or checkpoint.
        CheckpointMismatch: The checkpoint holds no policy.
        MissingExtra: The packages for it are not installed.
        ExportDiffers: The two do not agree; no file is left.
    """
    require_onnx()
    run = open_run(request.run_root, request.run_id)
    checkpoint = newest_checkpoint(run.layout) if request.checkpoint is None else request.checkpoint
    if isinstance(read_checkpoint_header(checkpoint), RandomCheckpoint):
        raise CheckpointMismatch(f"run {run.run_id!r} played at random; there is no policy in it to export")
    settings = stored_settings(run)
    venue = open_venue(settings.world, settings.config)
    policy, stored = load_policy(checkpoint, venue.spec)
    step = DecisionStep(policy, venue.spec).eval()
    metadata = described(
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
    path = request.output or export_path(run.layout, checkpoint)
    # Of this process alone: whoever exports the same policy meanwhile must not take it for its own.
    unchecked = path.with_name(f".{path.stem}-{os.getpid()}.unchecked.onnx")
    with ExitStack() as stack:
        stack.callback(unchecked.unlink, missing_ok=True)
        write_onnx(step, unchecked, metadata)
        batch = venue.batch(venue.config, _COPIES)
        stack.callback(batch.close)
        agreement = compare(step, unchecked, batch, decisions=request.decisions)
        if not agreement.is_close:
            raise ExportDiffers(f"the exported policy decides unlike run {run.run_id!r}: {agreement.to_json()}")
        replace_file(path, unchecked.read_bytes())
    return Exported(path=path, checkpoint=checkpoint, metadata=metadata, agreement=agreement)
