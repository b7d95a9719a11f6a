"""Where exported policies lie in a run."""

from pathlib import Path

from diorama.runs.layout import RunLayout


def export_path(layout: RunLayout, checkpoint: Path) -> Path:
    """Return where the export of a checkpoint lies, if it was made."""
    return layout.exports / f"{checkpoint.stem}.onnx"


def is_exported(layout: RunLayout, checkpoint: Path) -> bool:
    """Whether a checkpoint was exported since it was written; its name may be used again by a run that is resumed."""
    path = export_path(layout, checkpoint)
    return path.is_file() and path.stat().st_mtime_ns >= checkpoint.stat().st_mtime_ns
