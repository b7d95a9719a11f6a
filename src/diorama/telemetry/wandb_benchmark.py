"""Sends the report of a benchmark, with the checkpoints it is about, to Weights & Biases."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from diorama.contracts.errors import MissingExtra, UnknownName
from diorama.contracts.values import JsonObject, JsonValue
from diorama.storage.artifact_files import read_named
from diorama.storage.json_text import decode_json
from diorama.telemetry.wandb_sink import WandbMode, WandbSettings

_MAX_BYTES: Final = 64 << 20
_PREFIX: Final = "benchmark"


def read_report(path: Path) -> JsonObject:
    """Read a report that a benchmark wrote.

    Raises:
        UnknownName: There is none.
        DocumentError: It is no JSON object.
    """
    try:
        text = read_named(path, most_bytes=_MAX_BYTES)
    except UnknownName:
        raise UnknownName(f"there is no report {str(path)!r}; benchmarks write theirs with --json") from None
    report: JsonObject = decode_json(text, dict, where=f"{path} is no report")
    return report


def benchmark_metrics(report: JsonObject) -> dict[str, float]:
    """Return every number and verdict of a report by its path, as `benchmark/summary/pass`."""
    return dict(_numbers(report, _PREFIX))


def upload_benchmark(report: Path, run_id: str, checkpoints: Sequence[Path], settings: WandbSettings) -> int:
    """Log a report as `benchmark-{run_id}` in a run of job type `eval`, and return how many metrics it has.

    Raises:
        MissingExtra: The library is not installed.
        UnknownName: There is no such report.
        DocumentError: The report is no JSON object.
    """
    metrics = benchmark_metrics(read_report(report))
    try:
        import wandb
    except ImportError as error:
        raise MissingExtra.of("track", needed_for="uploading to Weights & Biases") from error
    directory = settings.run_directory / "telemetry"
    directory.mkdir(parents=True, exist_ok=True)
    with wandb.init(
        mode="online" if settings.mode is WandbMode.ONLINE else "offline",
        project=settings.project,
        entity=settings.entity,
        group=run_id,
        job_type="eval",
        dir=directory,
        reinit="create_new",
        settings=wandb.Settings(console="off", silent=True),
    ) as run:
        run.log(metrics)
        artifact = wandb.Artifact(f"benchmark-{run_id}", type="benchmark", metadata={"run_id": run_id})
        for path in (report, *checkpoints):
            artifact.add_file(str(path), name=path.name, policy="immutable", skip_cache=True)
        run.log_artifact(artifact, aliases=["latest"])
    return len(metrics)


def _numbers(value: JsonValue, path: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _numbers(inner, f"{path}/{key}")
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for place, inner in enumerate(value):
            yield from _numbers(inner, f"{path}/{place}")
    elif isinstance(value, int | float) and math.isfinite(value):
        yield path, float(value)
