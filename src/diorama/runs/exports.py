"""Exported policies in a run: where they lie, whether they hold, and which are not needed any more."""

import re
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.runs.layout import RunLayout
from diorama.storage.artifact_files import artifact_status

_NAME: Final = re.compile(r"ckpt_(?P<window>\d{6,})\.onnx")
_UNCHECKED: Final = ".*.unchecked.onnx*"
_STRAY_SECONDS: Final = 3600  # a file that was not written for so long belongs to nobody who is still at work


def export_path(layout: RunLayout, checkpoint: Path) -> Path:
    """Return where the export of a checkpoint lies, if it was made."""
    return layout.exports / f"{checkpoint.stem}.onnx"


def exported_bytes(layout: RunLayout, checkpoint: Path) -> int | None:
    """Return the size of the export of a checkpoint; None if it was not exported since it was written.

    A run that is resumed may use the name of a checkpoint again, and checkpoints go away while a run goes on.
    """
    try:
        export = artifact_status(export_path(layout, checkpoint), within=layout.directory)
        written = artifact_status(checkpoint, within=layout.directory)
    except (UnknownName, DocumentError):
        return None
    return export.st_size if export.st_mtime_ns >= written.st_mtime_ns else None


def is_exported(layout: RunLayout, checkpoint: Path) -> bool:
    """Whether a checkpoint was exported since it was written."""
    return exported_bytes(layout, checkpoint) is not None


def remove_older_exports(layout: RunLayout, newest: Path) -> None:
    """Remove the exports of a run that one of a newer checkpoint replaces, and what killed exports have left.

    Args:
        layout: The run.
        newest: The checkpoint whose export is kept.
    """
    kept = _NAME.fullmatch(export_path(layout, newest).name)
    if kept is None:
        return
    for path in layout.exports.glob("ckpt_*.onnx"):
        found = _NAME.fullmatch(path.name)
        if found is not None and found["window"] != kept["window"]:
            is_older = int(found["window"]) < int(kept["window"])
            if is_older or not (layout.checkpoints / f"{path.stem}.safetensors").exists():
                path.unlink(missing_ok=True)
    for path in layout.exports.glob(_UNCHECKED):
        with suppress(FileNotFoundError):  # whoever wrote it has finished meanwhile
            if path.lstat().st_mtime < time.time() - _STRAY_SECONDS:
                path.unlink()
