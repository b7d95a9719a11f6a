"""Writes JSON reports so that a reader never sees half of one."""

import json
import os
from pathlib import Path

from diorama.contracts.values import JsonObject


def write_report(path: Path, report: JsonObject) -> None:
    """Replace the file with a report, whole or not at all; missing parent directories are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.unfinished-{os.getpid()}")
    try:
        unfinished.write_text(json.dumps(report, indent=2, allow_nan=False) + "\n", "utf-8")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
